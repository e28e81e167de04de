package io.leeway.pipelining;

import java.util.List;
import java.util.Map;

/**
 * What threads did while they were sampled (AutoPipelining §4.3.1). Immutable and thread-safe.
 *
 * @param threads the threads that run operators
 * @param samples how often all of them were looked at
 * @since 0.1
 */
public record PipelineProfile(List<ThreadLoad> threads, long samples) {

    /**
     * One thread.
     *
     * @param name its name
     * @param utilisation μ(t): the share of the time in which it did not wait for tuples, 0 to 1
     * @param ports μ(o, t): the share in which it was in each operator or in what follows that one
     * @param rates tuples a second that it brought to each operator
     * @since 0.1
     */
    public record ThreadLoad(String name, double utilisation, Map<Integer, Double> ports, Map<Integer, Double> rates) {

        /** Copies both maps. */
        public ThreadLoad {
            ports = Map.copyOf(ports);
            rates = Map.copyOf(rates);
        }
    }

    /** Copies the list. */
    public PipelineProfile {
        threads = List.copyOf(threads);
    }

    /** A profile in which nothing was seen. */
    public static PipelineProfile empty() {
        return new PipelineProfile(List.of(), 0);
    }
}
