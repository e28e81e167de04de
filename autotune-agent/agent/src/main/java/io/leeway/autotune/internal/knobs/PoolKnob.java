package io.leeway.autotune.internal.knobs;

import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import java.lang.ref.WeakReference;

/** A size of something of the host's, which the knob does not keep alive. */
final class PoolKnob<H> implements LiveKnob {

    /** Reads a size. */
    interface Reader<H> {
        int read(H host) throws ReflectiveOperationException;
    }

    /** Writes a size. */
    interface Writer<H> {
        void write(H host, int size) throws ReflectiveOperationException;
    }

    private final KnobSpec spec;
    private final WeakReference<H> host;
    private final Reader<H> size;
    private final Writer<H> resize;
    private final Reader<H> present;

    /**
     * A knob.
     *
     * @param size the configured size
     * @param resize sets it, in the host's order
     * @param present how many there are really, which has to come down to the size after shrinking; hosts that keep what
     *     is idle above a lowered size are made to let it go when this is asked. It alone decides whether a change is in
     *     place
     */
    PoolKnob(KnobSpec spec, H host, Reader<H> size, Writer<H> resize, Reader<H> present) {
        this.spec = spec;
        this.host = new WeakReference<>(host);
        this.size = size;
        this.resize = resize;
        this.present = present;
    }

    @Override
    public KnobSpec spec() {
        return spec;
    }

    @Override
    public KnobValue read() throws ReflectiveOperationException {
        return KnobValue.of(size.read(host()));
    }

    @Override
    public void write(KnobValue value) throws ReflectiveOperationException {
        resize.write(host(), (int) value.number());
    }

    @Override
    public boolean isInPlace(KnobValue value) throws ReflectiveOperationException {
        H pool = host();
        return size.read(pool) == value.number() && present.read(pool) <= value.number();
    }

    @Override
    public String observed() {
        try {
            return "size " + size.read(host()) + " with " + present.read(host()) + " in use or idle";
        } catch (ReflectiveOperationException | RuntimeException e) {
            return "nothing";
        }
    }

    @Override
    public boolean isSameAs(LiveKnob other) {
        return other instanceof PoolKnob<?> pool
                && pool.spec.name().equals(spec.name())
                && pool.host.get() == host.get();
    }

    @Override
    public boolean isAlive() {
        return host.get() != null;
    }

    private H host() throws ReflectiveOperationException {
        H found = host.get();
        if (found == null) {
            throw new ReflectiveOperationException(spec.name() + " is gone");
        }
        return found;
    }
}
