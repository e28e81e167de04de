package io.leeway.autotune.internal.outside;

import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import java.io.IOException;

/** A limit of the control group that a process is in: cores, bytes of memory, bytes a second on a device. */
record CgroupKnob(KnobSpec spec, ControlGroup group, Resource resource, String device) implements OutsideKnob {

    /** What is limited. */
    enum Resource {
        /** Cores. */
        CPU,
        /** Bytes. */
        MEMORY,
        /** Bytes a second. */
        DISK
    }

    @Override
    public KnobValue read() throws IOException {
        double value = switch (resource) {
            case CPU -> group.cpu();
            case MEMORY -> group.memory();
            case DISK -> group.disk(device);
        };
        // No limit at all is as good as the upper bound; going back to the bound is not the same, and said so.
        return KnobValue.of(Math.min(value, spec.max()));
    }

    @Override
    public void write(KnobValue value) throws IOException {
        switch (resource) {
            case CPU -> group.setCpu(value.number());
            case MEMORY -> group.setMemory(value.number());
            case DISK -> group.setDisk(device, value.number());
        }
    }
}
