package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.internal.traffic.TrafficRecord;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Outcome;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What recorded decisions come to. Not thread-safe. */
final class Statistics {

    final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
    final Map<Stage, Times> allowedBy = new EnumMap<>(Stage.class);
    final Times all = new Times();
    /** Allowed and other statements for each second since 1970. */
    final TreeMap<Long, long[]> seconds = new TreeMap<>();

    private final Map<String, Query> queries = new LinkedHashMap<>();
    long audited;

    void add(TrafficRecord.Decided decided) {
        TrafficRecord.Decision decision = decided.decision();
        boolean allowed = decision.outcome() == Outcome.ALLOW;
        outcomes.merge(decision.outcome(), 1L, Long::sum);
        audited += !allowed && decision.passed() ? 1 : 0;
        all.add(decision.nanos());
        if (allowed) {
            allowedBy.computeIfAbsent(decision.stage(), stage -> new Times()).add(decision.nanos());
        }
        long second = decided.at().getEpochSecond();
        seconds.computeIfAbsent(second, start -> new long[2])[allowed ? 0 : 1]++;
        queries.computeIfAbsent(decision.queryId(), id -> new Query(id, decision.query()))
                .add(decision);
    }

    long count(Outcome outcome) {
        return outcomes.getOrDefault(outcome, 0L);
    }

    /** Queries that were refused at least once, most often first. */
    List<Query> refused() {
        return queries.values().stream()
                .filter(query -> query.refused > 0)
                .sorted(Comparator.comparingLong((Query query) -> query.refused).reversed())
                .toList();
    }

    /** Queries whose decisions took longest, the slowest single one first. */
    List<Query> slowest(int most) {
        return queries.values().stream()
                .sorted(Comparator.comparingLong((Query query) -> query.times.longest())
                        .reversed())
                .limit(most)
                .toList();
    }

    int queries() {
        return queries.size();
    }

    /** All executions of one text. */
    static final class Query {
        final String id;
        final String text;
        final Times times = new Times();
        final List<String> reasons = new ArrayList<>();
        List<String> nearest = List.of();
        String code = "";
        long refused;

        private Query(String id, String text) {
            this.id = id;
            this.text = text;
        }

        private void add(TrafficRecord.Decision decision) {
            times.add(decision.nanos());
            if (decision.outcome() != Outcome.ALLOW) {
                refused++;
                code = decision.code();
                if (!reasons.contains(decision.reason()) && reasons.size() < 3) {
                    reasons.add(decision.reason());
                }
                nearest = nearest.isEmpty() ? decision.nearest() : nearest;
            }
        }
    }

    /** Durations in nanoseconds; of very many the first ones stand for all. */
    static final class Times {

        private static final int KEPT = 100_000;

        private long[] kept = new long[8];
        private int size;
        private boolean isSorted;
        private long longest;
        long count;
        long sum;

        private void add(long nanos) {
            count++;
            sum += nanos;
            longest = Math.max(longest, nanos);
            if (size < KEPT) {
                kept = size == kept.length ? Arrays.copyOf(kept, size * 2) : kept;
                kept[size++] = nanos;
                isSorted = false;
            }
        }

        long longest() {
            return longest;
        }

        /** The duration that this share of all does not exceed. */
        long quantile(double share) {
            if (size == 0) {
                return 0;
            }
            if (!isSorted) {
                Arrays.sort(kept, 0, size);
                isSorted = true;
            }
            return kept[(int) Math.min(size - 1, Math.round(share * (size - 1)))];
        }
    }
}
