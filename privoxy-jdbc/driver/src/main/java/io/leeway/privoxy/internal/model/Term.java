package io.leeway.privoxy.internal.model;

import java.util.List;

/** What a condition compares and a query returns. */
public sealed interface Term {

    /** A column of an atom: variable {@code atom.firstVariable() + column}. */
    record Variable(int index) implements Term {}

    /** A value written in the query or the policy. */
    record Constant(Value value) implements Term {}

    /** The query's argument number {@code index}, 0-based: a bound parameter or a lifted literal. */
    record Parameter(int index) implements Term {}

    /** A parameter of the request context, as {@code MyUId}. */
    record Context(String name) implements Term {}

    /**
     * A deterministic function of its arguments of which nothing else is assumed: equal arguments give the same
     * result. Strictness (NULL in, NULL out) is not assumed.
     */
    record Function(String symbol, List<Term> arguments) implements Term {

        /** Begins the symbol of one that keeps its meaning while the session's settings stay. */
        public static final String SESSION = "session:";
        /** Begins the symbol of one that keeps its meaning during a statement. */
        public static final String NOW = "now:";

        public Function {
            arguments = List.copyOf(arguments);
        }

        /** Whether a symbol keeps its meaning for ever. */
        public static boolean isSteady(String symbol) {
            return !symbol.startsWith(SESSION) && !symbol.startsWith(NOW);
        }
    }
}
