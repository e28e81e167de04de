package io.leeway.autotune.internal.measure;

import io.leeway.autotune.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Latencies as they come in, and windows that are open on them. Recording is wait-free; a thread of the agent calls
 * {@link #tick} a few times a second, which adds what came in to every open window.
 */
public final class Recording {

    /** A stretch of time that is looked at. Guarded by the recording. */
    public final class View {
        private final Histogram latencies = new Histogram(HIGHEST, DIGITS);
        private final long since = System.nanoTime();
        private final Vitals.Reading vitalsThen;
        private long errors;

        private View() {
            this.vitalsThen = vitals.read();
        }

        /** What was seen so far. */
        public Window window() {
            synchronized (Recording.this) {
                Vitals.Reading now = vitals.read();
                return new Window(
                        (System.nanoTime() - since) / 1e9,
                        latencies.getTotalCount(),
                        errors,
                        millis(50),
                        millis(95),
                        millis(99),
                        latencies.getMean() / 1e3,
                        now.cpuMillis() - vitalsThen.cpuMillis(),
                        now.heapShare(),
                        now.gcMillis() - vitalsThen.gcMillis());
            }
        }

        private double millis(double percentile) {
            return latencies.getTotalCount() == 0 ? 0 : latencies.getValueAtPercentile(percentile) / 1e3;
        }

        /** Ends it. */
        public void close() {
            synchronized (Recording.this) {
                views.remove(this);
            }
        }
    }

    private static final long RECENT_NANOS = 10_000_000_000L;

    /** Microseconds; longer ones are recorded as this. */
    private static final long HIGHEST = 3_600_000_000L;

    private static final int DIGITS = 2;

    /** Windows that nobody closed do not pile up. */
    private static final int MOST_VIEWS = 64;

    private final Recorder recorder = new Recorder(HIGHEST, DIGITS);
    private final AtomicLong errors = new AtomicLong();
    private final List<View> views = new ArrayList<>();
    private final Vitals vitals;
    private Histogram interval = recorder.getIntervalHistogram();
    private long errorsThen;
    private Window recent = Window.empty(0);
    private @org.jspecify.annotations.Nullable View watching;

    /** Empty. */
    public Recording(Vitals vitals) {
        this.vitals = vitals;
    }

    /** A request is over. Thread-safe, without locks. */
    public void record(long nanos, boolean failed) {
        recorder.recordValue(Math.min(HIGHEST, Math.max(1, nanos / 1_000)));
        if (failed) {
            errors.incrementAndGet();
        }
    }

    /** Opens a window; requests that are over from now on are in it. */
    public synchronized View open() {
        tick();
        if (views.size() >= MOST_VIEWS) {
            views.remove(0);
        }
        var view = new View();
        views.add(view);
        return view;
    }

    /** Brings what came in to the open windows. */
    public synchronized void tick() {
        interval = recorder.getIntervalHistogram(interval);
        long errorsNow = errors.get();
        for (View view : views) {
            view.latencies.add(interval);
            view.errors += errorsNow - errorsThen;
        }
        errorsThen = errorsNow;
    }

    /** What the last full ten seconds were like; {@link #watch} has to be called for that. */
    public synchronized Window recent() {
        return recent;
    }

    /** Lets ten seconds end if they are over; called about twice a second. */
    public synchronized void watch() {
        tick();
        View now = watching;
        if (now == null) {
            watching = open();
        } else if (System.nanoTime() - now.since >= RECENT_NANOS) {
            recent = now.window();
            now.close();
            watching = open();
        }
    }
}
