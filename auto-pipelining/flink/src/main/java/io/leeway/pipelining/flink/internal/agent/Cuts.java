package io.leeway.pipelining.flink.internal.agent;

import io.leeway.pipelining.PipeliningOptions;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.streaming.api.graph.StreamEdge;
import org.apache.flink.streaming.api.graph.StreamGraph;

/**
 * Chains that are cut when a job is submitted, for those who want no agent on task managers. The identities of operators, by
 * which a savepoint finds its state, depend on what is chained: they are computed as if nothing was cut. Thread-safe.
 */
public final class Cuts {

    private static final ThreadLocal<Boolean> IDENTITIES = ThreadLocal.withInitial(() -> false);
    private static volatile Set<String> names = Set.of();

    private Cuts() {}

    /** Takes the names of the operators in front of which chains are cut. */
    public static void configure(PipeliningOptions options) {
        names = Arrays.stream(options.get(PipeliningOptions.FLINK_CUT).split(";"))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Called by Flink's changed code: identities are being computed in this thread, or no longer. */
    public static void identities(boolean now) {
        IDENTITIES.set(now);
    }

    /** Called by Flink's changed code: whether the chain is cut in front of the operator that an edge leads to. */
    public static boolean isCut(Object edge, Object graph) {
        Set<String> cut = names;
        return !cut.isEmpty()
                && !IDENTITIES.get()
                && cut.contains(((StreamGraph) graph)
                        .getStreamNode(((StreamEdge) edge).getTargetId())
                        .getOperatorName());
    }
}
