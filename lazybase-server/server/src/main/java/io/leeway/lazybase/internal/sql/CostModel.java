package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.CommitToken;
import io.leeway.lazybase.internal.column.KeyRange;
import io.leeway.lazybase.internal.pipeline.Layout;
import io.leeway.lazybase.internal.pipeline.Snapshot;
import io.leeway.lazybase.internal.query.KeyRanges;
import io.leeway.lazybase.internal.query.Predicate;
import io.leeway.lazybase.internal.query.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a query would cost at each freshness, before it runs: rows that it looks at and rows that it sorts first, times what such rows cost
 * lately. Thread-safe.
 */
final class CostModel {

    private static final double LEARN = 0.1;
    private static final double SORT_NANOS = 120;

    private double nanosPerRow = 25;
    private double nanosAlways = 200_000;

    /** What one way to answer costs. */
    record Price(Reading reading, long rows, long bytes, long toSort, int runs, double millis) {}

    /** Learns from a query that ran. */
    synchronized void learn(long rows, long nanos) {
        // Short ones tell what every query costs, long ones what a row costs.
        if (rows < 1_000) {
            nanosAlways += LEARN * (nanos - nanosAlways);
        } else {
            nanosPerRow += LEARN * (nanos / (double) rows - nanosPerRow);
        }
    }

    private synchronized double millis(Reading.Cost cost) {
        return (nanosAlways + nanosPerRow * cost.rows() + SORT_NANOS * cost.toSort()) / 1e6;
    }

    /** All ways to answer, the stalest first. */
    List<Price> prices(Snapshot snapshot, Plan plan, List<Object> parameters) {
        var prices = new ArrayList<Price>();
        for (Reading reading : Reading.all(snapshot)) {
            long rows = 0;
            long bytes = 0;
            long toSort = 0;
            int runs = 0;
            for (ScanSpec spec : plan.scans()) {
                List<KeyRange> ranges = ranges(spec, parameters);
                Reading.Cost cost = reading.cost(spec.table(), ranges);
                rows += cost.rows();
                bytes += cost.bytes();
                toSort += cost.toSort();
                runs += cost.runs();
            }
            var sum = new Reading.Cost(rows, bytes, toSort, runs);
            prices.add(new Price(reading, rows, bytes, toSort, runs, millis(sum)));
        }
        return prices;
    }

    private static List<KeyRange> ranges(ScanSpec spec, List<Object> parameters) {
        Predicate predicate = PushDown.bindPrice(spec.table(), spec.filters(), parameters);
        return KeyRanges.of(
                predicate, Layout.codec(spec.table(), spec.table().primary().key()));
    }

    /** The freshest answer that fits into a time; if none does, the stalest that has a commit. */
    Reading freshest(Snapshot snapshot, Plan plan, List<Object> parameters, Duration budget, CommitToken atLeast) {
        Reading best = null;
        for (Price price : prices(snapshot, plan, parameters)) {
            // A session that has to see a commit gets it, whatever that costs.
            boolean tooOld = best != null && best.reach().token().compareTo(atLeast) < 0;
            if (best == null || tooOld || price.millis() <= budget.toNanos() / 1e6) {
                best = price.reading();
            }
        }
        if (best == null) {
            throw new IllegalStateException("a snapshot that cannot be read");
        }
        return best;
    }
}
