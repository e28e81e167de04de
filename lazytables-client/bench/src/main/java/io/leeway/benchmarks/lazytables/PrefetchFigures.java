package io.leeway.benchmarks.lazytables;

import static io.leeway.benchmarks.lazytables.Measuring.MILLI;
import static io.leeway.benchmarks.lazytables.Measuring.PERCENT;

import io.leeway.benchmarks.results.Series;
import io.leeway.lazytables.apps.RowsAhead;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long reads wait in a pass, by how rows are asked for ahead (source: figure 4.14). Two workers, so that each has a core;
 * slack 1. Settings are run in turn, some rounds of them; the best of a setting counts.
 */
record PrefetchFigures(Measuring measuring) {

    private static final int WARM_UP = 10;
    private static final int PASSES = 30;
    private static final int ROUNDS = 2;
    private static final Setting SETTING = Setting.of("SSP (work 1, slack 1)", 2, "1", "1", PASSES);

    /** What all rounds showed, per pass in milliseconds. */
    private record Times(Series waiting, Series all) {}

    void run() throws IOException, InterruptedException {
        for (Workload workload : List.of(Workload.MF, Workload.LDA, Workload.PAGERANK)) {
            run(workload);
        }
    }

    private void run(Workload workload) throws IOException, InterruptedException {
        Map<RowsAhead, Times> times = new EnumMap<>(RowsAhead.class);
        for (RowsAhead how : measuring.few(List.of(RowsAhead.values()))) {
            times.put(how, new Times(new Series(), new Series()));
        }
        for (int round = 0; round < measuring.rounds(ROUNDS); round++) {
            for (Map.Entry<RowsAhead, Times> each : times.entrySet()) {
                MeasuredRun run = measuring.run(workload, SETTING.asking(each.getKey()));
                MeasuredRun.Span span = run.between(WARM_UP, PASSES);
                each.getValue().waiting().add(span.waitSeconds() * MILLI / span.passes());
                each.getValue().all().add(span.seconds() * MILLI / span.passes());
            }
        }
        MeasuredRun.Span alone =
                measuring.inOneThread(workload, "reference", PASSES, WARM_UP).between(WARM_UP, PASSES);
        measuring.lower(
                workload.title() + ", one thread without tables: time of a pass",
                alone.seconds() * MILLI / alone.passes(),
                "ms",
                null,
                "");
        double without = 0;
        for (Map.Entry<RowsAhead, Times> each : times.entrySet()) {
            double wait = each.getValue().waiting().quantile(0);
            String figure = workload.title() + ", prefetch " + each.getKey().text() + ": ";
            measuring.lower(figure + "wait in a pass", wait, "ms", null, "");
            measuring.lower(figure + "time of a pass", each.getValue().all().quantile(0), "ms", null, "");
            if (each.getKey() == RowsAhead.NONE) {
                without = wait;
            } else {
                measuring.higher(
                        figure + "part of the wait that it removes",
                        (1 - wait / without) * PERCENT,
                        "%",
                        goal(workload, each.getKey()),
                        "no prefetch");
            }
        }
    }

    private static @Nullable Double goal(Workload workload, RowsAhead how) {
        if (workload != Workload.MF) {
            return null;
        }
        return switch (how) {
            case CONSERVATIVE, AGGRESSIVE -> 50.0;
            case LEARNED -> PERCENT / 3;
            case NONE, AUTOMATIC, PUSHED -> null;
        };
    }
}
