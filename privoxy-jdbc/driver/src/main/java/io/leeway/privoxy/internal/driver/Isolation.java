package io.leeway.privoxy.internal.driver;

import java.sql.Connection;
import java.util.Locale;
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
    /** One of these. */
    UNKNOWN;

    /** As the database words it. PostgreSQL never shows what is not committed. */
    static Isolation of(@Nullable String words, boolean isPostgres) {
        String text = words == null ? "" : words.toUpperCase(Locale.ROOT).replace('-', ' ');
        return switch (text) {
            case "READ UNCOMMITTED" -> isPostgres ? STATEMENT : UNCOMMITTED;
            case "READ COMMITTED" -> STATEMENT;
            case "REPEATABLE READ", "SERIALIZABLE", "SNAPSHOT" -> SNAPSHOT;
            // A level that is not known may be any, so its facts stay within their transaction.
            default -> UNKNOWN;
        };
    }

    /** As JDBC numbers it. */
    static Isolation of(int level, boolean isPostgres) {
        return switch (level) {
            case Connection.TRANSACTION_READ_UNCOMMITTED -> isPostgres ? STATEMENT : UNCOMMITTED;
            case Connection.TRANSACTION_READ_COMMITTED -> STATEMENT;
            case Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE -> SNAPSHOT;
            default -> UNKNOWN;
        };
    }
}
