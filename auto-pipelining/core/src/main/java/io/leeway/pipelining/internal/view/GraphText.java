package io.leeway.pipelining.internal.view;

import io.leeway.pipelining.PipelineDecision;
import io.leeway.pipelining.PipelineGraph;
import io.leeway.pipelining.PipelineGraph.Operator;
import io.leeway.pipelining.PipelineProfile.ThreadLoad;
import io.leeway.pipelining.PipelineStatus;
import io.leeway.pipelining.internal.propagate.ThreadPropagation;
import java.util.Locale;
import java.util.stream.Collectors;

/** A status as text. */
public final class GraphText {

    private GraphText() {}

    /** The graph, its threads, its decisions. */
    public static String of(PipelineStatus status) {
        var text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%s: %s, %s, %s put in%n",
                status.host(),
                status.phase().name().toLowerCase(Locale.ROOT),
                counted(status.graph().operators().size(), "operator"),
                counted(status.ports().size(), "thread")));
        operators(status, text);
        threads(status, text);
        decisions(status, text);
        advice(status, text);
        return text.toString();
    }

    /** A number of things. */
    static String counted(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private static void operators(PipelineStatus status, StringBuilder text) {
        PipelineGraph graph = status.graph();
        ThreadPropagation threads = ThreadPropagation.of(graph, status.ports());
        for (Operator operator : graph.operators()) {
            String feeds = graph.after(operator.id()).stream().map(graph::name).collect(Collectors.joining(", "));
            String run = threads.threadsIn(operator.id()).stream()
                    .map(thread -> "T" + thread)
                    .collect(Collectors.joining("+"));
            text.append(String.format(
                    Locale.ROOT,
                    "  %s %-28s %-10s%s%s%n",
                    status.ports().contains(operator.id()) ? "=>" : "  ",
                    operator.name(),
                    run,
                    feeds.isEmpty() ? "" : " -> " + feeds,
                    note(status, operator)));
        }
    }

    private static String note(PipelineStatus status, Operator operator) {
        String why = status.blacklist().get(operator.id());
        return why == null ? "" : "   [no thread: " + why + "]";
    }

    private static void threads(PipelineStatus status, StringBuilder text) {
        for (ThreadLoad thread : status.profile().threads()) {
            String shares = thread.ports().entrySet().stream()
                    .sorted((a, b) -> Double.compare(b.getValue(), a.getValue()))
                    .map(share -> String.format(
                            Locale.ROOT, "%s %.0f%%", status.graph().name(share.getKey()), 100 * share.getValue()))
                    .collect(Collectors.joining(", "));
            text.append(String.format(
                    Locale.ROOT,
                    "  thread %-30s busy %3.0f%%  %s%n",
                    thread.name(),
                    100 * thread.utilisation(),
                    shares));
        }
    }

    private static void decisions(PipelineStatus status, StringBuilder text) {
        for (PipelineDecision decision : status.decisions()) {
            text.append("  ").append(line(status.graph(), decision)).append(System.lineSeparator());
        }
    }

    /** What a user who wants no agent would write into the job. */
    private static void advice(PipelineStatus status, StringBuilder text) {
        for (PipelineDecision decision : status.decisions()) {
            if (decision.outcome() == PipelineDecision.Outcome.OBSERVED) {
                decision.ports().stream()
                        .map(status.graph()::name)
                        .distinct()
                        .forEach(name -> text.append("  to do it by hand, cut the chain in front of \"")
                                .append(name)
                                .append('"')
                                .append(System.lineSeparator()));
            }
        }
    }

    /** One decision in one line. */
    static String line(PipelineGraph graph, PipelineDecision decision) {
        String ports = decision.ports().stream().map(graph::name).collect(Collectors.joining(", "));
        String measured = decision.after().isEmpty()
                ? "not measured"
                : String.format(Locale.ROOT, "measured x%.2f", decision.measuredGain());
        return String.format(
                Locale.ROOT,
                "round %d: before %s: predicted x%.2f at most (U %.2f), %s, pause %.3f ms: %s",
                decision.round(),
                ports,
                decision.predictedGain(),
                decision.utility(),
                measured,
                decision.pauseNanos() / 1e6,
                decision.outcome().name().toLowerCase(Locale.ROOT));
    }
}
