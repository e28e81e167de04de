package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.request.States;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which state of the database the statements of a transaction read.
 *
 * <p>Names of levels say what may happen, this says which state is read: PostgreSQL's REPEATABLE READ and SERIALIZABLE
 * both read a snapshot.
 */
enum Isolation {
    /** Whatever others have written, committed or not. */
    UNCOMMITTED,
    /** What is committed when the statement begins. */
    STATEMENT,
    /** What was committed when the transaction began. */
    SNAPSHOT,
    /**
     * What was committed when the transaction first read without a lock, and what is committed now where it locks or writes
     * (MariaDB).
     */
    LATE_SNAPSHOT,
    /** Of each table what was committed when the transaction first read it (H2). */
    SNAPSHOT_OF_TABLE,
    /** One of these that shows nothing that is not committed, and no later state of one table than of another. */
    UNKNOWN_COMMITTED,
    /** One of these. */
    UNKNOWN;

    /** The number that H2's driver gives to SNAPSHOT. */
    private static final int H2_SNAPSHOT = 6;

    /** As the database words it. PostgreSQL never shows what is not committed. */
    static Isolation of(@Nullable String words, Dialect dialect) {
        String text = words == null ? "" : words.toUpperCase(Locale.ROOT).replace('-', ' ');
        return switch (text) {
            case "READ UNCOMMITTED" -> of(Connection.TRANSACTION_READ_UNCOMMITTED, dialect);
            case "READ COMMITTED" -> STATEMENT;
            case "REPEATABLE READ" -> of(Connection.TRANSACTION_REPEATABLE_READ, dialect);
            case "SERIALIZABLE" -> of(Connection.TRANSACTION_SERIALIZABLE, dialect);
            case "SNAPSHOT" -> SNAPSHOT;
            // A level that is not known may be any, so its facts stay within their transaction.
            default -> unknown(dialect);
        };
    }

    /** As JDBC numbers it. */
    static Isolation of(int level, Dialect dialect) {
        return switch (level) {
            case Connection.TRANSACTION_READ_UNCOMMITTED -> dialect == Dialect.POSTGRESQL ? STATEMENT : UNCOMMITTED;
            case Connection.TRANSACTION_READ_COMMITTED -> STATEMENT;
            case Connection.TRANSACTION_REPEATABLE_READ ->
                dialect == Dialect.H2 ? SNAPSHOT_OF_TABLE : snapshot(dialect);
            case Connection.TRANSACTION_SERIALIZABLE -> snapshot(dialect);
            case H2_SNAPSHOT -> dialect == Dialect.H2 ? SNAPSHOT : unknown(dialect);
            default -> unknown(dialect);
        };
    }

    private static Isolation snapshot(Dialect dialect) {
        return dialect == Dialect.MARIADB ? LATE_SNAPSHOT : SNAPSHOT;
    }

    /** One that is not known. */
    static Isolation unknown(Dialect dialect) {
        return dialect == Dialect.POSTGRESQL ? UNKNOWN_COMMITTED : UNKNOWN;
    }

    /** What is known of the one that is this or that. */
    Isolation or(Isolation other) {
        if (this == other) {
            return this;
        }
        boolean mayDifferByTable = this == SNAPSHOT_OF_TABLE || other == SNAPSHOT_OF_TABLE;
        return showsUncommitted() || other.showsUncommitted() || mayDifferByTable ? UNKNOWN : UNKNOWN_COMMITTED;
    }

    /** Whether it is not known. */
    boolean isUnknown() {
        return this == UNKNOWN || this == UNKNOWN_COMMITTED;
    }

    /** Whether statements may read what was there when the transaction began. */
    boolean mayReadThePast() {
        return this != STATEMENT && this != UNCOMMITTED;
    }

    /** Whether it may show what is not committed and perhaps never will be. */
    boolean showsUncommitted() {
        return this == UNCOMMITTED || this == UNKNOWN;
    }

    /** The states that a statement of its own reads, which is no part of a longer transaction. */
    States ofOneStatement() {
        return showsUncommitted() ? States.MANY : States.ONE;
    }

    /**
     * The states that a statement of a transaction reads.
     *
     * @param isFirst whether no other one of it has read before
     * @param written the tables that the transaction has written since it may have a snapshot
     */
    States states(boolean isFirst, Set<String> written) {
        return switch (this) {
            case STATEMENT -> States.ONE;
            case SNAPSHOT, LATE_SNAPSHOT, UNKNOWN_COMMITTED -> States.besides(written);
            case SNAPSHOT_OF_TABLE -> isFirst && written.isEmpty() ? States.ONE : States.MANY;
            case UNCOMMITTED, UNKNOWN -> States.MANY;
        };
    }
}
