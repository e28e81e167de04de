package io.leeway.pipelining;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Everything there is to see of one host at one moment. Immutable.
 *
 * @param host the host's name
 * @param phase what is being done
 * @param graph the graph
 * @param ports the operators that have a thread in front of them
 * @param profile the last profile
 * @param decisions all decisions so far, the oldest first
 * @param blacklist the ports that did not help and are not tried again, and those that are refused, with the reason
 * @since 0.1
 */
public record PipelineStatus(
        String host,
        Phase phase,
        PipelineGraph graph,
        Set<Integer> ports,
        PipelineProfile profile,
        List<PipelineDecision> decisions,
        Map<Integer, String> blacklist) {

    /**
     * What is being done.
     *
     * @since 0.1
     */
    public enum Phase {
        /** The profile is being taken. */
        PROFILING,
        /** New threads are being judged. */
        EVALUATING,
        /** Nothing more helps; only rates are watched, and a shift of load starts over. */
        SETTLED,
        /** The host has ended, or its keeper was closed. */
        ENDED
    }

    /** Copies the collections. */
    public PipelineStatus {
        ports = Set.copyOf(ports);
        decisions = List.copyOf(decisions);
        blacklist = Map.copyOf(blacklist);
    }
}
