package io.leeway.autotune.internal.knobs;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A flag of HotSpot that can be written while it runs, where the collector in use reads it: the setter succeeds under
 * every collector, even if nothing comes of it.
 */
final class FlagKnob implements LiveKnob {

    private final KnobSpec spec;
    private final String flag;

    private FlagKnob(KnobSpec spec, String flag) {
        this.spec = spec;
        this.flag = flag;
    }

    /** Those that have an effect in this JVM. */
    static List<LiveKnob> ofThisJvm() {
        String collectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .collect(Collectors.joining(" "));
        var knobs = new ArrayList<LiveKnob>();
        long most = Runtime.getRuntime().maxMemory();
        if (collectors.contains("ZGC") || collectors.contains("Shenandoah")) {
            KnobSpec spec = new KnobSpec(
                    "jvm.SoftMaxHeapSize",
                    KnobSpec.Kind.INTEGER,
                    Math.max(1, most / 4),
                    most,
                    true,
                    List.of(),
                    io.leeway.autotune.Cost.LIVE,
                    "the heap's target; memory goes back after the collector's uncommit delay");
            knobs.add(new FlagKnob(spec, "SoftMaxHeapSize"));
        } else if (collectors.contains("G1")) {
            String rule = "read at the next full or concurrent cycle";
            int least = Integer.parseInt(value("MinHeapFreeRatio"));
            knobs.add(new FlagKnob(
                    KnobSpec.size("jvm.MaxHeapFreeRatio", Math.max(1, least), 100, rule), "MaxHeapFreeRatio"));
        }
        return knobs;
    }

    private static HotSpotDiagnosticMXBean bean() {
        return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    }

    private static String value(String flag) {
        return bean().getVMOption(flag).getValue();
    }

    @Override
    public KnobSpec spec() {
        return spec;
    }

    @Override
    public KnobValue read() {
        return KnobValue.of(Double.parseDouble(value(flag)));
    }

    @Override
    public void write(KnobValue value) throws ReflectiveOperationException {
        try {
            bean().setVMOption(flag, value.toString());
        } catch (IllegalArgumentException e) {
            throw new ReflectiveOperationException(flag, e);
        }
    }
}
