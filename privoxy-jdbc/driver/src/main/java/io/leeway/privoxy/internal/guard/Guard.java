package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.schema.SchemaMark;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Decides on SQL for one database under one policy. The driver sends nothing to the database that a guard has not
 * permitted. Thread-safe; shared by all connections of one URL.
 *
 * <p>The driver knows this interface and nothing of policies; with a {@link Permit} it has all that it needs to send
 * one statement.
 */
public interface Guard {

    /**
     * Reads a statement. Cached: a known text costs a look-up.
     *
     * @param connection the real connection that the text is for, to look up tables that are not known yet; not kept
     * @throws SQLException if the text is not understood, with the construct and its position (state 0A000)
     */
    GuardedStatement prepare(String sql, SessionState session, Connection connection) throws SQLException;

    /**
     * The same for a transaction that reads what was committed when it began, and has begun: nothing that is read of
     * the catalogue now, or follows from it, is kept for others.
     *
     * <p>On PostgreSQL the catalogue, too, is that of the transaction's beginning ({@code SchemaMomentsIT}).
     */
    default GuardedStatement prepareInThePast(String sql, SessionState session, Connection connection)
            throws SQLException {
        return prepare(sql, session, connection);
    }

    /** How far changes of the schema are known. */
    default SchemaMark schemaMark() {
        return SchemaMark.NONE;
    }

    /**
     * Whether the schema is found to be that of then: it is looked at now, whatever is known.
     *
     * <p>Asked after the answer of a statement that a change may have overtaken ({@code WaitingStatementsIT}).
     */
    default boolean isSchemaStill(SchemaMark then, Connection connection) throws SQLException {
        return true;
    }

    /** This application may have changed the schema, or has taken a change back: tables are looked at again. */
    default void schemaMayHaveChanged() {}
}
