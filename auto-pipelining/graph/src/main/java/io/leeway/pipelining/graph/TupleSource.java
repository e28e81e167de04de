package io.leeway.pipelining.graph;

/**
 * What makes tuples, in a thread of its own.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface TupleSource {

    /**
     * Submits some tuples, or none. Between two calls the flow can be stopped, so it should not block for long.
     *
     * @return false when there will be no more
     */
    boolean next(TupleOutput output) throws Exception;
}
