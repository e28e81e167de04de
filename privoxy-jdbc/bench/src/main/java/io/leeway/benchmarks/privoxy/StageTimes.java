package io.leeway.benchmarks.privoxy;

import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Keeps the time of each decision, as the driver reports it to any metrics tracker. */
public final class StageTimes implements PrivoxyMetricsTracker {

    /** A decision. */
    record Decided(Stage stage, Outcome outcome, long nanos) {}

    private static final List<Decided> ALL = Collections.synchronizedList(new ArrayList<>());

    /** Made by the service loader. */
    public StageTimes() {}

    @Override
    public void checked(Stage stage, Outcome outcome, long nanos) {
        ALL.add(new Decided(stage, outcome, nanos));
    }

    /** What was decided since the last call. */
    static List<Decided> take() {
        synchronized (ALL) {
            List<Decided> taken = List.copyOf(ALL);
            ALL.clear();
            return taken;
        }
    }
}
