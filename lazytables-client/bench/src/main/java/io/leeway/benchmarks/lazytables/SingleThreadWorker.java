package io.leeway.benchmarks.lazytables;

import static java.util.Objects.requireNonNull;

import io.leeway.benchmarks.lazytables.Workload.SingleThread;
import io.leeway.lazytables.apps.Arguments;
import io.leeway.lazytables.apps.Launch;
import io.leeway.lazytables.apps.Point;

/**
 * A process that computes in one thread without tables: {@code --by=reference} our reference, {@code --by=mallet} MALLET. Its CPU
 * time is that of all its threads, with collecting garbage and compiling; what measuring the objective takes is not counted.
 */
public final class SingleThreadWorker {

    private static final String MALLET = "mallet";

    private SingleThreadWorker() {}

    /** Started by {@link Processes}. */
    public static void main(String[] typed) {
        System.exit(Launch.run(SingleThreadWorker::run, typed));
    }

    private static void run(Arguments arguments, Launch launch) {
        Workload workload = Workload.parse(requireNonNull(arguments.text("workload")));
        double share = arguments.number("share", 1);
        int passes = arguments.whole("passes", 20, 1, 1_000_000);
        int step = arguments.whole("step", 1, 1, passes);
        SingleThread single = MALLET.equals(arguments.text("by"))
                ? MalletTopics.of(Workload.corpus(launch.seed(), share), launch.seed())
                : workload.reference(launch.seed(), share);
        ThreadTimes compilers = ThreadTimes.of(ProcessHandle.current(), ThreadTimes.COMPILERS);
        long cpu = 0;
        long nanos = 0;
        launch.say(mark(nanos, cpu, compilers.cpuNanos()));
        for (int done = step; done <= passes; done += step) {
            long start = System.nanoTime();
            long startCpu = Marked.ownCpuNanos();
            single.run().run(step);
            cpu += Marked.ownCpuNanos() - startCpu;
            nanos += System.nanoTime() - start;
            launch.say(mark(nanos, cpu, compilers.cpuNanos()));
            launch.say(MeasuredRun.text(new Point(done, nanos, single.value().getAsDouble())));
        }
    }

    private static String mark(long nanos, long cpu, long compilers) {
        return new Mark(nanos, cpu, 0, 0, 0, 0, 0, 0, 0, 0, compilers).text();
    }
}
