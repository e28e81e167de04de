package io.leeway.autotune.internal.joint;

import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.AutoTuneException;
import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import io.leeway.autotune.Setting;
import io.leeway.autotune.Window;
import io.leeway.autotune.internal.outside.OutsideKnob;
import io.leeway.autotune.internal.remote.RemoteService;
import io.leeway.autotune.spi.TunedService;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Several services with agents, and knobs around them, as one service: measured at the first one's entry points, which
 * is the end-to-end latency. A service's knobs have its name before theirs. A change is made everywhere or nowhere; what
 * cannot be put back by itself when this process is killed, because no agent watches over it, is written down before it
 * is changed, and put back at the next start.
 *
 * <p>For one thread. An agent that is not heard of for long takes its own back; while one service is measured the others
 * are told that they are still held.
 */
public final class JointService implements TunedService {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_MILLIS = 100;

    private final String name;
    private final Map<String, RemoteService> services;
    private final RemoteService measured;
    private final Map<String, OutsideKnob> outside = new LinkedHashMap<>();
    private final UndoFile undo;
    private final Consumer<String> log;
    private Map<String, KnobValue> kept = new TreeMap<>();

    /**
     * A joint service.
     *
     * @param services by name; the first one is measured
     * @param knobs around them
     * @param undo where values from before a change are written down
     */
    public JointService(
            String name,
            Map<String, RemoteService> services,
            List<OutsideKnob> knobs,
            UndoFile undo,
            Consumer<String> log) {
        this.name = name;
        this.services = new LinkedHashMap<>(services);
        this.measured = services.values().iterator().next();
        this.undo = undo;
        this.log = log;
        for (OutsideKnob knob : knobs) {
            if (outside.put(knob.spec().name(), knob) != null) {
                throw AutoTuneError.BAD_REQUEST.because(
                        "two knobs are called " + knob.spec().name());
            }
        }
        putBack(undo.read());
        undo.write(Map.of());
        outside.forEach((each, knob) -> kept.put(each, value(knob)));
    }

    /** What a run that was killed left changed. */
    private void putBack(Map<String, KnobValue> values) {
        values.forEach((each, value) -> {
            OutsideKnob knob = outside.get(each);
            if (knob != null && !value(knob).equals(value)) {
                log.accept(each + " goes back to " + value + ", from before a run that did not end");
                turn(each, knob, value);
            }
        });
    }

    private static KnobValue value(OutsideKnob knob) {
        try {
            return knob.read();
        } catch (IOException e) {
            throw AutoTuneError.REFUSED.because(knob.spec().name() + " cannot be read", e);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<KnobSpec> knobs() {
        var all = new ArrayList<KnobSpec>();
        services.forEach((service, agent) -> agent.knobs().forEach(knob -> all.add(named(service, knob))));
        outside.values().forEach(knob -> all.add(knob.spec()));
        return all;
    }

    private static KnobSpec named(String service, KnobSpec knob) {
        return new KnobSpec(
                service + "/" + knob.name(),
                knob.kind(),
                knob.min(),
                knob.max(),
                knob.logarithmic(),
                knob.choices(),
                knob.cost(),
                knob.rule());
    }

    @Override
    public Setting read() {
        var values = new TreeMap<String, KnobValue>();
        services.forEach((service, agent) ->
                agent.read().values().forEach((knob, value) -> values.put(service + "/" + knob, value)));
        outside.forEach((each, knob) -> values.put(each, value(knob)));
        return new Setting(values);
    }

    @Override
    public void apply(Setting changes) {
        var byService = new LinkedHashMap<String, Map<String, KnobValue>>();
        var around = new LinkedHashMap<String, KnobValue>();
        changes.values().forEach((knob, value) -> {
            int at = knob.indexOf('/');
            String service = at < 0 ? "" : knob.substring(0, at);
            if (outside.containsKey(knob)) {
                around.put(knob, value);
            } else if (services.containsKey(service)) {
                byService.computeIfAbsent(service, each -> new TreeMap<>()).put(knob.substring(at + 1), value);
            } else {
                throw AutoTuneError.UNKNOWN_NAME.because("no knob " + knob);
            }
        });
        Setting before = read();
        try {
            turnAround(around);
            byService.forEach((service, values) -> agent(service).apply(new Setting(values)));
        } catch (AutoTuneException | CancellationException e) {
            back(before, around, byService);
            throw e;
        }
    }

    private RemoteService agent(String service) {
        RemoteService found = services.get(service);
        if (found == null) {
            throw AutoTuneError.UNKNOWN_NAME.because("no service " + service);
        }
        return found;
    }

    private void turnAround(Map<String, KnobValue> changes) {
        if (changes.isEmpty()) {
            return;
        }
        undo.write(kept);
        changes.forEach((each, value) -> {
            OutsideKnob knob = outside.get(each);
            if (knob != null) {
                turn(each, knob, knob.spec().checked(value));
            }
        });
    }

    /** Writes, and looks until it is seen; a host that is slow to restart has a minute. */
    private static void turn(String name, OutsideKnob knob, KnobValue value) {
        try {
            if (knob.isInPlace(value)) {
                return;
            }
            knob.write(value);
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (!knob.isInPlace(value)) {
                if (System.nanoTime() - deadline > 0) {
                    throw AutoTuneError.NOT_OBSERVED.because(name + " → " + value + ", seen: " + knob.read());
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (IOException e) {
            throw AutoTuneError.REFUSED.because(name + " → " + value + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw (CancellationException) new CancellationException(name + " while it changed").initCause(e);
        }
    }

    private void back(Setting before, Map<String, KnobValue> around, Map<String, Map<String, KnobValue>> byService) {
        around.keySet().forEach(each -> quietly(each, before.get(each)));
        byService.forEach((service, values) -> {
            var then = new TreeMap<String, KnobValue>();
            values.keySet().forEach(knob -> {
                KnobValue value = before.values().get(service + "/" + knob);
                if (value != null) {
                    then.put(knob, value);
                }
            });
            try {
                agent(service).apply(new Setting(then));
            } catch (AutoTuneException e) {
                log.accept(service + " could not be put back and goes back by itself: " + e.getMessage());
            }
        });
    }

    private void quietly(String each, KnobValue value) {
        OutsideKnob knob = outside.get(each);
        try {
            if (knob != null) {
                turn(each, knob, value);
            }
        } catch (AutoTuneException e) {
            log.accept(each + " could not be put back to " + value + ": " + e.getMessage());
        }
    }

    @Override
    public void keep() {
        services.values().forEach(RemoteService::keep);
        outside.forEach((each, knob) -> kept.put(each, value(knob)));
        undo.write(Map.of());
    }

    @Override
    public void restore() {
        Map.copyOf(kept).forEach(this::quietly);
        services.forEach((service, agent) -> {
            try {
                agent.restore();
            } catch (AutoTuneException e) {
                log.accept(service + " could not be asked to go back and does so by itself: " + e.getMessage());
            }
        });
        undo.write(Map.of());
    }

    /** Lets others have the services. */
    public void release() {
        services.forEach((service, agent) -> {
            try {
                agent.release();
            } catch (AutoTuneException e) {
                log.accept(service + ": " + e.getMessage());
            }
        });
    }

    /**
     * Measures the first service.
     *
     * @throws CancellationException if the thread is interrupted; its mark is taken away, so that what follows can wait
     */
    @Override
    public Window measure(double seconds, Predicate<Window> goOn) {
        Window seen = measured.measure(seconds, window -> {
            services.values().stream().filter(agent -> agent != measured).forEach(RemoteService::hold);
            return goOn.test(window);
        });
        if (Thread.interrupted()) {
            throw new CancellationException("broken off");
        }
        return seen;
    }
}
