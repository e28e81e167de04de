package io.leeway.benchmarks.lazytables;

import static io.leeway.benchmarks.lazytables.Measuring.MEGA;

import java.io.IOException;
import java.util.List;

/**
 * What tables cost against one thread without them (McSherry, Isard, Murray: Scalability! But at what COST?, 2015): units of work per
 * CPU-second of all processes and servers, and how many workers a run needs to be faster than the one thread. That is
 * extrapolated from the CPU time of a unit with four workers, as if each worker and its part of the server had a core.
 */
record CostFigures(Measuring measuring) {

    private static final List<Integer> WORKERS = List.of(1, 2, 4);
    private static final int STEP = 10;

    void run() throws IOException, InterruptedException {
        run(Workload.LDA, 30, 80);
        run(Workload.MF, 30, 80);
        run(Workload.LASSO, 30, 80);
    }

    private void run(Workload workload, int warmUp, int passes) throws IOException, InterruptedException {
        double units = workload.units(
                measuring.processes().seed(), measuring.processes().share());
        String figure = workload.title() + ", " + workload.unit() + " per CPU-second, ";
        double line = perCpuSecond(measuring.inOneThread(workload, "reference", passes, STEP), units, warmUp, passes);
        measuring.higher(figure + "one thread without tables", line, "M", null, "");
        String peer = "one thread without tables";
        if (workload == Workload.LDA) {
            line = perCpuSecond(measuring.inOneThread(workload, "mallet", passes, STEP), units, warmUp, passes);
            peer = "MALLET 2.1.1, one thread";
            measuring.higher(figure + peer, line, "M", null, "");
        }
        double distributed = 0;
        for (int workers : measuring.few(WORKERS)) {
            Setting setting = Setting.of("hybrid (work 2, slack 1)", workers, "2", "1", passes);
            MeasuredRun run = measuring.run(workload, setting);
            distributed = perCpuSecond(run, units, warmUp, passes);
            MeasuredRun.Span span = run.between(warmUp, passes);
            String over = (workers == 1 ? "1 worker" : workers + " workers") + " over tables";
            measuring.higher(figure + over, distributed, "M", null, peer);
            measuring.higher(
                    workload.title() + ", " + workload.unit() + " a second, " + over,
                    units * span.passes() / span.seconds() / MEGA,
                    "M/s",
                    null,
                    peer);
        }
        measuring.lower(
                workload.title() + ", workers with cores of their own that pass one thread (extrapolated)",
                workersToPass(line, distributed),
                "workers",
                null,
                peer);
    }

    /** The least number of workers that together do more than the line, each at so many units per CPU-second. */
    static double workersToPass(double line, double perCpuSecond) {
        return Math.floor(line / perCpuSecond) + 1;
    }

    private static double perCpuSecond(MeasuredRun run, double units, int warmUp, int passes) {
        MeasuredRun.Span span = run.between(warmUp, passes);
        return units * span.passes() / span.cpuSeconds() / MEGA;
    }
}
