package io.leeway.benchmarks.pipelining;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** Throughput and CPU time of threads over a stretch of time. */
final class Meter {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /**
     * What was seen.
     *
     * @param rate tuples a second
     * @param busiest CPU nanoseconds a tuple of the thread that took most: what the rate is bound by on free cores
     * @param total those of all threads together
     */
    record Reading(double rate, double busiest, double total) {}

    private Meter() {}

    /** Counts for so long, with the threads of these names. */
    static Reading read(LongSupplier tuples, Predicate<String> names, long millis) throws InterruptedException {
        Map<Long, Long> before = cpu(names);
        long begin = System.nanoTime();
        long first = tuples.getAsLong();
        TimeUnit.MILLISECONDS.sleep(millis);
        long count = Math.max(1, tuples.getAsLong() - first);
        double seconds = (System.nanoTime() - begin) / 1e9;
        double busiest = 0;
        double total = 0;
        for (var entry : cpu(names).entrySet()) {
            double used = entry.getValue() - before.getOrDefault(entry.getKey(), 0L);
            busiest = Math.max(busiest, used / count);
            total += used / count;
        }
        return new Reading(count / seconds, busiest, total);
    }

    private static Map<Long, Long> cpu(Predicate<String> names) {
        var cpu = new HashMap<Long, Long>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (names.test(thread.getName())) {
                long used = THREADS.getThreadCpuTime(thread.getId());
                if (used >= 0) {
                    cpu.put(thread.getId(), used);
                }
            }
        }
        return cpu;
    }
}
