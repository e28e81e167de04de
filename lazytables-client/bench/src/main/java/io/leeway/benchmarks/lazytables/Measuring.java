package io.leeway.benchmarks.lazytables;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Progress;
import io.leeway.benchmarks.results.Recorder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What all parts need.
 *
 * @param processes to measure
 * @param recorder where figures go; null if they are only told, and all is as short as it can be
 * @param progress somebody to tell
 */
record Measuring(Processes processes, @Nullable Recorder recorder, Progress progress) {

    private static final int SHORTER = 20;

    static final double MILLI = 1e3;
    static final double MEGA = 1e6;
    static final double PERCENT = 100;

    /** A run over tables, told of. */
    MeasuredRun run(Workload workload, Setting setting) throws IOException, InterruptedException {
        progress.say(workload.title() + ", " + setting.name() + ", "
                + setting.ahead().text() + ", " + setting.workers() + " workers");
        MeasuredRun run = processes.overTables(workload, setting);
        tell(run);
        return run;
    }

    /** A run in one thread, told of. */
    MeasuredRun inOneThread(Workload workload, String by, int passes, int step)
            throws IOException, InterruptedException {
        progress.say(workload.title() + ", one thread, " + by);
        MeasuredRun run = processes.inOneThread(workload, by, passes, step);
        tell(run);
        return run;
    }

    private void tell(MeasuredRun run) {
        if (run.isFailed()) {
            progress.say("  " + run.failure());
            return;
        }
        MeasuredRun.Span all = run.whole();
        progress.say(String.format(
                Locale.ROOT,
                "  %.0f passes, %.2f s, CPU %.2f s (servers %.2f s), waited %.2f s, objective %.5g",
                all.passes(),
                all.seconds(),
                all.cpuSeconds(),
                all.serverCpuSeconds(),
                all.waitSeconds(),
                run.curve().get(run.curve().size() - 1).value()));
    }

    boolean isTrial() {
        return recorder == null;
    }

    /** So many, or one. */
    int rounds(int most) {
        return isTrial() ? 1 : most;
    }

    /** All, or two of them. */
    <T> List<T> few(List<T> all) {
        return isTrial() ? all.subList(0, Math.min(2, all.size())) : all;
    }

    /** So long, or a part of it. */
    Duration time(Duration most) {
        return isTrial() ? most.dividedBy(SHORTER) : most;
    }

    void lower(String name, double value, String unit, @Nullable Double goal, String peer) throws IOException {
        show(name, value, unit, goal, Better.LOWER, peer);
    }

    void higher(String name, double value, String unit, @Nullable Double goal, String peer) throws IOException {
        show(name, value, unit, goal, Better.HIGHER, peer);
    }

    private void show(String name, double value, String unit, @Nullable Double goal, Better better, String peer)
            throws IOException {
        progress.say(String.format(Locale.ROOT, "  %s: %.4g %s", name, value, unit));
        if (recorder != null) {
            recorder.record(name, value, unit, goal, better, peer);
        }
    }
}
