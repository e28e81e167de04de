package io.leeway.privoxy.internal.schema;

import java.sql.SQLException;

/**
 * The catalogue could not be read, as on a broken connection or in a failed transaction.
 *
 * <p>Unchecked, as it passes through readers of SQL that know nothing of JDBC; the driver hands out the answer, so that
 * an application sees the error and the state that its own statement would have got.
 */
public final class SchemaUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final SQLException answer;

    /** Keeps what the database said. */
    public SchemaUnavailableException(SQLException answer) {
        super("the database's catalogue could not be read: " + answer.getMessage(), answer);
        this.answer = answer;
    }

    /** What the database or its driver said. */
    public SQLException answer() {
        return answer;
    }
}
