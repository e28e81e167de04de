package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.PrivoxyOptions;
import java.sql.BatchUpdateException;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLWarning;
import org.jspecify.annotations.Nullable;

/**
 * What the database complains of, without the values that it complains of. A database evaluates conditions in an order
 * of its own, so {@code CAST(text AS INTEGER) = 1 AND owner_id = 2} may fail on a row of somebody else and quote it.
 * Kept are type, SQLState and vendor code, which programs go by, and the {@linkplain KeptMessages messages that cannot
 * hold a value of a row}.
 */
final class DatabaseErrors {

    private final boolean passes;
    private final KeptMessages kept;

    /**
     * Passed in development, where people want the database's words, and outside of enforce mode, where rows are shown
     * anyway.
     */
    DatabaseErrors(Target target) {
        this.passes =
                target.config().mode() != PrivoxyMode.ENFORCE || target.config().get(PrivoxyOptions.VALUES);
        this.kept = KeptMessages.of(target.dialect());
    }

    /** The error, as the application may see it. */
    SQLException safe(SQLException error) {
        if (passes || error instanceof PrivoxyException) {
            return error;
        }
        if (error instanceof BatchUpdateException batch) {
            return batch(batch);
        }
        String safe = message(error);
        // The driver's own object, as long as there is nothing to withhold: some applications look at its class.
        if (safe.equals(error.getMessage()) && error.getNextException() == null) {
            return error;
        }
        SQLException result = like(error, safe);
        result.setStackTrace(error.getStackTrace());
        // Chains are followed: a driver may put the row into the second one.
        SQLException next = error.getNextException();
        if (next != null) {
            result.setNextException(safe(next));
        }
        return result;
    }

    /** Warnings, as the application may see them. */
    @Nullable
    SQLWarning safe(@Nullable SQLWarning warning) {
        if (passes) {
            return warning;
        }
        // Their number alone tells about rows that were only looked at.
        return null;
    }

    /** The counts stay: they are those of statements that were allowed. */
    private SQLException batch(BatchUpdateException error) {
        SQLException cause = error.getNextException();
        if (cause == null && error.getCause() instanceof SQLException wrapped) {
            cause = wrapped;
        }
        SQLException safe = cause == null ? null : safe(cause);
        String message = safe == null ? message(error) : String.valueOf(safe.getMessage());
        var result = new BatchUpdateException(
                message, error.getSQLState(), error.getErrorCode(), error.getLargeUpdateCounts(), safe);
        result.setStackTrace(error.getStackTrace());
        if (safe != null && error.getNextException() != null) {
            result.setNextException(safe);
        }
        return result;
    }

    /** The remedy stands in it, since an operator who sees this needs the words. */
    private String message(SQLException error) {
        String message = kept.of(error, String.valueOf(error.getMessage()));
        return message == null
                ? "The database reports SQLState " + error.getSQLState() + ", vendor code " + error.getErrorCode()
                        + ". Its message is withheld, since it may hold data; privoxyValues=true"
                        + " with privoxyExplain=counterexample shows it in development."
                : message;
    }

    /** Frameworks go by the class of JDBC's own exceptions; a driver's own class could carry the message in a field. */
    private static SQLException like(SQLException error, String message) {
        String state = error.getSQLState();
        int code = error.getErrorCode();
        String group = state == null || state.length() < 2 ? "" : state.substring(0, 2);
        return switch (group) {
            case "22" -> new SQLDataException(message, state, code);
            case "23" -> new SQLIntegrityConstraintViolationException(message, state, code);
            case "42" -> new SQLSyntaxErrorException(message, state, code);
            default -> new SQLException(message, state, code);
        };
    }
}
