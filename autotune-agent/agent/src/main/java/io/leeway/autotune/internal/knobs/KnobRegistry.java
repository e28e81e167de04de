package io.leeway.autotune.internal.knobs;

import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.AutoTuneException;
import io.leeway.autotune.AutoTuneOptions;
import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import io.leeway.autotune.Setting;
import io.leeway.autotune.internal.bridge.Bridge;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * All knobs of this JVM by name, found as their pools are used. A change is checked against the bounds, written in the
 * host's order, looked for until it is seen or the time is over, and undone if it is not seen. Thread-safe.
 */
public final class KnobRegistry {

    /** How long a change may take to be seen: the requests in flight of a pool that shrinks. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long PAUSE_MILLIS = 5;

    private static final int MOST_FOUND = 10_000;
    private static final int MOST_KNOBS = 500;

    private final ConcurrentLinkedQueue<WeakReference<Object>> found = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final List<WeakReference<Object>> known = new ArrayList<>();
    private final Map<String, LiveKnob> knobs = new TreeMap<>();
    private final Map<String, KnobSpec> specs = new TreeMap<>();
    private final Ranges ranges;
    private final List<String> except;
    private final List<LiveKnob> declared = new ArrayList<>();
    private final Consumer<String> log;
    private final long patienceNanos;
    private boolean begun;

    /**
     * Nothing is found yet.
     *
     * @throws AutoTuneException if a range or an MBean that the options name cannot be understood
     */
    public KnobRegistry(AutoTuneOptions options, Consumer<String> log) {
        this(options, log, PATIENCE_NANOS);
    }

    KnobRegistry(AutoTuneOptions options, Consumer<String> log, long patienceNanos) {
        this.patienceNanos = patienceNanos;
        this.ranges = new Ranges(options.get(AutoTuneOptions.RANGES));
        this.except = options.get(AutoTuneOptions.EXCEPT);
        this.log = log;
        options.get(AutoTuneOptions.MBEANS).forEach(text -> declared.add(MBeanKnob.parse(text)));
    }

    /** A pool is used; returns at once, the pool is looked at later by a thread of the agent. */
    public void found(Object host) {
        if (waiting.incrementAndGet() < MOST_FOUND) {
            found.add(new WeakReference<>(host));
        } else {
            waiting.decrementAndGet();
        }
    }

    /** A thread of a pool that has too many of them is done with a job; it stays here as long as it is too many. */
    public static void worked(Object pool) {
        try {
            Jetty.rest(pool);
        } catch (ReflectiveOperationException e) {
            Bridge.surplus(false);
        }
    }

    /** What can be turned at the moment. */
    public synchronized List<KnobSpec> specs() {
        refresh();
        return List.copyOf(specs.values());
    }

    /** The present values; a knob that cannot be read is left out. */
    public synchronized Setting read() {
        refresh();
        var values = new TreeMap<String, KnobValue>();
        knobs.forEach((name, knob) -> {
            try {
                values.put(name, knob.read());
            } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
                log.accept(name + " cannot be read and is left out: " + e);
            }
        });
        return new Setting(values);
    }

    /**
     * Turns knobs, one after the other; all or none.
     *
     * @throws AutoTuneException if one is unknown, out of bounds, refused by the host or not seen to change; those that
     *     were turned before are turned back then
     */
    public synchronized void write(Setting changes) {
        refresh();
        changes.values().forEach((name, value) -> spec(name).checked(value));
        var undo = new TreeMap<String, KnobValue>();
        for (Map.Entry<String, KnobValue> change : changes.values().entrySet()) {
            LiveKnob knob = knob(change.getKey());
            try {
                KnobValue before = knob.read();
                undo.put(change.getKey(), before);
                if (!before.equals(change.getValue())) {
                    turn(knob, change.getKey(), change.getValue());
                }
            } catch (AutoTuneException e) {
                undo(undo);
                throw e;
            } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
                undo(undo);
                throw AutoTuneError.REFUSED.because(change.getKey() + " → " + change.getValue() + ": " + cause(e), e);
            }
        }
    }

    /**
     * Puts a knob back to a value that it had, which stays written even if it is not seen in time: of a pool that is too
     * busy to shrink, less is what is wanted, as soon as it can be had.
     *
     * @throws AutoTuneException if the knob is unknown, or refused by the host, or not seen to change yet
     */
    public synchronized void putBack(String name, KnobValue value) {
        refresh();
        LiveKnob knob = knob(name);
        try {
            turn(knob, name, value);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            if (e instanceof AutoTuneException known) {
                throw known;
            }
            throw AutoTuneError.REFUSED.because(name + " → " + value + ": " + cause(e), e);
        }
    }

    private static Throwable cause(Throwable e) {
        Throwable inner = e instanceof InvocationTargetException ? e.getCause() : e;
        return inner == null ? e : inner;
    }

    private void turn(LiveKnob knob, String name, KnobValue value) throws ReflectiveOperationException {
        knob.write(value);
        long deadline = System.nanoTime() + patienceNanos;
        while (!knob.isInPlace(value)) {
            if (System.nanoTime() - deadline > 0) {
                throw AutoTuneError.NOT_OBSERVED.because(name + " → " + value + ", seen: " + knob.observed());
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw AutoTuneError.NOT_OBSERVED.because(name + ": interrupted while it changed", e);
            }
        }
    }

    private void undo(Map<String, KnobValue> before) {
        before.forEach((name, value) -> {
            try {
                knob(name).write(value);
            } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
                log.accept(name + " could not be put back to " + value + ": " + cause(e));
            }
        });
    }

    private KnobSpec spec(String name) {
        KnobSpec spec = specs.get(name);
        if (spec == null) {
            throw AutoTuneError.UNKNOWN_NAME.because("no knob " + name + " in " + specs.keySet());
        }
        return spec;
    }

    private LiveKnob knob(String name) {
        LiveKnob knob = knobs.get(name);
        if (knob == null) {
            throw AutoTuneError.UNKNOWN_NAME.because("no knob " + name + " in " + knobs.keySet());
        }
        return knob;
    }

    private void refresh() {
        if (!begun) {
            begun = true;
            adapted("flags", () -> FlagKnob.ofThisJvm().forEach(this::add));
            adapted("the common pool", () -> ParallelismKnob.ofThisJvm().forEach(this::add));
        }
        for (LiveKnob knob : declared) {
            adapted("an MBean", () -> {
                if (knob.isAlive() && !knobs.containsValue(knob)) {
                    add(knob);
                }
            });
        }
        known.removeIf(reference -> reference.get() == null);
        for (WeakReference<Object> next = found.poll(); next != null; next = found.poll()) {
            waiting.decrementAndGet();
            Object host = next.get();
            if (host != null && known.stream().noneMatch(reference -> reference.get() == host)) {
                known.add(next);
                adapted(host.getClass().getName(), () -> Adapters.of(host).forEach(this::add));
            }
        }
        knobs.values().removeIf(knob -> !knob.isAlive());
        specs.keySet().retainAll(knobs.keySet());
    }

    /** Something that may throw what it likes: the host is not to notice. */
    private interface Adapting {
        void run() throws ReflectiveOperationException;
    }

    private void adapted(String what, Adapting adapting) {
        try {
            adapting.run();
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            log.accept("has no knobs: " + what + " (" + e + ")");
        }
    }

    private void add(LiveKnob knob) {
        KnobSpec spec = knob.spec();
        if (knobs.size() >= MOST_KNOBS
                || except.stream().anyMatch(spec.name()::startsWith)
                || knobs.values().stream().anyMatch(knob::isSameAs)) {
            return;
        }
        String name = spec.name();
        for (int i = 2; knobs.containsKey(name); i++) {
            name = spec.name() + "#" + i;
        }
        KnobSpec named = new KnobSpec(
                name,
                spec.kind(),
                spec.min(),
                spec.max(),
                spec.logarithmic(),
                spec.choices(),
                spec.cost(),
                spec.rule());
        knobs.put(name, knob);
        KnobSpec bounded = ranges.applied(named);
        specs.put(name, bounded);
        log.accept("found " + name + ", " + bounded.bounds());
    }
}
