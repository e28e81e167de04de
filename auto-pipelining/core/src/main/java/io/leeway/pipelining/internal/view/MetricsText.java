package io.leeway.pipelining.internal.view;

import io.leeway.pipelining.PipelineDecision;
import io.leeway.pipelining.PipelineDecision.Outcome;
import io.leeway.pipelining.PipelineProfile.ThreadLoad;
import io.leeway.pipelining.PipelineStatus;
import io.leeway.pipelining.PipeliningMetrics;
import java.util.List;
import java.util.Locale;

/** The metrics in Prometheus' text form. */
final class MetricsText {

    private MetricsText() {}

    static String of(PipelineStatus status) {
        var text = new StringBuilder();
        for (PipeliningMetrics.Metric metric : PipeliningMetrics.all()) {
            String name = metric.name().replace('.', '_').replace('-', '_')
                    + (metric.type().equals("counter") ? "_total" : "");
            text.append("# HELP ")
                    .append(name)
                    .append(' ')
                    .append(metric.text())
                    .append('\n');
            text.append("# TYPE ")
                    .append(name)
                    .append(' ')
                    .append(metric.type())
                    .append('\n');
            if (metric.name().equals(PipeliningMetrics.DECISIONS)) {
                for (Outcome outcome : Outcome.values()) {
                    text.append(name)
                            .append("{outcome=\"")
                            .append(outcome.name().toLowerCase(Locale.ROOT))
                            .append("\"} ")
                            .append(count(status.decisions(), outcome))
                            .append('\n');
                }
            } else {
                text.append(name)
                        .append(' ')
                        .append(value(status, metric.name()))
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static long count(List<PipelineDecision> decisions, Outcome outcome) {
        return decisions.stream()
                .filter(decision -> decision.outcome() == outcome)
                .count();
    }

    private static double value(PipelineStatus status, String metric) {
        return switch (metric) {
            case PipeliningMetrics.PORTS -> status.ports().size();
            case PipeliningMetrics.BLACKLISTED -> status.blacklist().size();
            case PipeliningMetrics.UTILISATION ->
                status.profile().threads().stream()
                        .mapToDouble(ThreadLoad::utilisation)
                        .max()
                        .orElse(0);
            case PipeliningMetrics.SETTLED -> status.phase() == PipelineStatus.Phase.SETTLED ? 1 : 0;
            default ->
                status.decisions().isEmpty()
                        ? 0
                        : status.decisions().get(status.decisions().size() - 1).pauseNanos() / 1e9;
        };
    }
}
