package io.leeway.privoxy.internal.metrics;

import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import java.util.List;

/** Tells several trackers. */
record SeveralTrackers(List<PrivoxyMetricsTracker> trackers) implements PrivoxyMetricsTracker {

    @Override
    public void checked(Stage stage, Outcome outcome, long nanos) {
        trackers.forEach(tracker -> tracker.checked(stage, outcome, nanos));
    }

    @Override
    public void audited(Outcome outcome) {
        trackers.forEach(tracker -> tracker.audited(outcome));
    }

    @Override
    public void template(TemplateEvent event) {
        trackers.forEach(tracker -> tracker.template(event));
    }

    @Override
    public void solver(String solver, SolverResult result, long nanos) {
        trackers.forEach(tracker -> tracker.solver(solver, result, nanos));
    }

    @Override
    public void traceSize(int entries, int cells) {
        trackers.forEach(tracker -> tracker.traceSize(entries, cells));
    }
}
