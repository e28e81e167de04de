package io.leeway.privoxy.solvers.internal.smt;

/**
 * A place in a problem where a value stands.
 *
 * <p>By place and not by value: that two places have one value may be an accident of this request.
 */
public sealed interface Operand {

    /** An argument of the goal. */
    record GoalArgument(int index) implements Operand {}

    /** An argument of a fact's query. */
    record FactArgument(int fact, int index) implements Operand {}

    /** A cell of a fact's row. */
    record FactCell(int fact, int column) implements Operand {}

    /** A parameter of the request context. */
    record ContextValue(String name) implements Operand {}
}
