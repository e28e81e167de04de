package io.leeway.lazytables.internal.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;

/**
 * Adds up over the instances, or servers, of this Java machine: those that are there, and what those that were closed
 * had counted by then, so that counters never go back. Thread-safe.
 *
 * @param <T> what each of them tells
 */
final class Sums<T> {

    /**
     * By the order in which they came.
     *
     * <p>By number and not by the supplier, as the same one may be added twice.
     */
    private final Map<Long, Supplier<T>> open = new TreeMap<>();

    private final List<Counter> counters = new ArrayList<>();
    private long came;

    /** Adds one, until the watch is closed. */
    synchronized Metering.Watch add(Supplier<T> each) {
        long key = ++came;
        open.put(key, each);
        return () -> remove(key);
    }

    /**
     * Under the lock of the sums: between its last word and its leaving nobody adds up, or it would be counted twice or
     * not at all.
     */
    private synchronized void remove(long key) {
        Supplier<T> each = open.remove(key);
        if (each != null) {
            T last = each.get();
            counters.forEach(counter -> counter.closed += counter.count.applyAsLong(last));
        }
    }

    /** A number that only grows. */
    synchronized Counter counter(ToLongFunction<T> count) {
        var counter = new Counter(count);
        counters.add(counter);
        return counter;
    }

    /** The sum over those that are there. */
    synchronized double sum(ToDoubleFunction<T> value) {
        return values(value).sum();
    }

    /** The least of those that are there. */
    synchronized double least(ToDoubleFunction<T> value) {
        return orNoNumber(values(value).min());
    }

    /** The greatest of those that are there. */
    synchronized double greatest(ToDoubleFunction<T> value) {
        return orNoNumber(values(value).max());
    }

    private DoubleStream values(ToDoubleFunction<T> value) {
        return open.values().stream().mapToDouble(each -> value.applyAsDouble(each.get()));
    }

    /** Where there are none: nought would be a clock. */
    private static double orNoNumber(OptionalDouble value) {
        return value.orElse(Double.NaN);
    }

    /**
     * What one kind of event was counted, by all together.
     *
     * <p>One that was closed has added its last word here.
     */
    final class Counter {

        private final ToLongFunction<T> count;
        private long closed;

        private Counter(ToLongFunction<T> count) {
            this.count = count;
        }

        double sum() {
            synchronized (Sums.this) {
                return closed
                        + open.values().stream()
                                .mapToLong(each -> count.applyAsLong(each.get()))
                                .sum();
            }
        }
    }
}
