package io.leeway.autotune.internal.agent;

import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.AutoTuneException;
import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import io.leeway.autotune.Setting;
import io.leeway.autotune.Window;
import io.leeway.autotune.internal.knobs.KnobRegistry;
import io.leeway.autotune.internal.measure.Recording;
import io.leeway.autotune.spi.TunedService;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * This JVM as a service that is tuned. What was kept is what it goes back to, one knob at a time if it must: a knob that
 * throws does not keep the others from going back.
 */
final class LocalService implements TunedService {

    private static final long TICK_MILLIS = 250;
    private static final long ASK_NANOS = 1_000_000_000;

    private final String name;
    private final KnobRegistry knobs;
    private final Recording recording;
    private final Consumer<String> log;
    private final Map<String, KnobValue> first = new TreeMap<>();
    private Setting kept = new Setting(Map.of());
    private boolean dirty;

    LocalService(String name, KnobRegistry knobs, Recording recording, Consumer<String> log) {
        this.name = name;
        this.knobs = knobs;
        this.recording = recording;
        this.log = log;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<KnobSpec> knobs() {
        return knobs.specs();
    }

    @Override
    public Setting read() {
        return knobs.read();
    }

    @Override
    public synchronized void apply(Setting changes) {
        Setting before = knobs.read();
        before.values().forEach(first::putIfAbsent);
        // Values from before the first change are what it goes back to, until something is kept.
        var known = new TreeMap<>(before.values());
        known.putAll(kept.values());
        kept = new Setting(known);
        dirty = true;
        knobs.write(changes);
    }

    @Override
    public synchronized void keep() {
        kept = knobs.read();
        dirty = false;
    }

    @Override
    public synchronized void restore() {
        backTo(kept);
    }

    /** Back to the values from before anything was changed, and keeps them. */
    synchronized void reset() {
        backTo(new Setting(first));
        keep();
    }

    /** The values from before anything was changed. */
    synchronized Setting first() {
        return new Setting(first);
    }

    private void backTo(Setting setting) {
        Map<String, KnobValue> back = setting.changedFrom(knobs.read()).values();
        back.forEach((knob, value) -> {
            try {
                knobs.putBack(knob, value);
            } catch (AutoTuneException e) {
                log.accept(
                        e.error() == AutoTuneError.NOT_OBSERVED
                                ? knob + " is set back to " + value + "; what is above that goes when its work ends"
                                : "could not restore " + knob + ": " + e.getMessage());
            }
        });
        dirty = false;
    }

    /** Whether something was changed that nobody has kept yet. */
    synchronized boolean isDirty() {
        return dirty;
    }

    Recording recording() {
        return recording;
    }

    /**
     * Looks at the service for so long.
     *
     * @throws CancellationException if the run is broken off
     */
    @Override
    public Window measure(double seconds, Predicate<Window> goOn) {
        Recording.View view = recording.open();
        try {
            long start = System.nanoTime();
            long asked = start;
            while (System.nanoTime() - start < seconds * 1e9) {
                Thread.sleep(TICK_MILLIS);
                recording.tick();
                if (System.nanoTime() - asked >= ASK_NANOS) {
                    asked = System.nanoTime();
                    if (!goOn.test(view.window())) {
                        break;
                    }
                }
            }
            recording.tick();
            return view.window();
        } catch (InterruptedException e) {
            throw (CancellationException) new CancellationException("broken off").initCause(e);
        } finally {
            view.close();
        }
    }
}
