package io.leeway.privoxy.internal.decide;

/**
 * A query speaks of a table that is not as it was when the policy was compiled.
 *
 * <p>Normalised texts outlive a change of the schema by a moment. The guard reads the schema anew and asks again; to go
 * on with the old numbers of columns would check one column and show another.
 */
public final class SchemaChangedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SchemaChangedException(String table) {
        super("table " + table + " is not as it was when the policy was compiled");
    }
}
