package io.leeway.privoxy.internal.decide;

/** A query speaks of a table that is not as it was when the policy was compiled. */
public final class SchemaChangedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SchemaChangedException(String table) {
        super("table " + table + " is not as it was when the policy was compiled");
    }
}
