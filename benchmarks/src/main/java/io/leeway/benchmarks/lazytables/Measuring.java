package io.leeway.benchmarks.lazytables;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Progress;
import io.leeway.benchmarks.results.Recorder;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What all parts need: processes to measure, a place for figures, and somebody to tell. */
record Measuring(Processes processes, Recorder recorder, Progress progress) {

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

    void lower(String name, double value, String unit, @Nullable Double goal, String peer) throws IOException {
        recorder.record(name, value, unit, goal, Better.LOWER, peer);
    }

    void higher(String name, double value, String unit, @Nullable Double goal, String peer) throws IOException {
        recorder.record(name, value, unit, goal, Better.HIGHER, peer);
    }
}
