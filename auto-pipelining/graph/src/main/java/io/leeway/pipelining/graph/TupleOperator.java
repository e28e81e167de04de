package io.leeway.pipelining.graph;

/**
 * What is done with tuples. It is called by one thread at a time if it is stateful; else by several, if its graph leads several
 * to it.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface TupleOperator {

    /**
     * Takes one tuple.
     *
     * @param input the input port that it came to, from 0
     */
    void process(int input, Object tuple, TupleOutput output) throws Exception;

    /** All tuples were taken, by this operator and by all before it. Called once, when nothing else runs. */
    default void finish(TupleOutput output) throws Exception {}
}
