package io.leeway.pipelining.graph;

/**
 * Where an operator or a source submits tuples. To be used in the call that it was given to, in that call's thread.
 *
 * @since 0.1
 */
public interface TupleOutput {

    /**
     * Submits to all that the output port feeds, in the order in which they were connected; nowhere if it feeds none.
     *
     * @param port the output port, from 0
     * @param tuple not null; whoever takes it must not change it if others take it too
     */
    void submit(int port, Object tuple);

    /** Submits to port 0. */
    default void submit(Object tuple) {
        submit(0, tuple);
    }
}
