package io.leeway.benchmarks.lazytables;

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
 * after each pass, or after each clock if that has several passes. For one worker per process.
 *
 * <p>It can do both more seldom. To look at what a process has used takes a part of a millisecond, and some of what it counts: runs that are compared must do it as often, however many clocks they have in a pass.
 */
final class Marked<R> extends ForwardingApplication<R> {

    private final List<ProcessHandle> servers;
    private final List<Compilers> compilers = new ArrayList<>();
    private final Consumer<Mark> marks;
    private final int measureEvery;

    Marked(Application<R> inner, List<ProcessHandle> servers, Consumer<Mark> marks) {
        this(inner, servers, marks, 1);
    }

    /**
     * Measures the objective only every so many times that it is due, from the first on, and looks at what was used at the last of so many; in between what was measured last stands, and the last mark. So
     * runs whose clocks have one pass need not do either more often than those whose clocks have several.
     */
    Marked(Application<R> inner, List<ProcessHandle> servers, Consumer<Mark> marks, int measureEvery) {
        super(inner);
        this.servers = List.copyOf(servers);
        compilers.add(Compilers.of(ProcessHandle.current()));
        servers.forEach(server -> compilers.add(Compilers.of(server)));
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
        private int measures;
        private @Nullable Mark last;

        MarkedPart(Part<R> part, Seat seat) {
            super(part);
            this.seat = seat;
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
                    compilers.stream().mapToLong(Compilers::cpuNanos).sum());
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
        }

        private void begin() {
            if (last == null) {
                last = mark();
                marks.accept(last);
            }
        }

        @Override
        public void measure(double[] sums) {
            if (measures++ % measureEvery == 0) {
                Arrays.fill(measured, 0);
                super.measure(measured);
            }
            for (int i = 0; i < measured.length; i++) {
                sums[i] += measured[i];
            }
            Mark now = measures % measureEvery == 0 || last == null ? mark() : last;
            last = now;
            marks.accept(now);
        }
    }
}
