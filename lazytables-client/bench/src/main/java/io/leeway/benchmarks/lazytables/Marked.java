package io.leeway.benchmarks.lazytables;

import static java.util.Objects.requireNonNull;

import io.leeway.lazytables.Statistics;
import io.leeway.lazytables.Statistics.WorkerTimes;
import io.leeway.lazytables.apps.Application;
import io.leeway.lazytables.apps.ForwardingApplication;
import io.leeway.lazytables.apps.Seat;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An application that tells what its process has used: before the first clock of work and whenever its measure is due, which is
 * after each pass, or after each clock if that has several passes. The first worker of the process tells, and how long that one waited.
 *
 * <p>It can do both more seldom. To look at what a process has used takes a part of a millisecond, and some of what it counts: runs that are compared must do it as often, however many clocks they have in a pass.
 */
final class Marked<R> extends ForwardingApplication<R> {

    private final List<ProcessHandle> servers;
    private final Consumer<Mark> marks;
    private final int measureEvery;

    Marked(Application<R> inner, List<ProcessHandle> servers, Consumer<Mark> marks) {
        this(inner, servers, marks, 1);
    }

    /**
     * Measures the objective only once in so many passes, when it is due there first, and looks at what was used when it is due there last; in between what was measured last stands, and the last mark. So
     * runs whose clocks have one pass need not do either more often than those whose clocks have several.
     */
    Marked(Application<R> inner, List<ProcessHandle> servers, Consumer<Mark> marks, int measureEvery) {
        super(inner);
        this.servers = List.copyOf(servers);
        this.marks = marks;
        this.measureEvery = measureEvery;
    }

    static long ownCpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static long cpuNanos(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    @Override
    protected Part<R> part(Seat seat, Part<R> part) {
        return new MarkedPart(part, seat);
    }

    private final class MarkedPart extends ForwardingPart<R> {

        private final Seat seat;
        private final double[] measured = new double[sums()];
        private final List<ThreadTimes> serverThreads = new ArrayList<>();
        private final List<ThreadTimes> compilers = new ArrayList<>();
        private @Nullable ThreadTimes workers;
        private @Nullable ThreadTimes network;
        private long worked;
        private long workedAtMark;
        private boolean isMeasured;
        private @Nullable Mark last;

        MarkedPart(Part<R> part, Seat seat) {
            super(part);
            this.seat = seat;
        }

        /** The threads that there are when the worker begins: its own, those of the network and compilers are among them. */
        private void lookForThreads() {
            ProcessHandle own = ProcessHandle.current();
            workers = ThreadTimes.of(own, ThreadTimes.APPLICATION);
            network = ThreadTimes.of(own, ThreadTimes.NETWORK);
            compilers.add(ThreadTimes.of(own, ThreadTimes.COMPILERS));
            for (ProcessHandle server : servers) {
                serverThreads.add(ThreadTimes.of(server, ThreadTimes.SERVER));
                compilers.add(ThreadTimes.of(server, ThreadTimes.COMPILERS));
            }
        }

        private Mark mark() {
            Statistics all = seat.statistics();
            WorkerTimes times = all.workers().get(seat.worker().index());
            return new Mark(
                    System.nanoTime(),
                    ownCpuNanos(),
                    servers.stream().mapToLong(Marked::cpuNanos).sum(),
                    all.traffic().bytesOut(),
                    all.traffic().bytesIn(),
                    times.waits(),
                    times.waitNanos(),
                    requireNonNull(workers).cpuNanos(),
                    requireNonNull(network).cpuNanos(),
                    ThreadTimes.cpuNanos(serverThreads),
                    ThreadTimes.cpuNanos(compilers));
        }

        @Override
        public void prefetch(int block) {
            begin();
            super.prefetch(block);
        }

        @Override
        public void work(int block) {
            begin();
            super.work(block);
            worked++;
        }

        private void begin() {
            if (last == null) {
                lookForThreads();
                last = mark();
                tell(last);
            }
        }

        @Override
        public void measure(double[] sums) {
            if (!isMeasured) {
                Arrays.fill(measured, 0);
                super.measure(measured);
                isMeasured = true;
            }
            for (int i = 0; i < measured.length; i++) {
                sums[i] += measured[i];
            }
            long due = (long) measureEvery * seat.settings().blocks();
            if (last == null || worked / due > workedAtMark / due) {
                begin();
                last = mark();
                workedAtMark = worked;
                isMeasured = false;
            }
            tell(last);
        }

        private void tell(Mark mark) {
            if (seat.worker().index() == 0) {
                marks.accept(mark);
            }
        }
    }
}
