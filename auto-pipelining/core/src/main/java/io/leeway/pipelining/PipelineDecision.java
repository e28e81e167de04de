package io.leeway.pipelining;

import java.util.Map;
import java.util.Set;

/**
 * One decision: which threads were put in front of which operators, what was expected and what came of it. Immutable.
 *
 * @param round the number of the round, from 1
 * @param ports the operators in front of which a thread was put, or would be if the host were not only observed
 * @param utility the aggregate utility U(C): the largest share that any thread was predicted to have, 1 is a whole core
 * @param predictedGain by which factor throughput was predicted to grow at most, if cores are free
 * @param before tuples a second that each of the operators took before
 * @param after tuples a second that each took after; empty if nothing was tried
 * @param pauseNanos for how long the flow stood still for the change
 * @param outcome what became of it
 * @since 0.1
 */
public record PipelineDecision(
        int round,
        Set<Integer> ports,
        double utility,
        double predictedGain,
        Map<Integer, Double> before,
        Map<Integer, Double> after,
        long pauseNanos,
        Outcome outcome) {

    /**
     * What became of a decision.
     *
     * @since 0.1
     */
    public enum Outcome {
        /** Every one of the operators got more tuples a second: the threads stay. */
        KEPT,
        /** Some operator did not: the threads were taken out, and the failed ports are not tried again. */
        REVERTED,
        /** Only told, since the host is only observed. */
        OBSERVED,
        /** The host refused the change, or it could not be measured. */
        ABANDONED
    }

    /** Copies the collections. */
    public PipelineDecision {
        ports = Set.copyOf(ports);
        before = Map.copyOf(before);
        after = Map.copyOf(after);
    }

    /** By which factor the slowest growing of the operators got faster; 0 if it was not measured. */
    public double measuredGain() {
        double least = Double.POSITIVE_INFINITY;
        for (int port : ports) {
            double rate = before.getOrDefault(port, 0.0);
            least = Math.min(least, rate == 0 ? 0 : after.getOrDefault(port, 0.0) / rate);
        }
        return ports.isEmpty() || after.isEmpty() ? 0 : least;
    }
}
