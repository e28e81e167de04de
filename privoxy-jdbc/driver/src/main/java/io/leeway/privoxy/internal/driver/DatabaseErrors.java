package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.BatchUpdateException;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLWarning;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the database complains of, without the values that it complains of. A database evaluates conditions in an order of
 * its own, so {@code CAST(text AS INTEGER) = 1 AND owner_id = 2} may fail on a row of somebody else and quote it. Kept
 * are type, SQLState and vendor code, which programs go by, and the messages that cannot hold a value of a row.
 */
final class DatabaseErrors {

    /** Classes of SQLStates that are about connections, transactions, privileges and resources. */
    private static final Set<String> WITHOUT_VALUES = Set.of(
            "02", "07", "08", "0A", "24", "25", "26", "28", "2D", "34", "3B", "3D", "3F", "40", "53", "55", "57", "70");

    /** MariaDB's numbers of errors about locks and time, which come with a general SQLState. */
    private static final Set<Integer> WITHOUT_VALUES_MARIADB = Set.of(1205, 1206, 1317, 1969, 3024);

    private static final Pattern QUOTED = Pattern.compile("[\"'`“«](.*?)[\"'`”»]", Pattern.DOTALL);
    private static final Pattern DUPLICATE = Pattern.compile("Duplicate entry '.*' for key ", Pattern.DOTALL);

    private final boolean passes;
    private final Dialect dialect;

    DatabaseErrors(Target target) {
        this.passes =
                target.config().mode() != PrivoxyMode.ENFORCE || target.config().get(PrivoxyOptions.VALUES);
        this.dialect = target.dialect();
    }

    /** The error, as the application may see it, of a text; the text is empty where it is not known. */
    SQLException safe(SQLException error, String sql) {
        if (passes || error instanceof PrivoxyException) {
            return error;
        }
        if (error instanceof BatchUpdateException batch) {
            return batch(batch, sql);
        }
        String message = String.valueOf(error.getMessage());
        String safe = message(message, error.getSQLState(), error.getErrorCode(), sql);
        if (safe.equals(message) && error.getNextException() == null) {
            return error;
        }
        SQLException result = like(error, safe);
        result.setStackTrace(error.getStackTrace());
        SQLException next = error.getNextException();
        if (next != null) {
            result.setNextException(safe(next, sql));
        }
        return result;
    }

    /** Warnings, as the application may see them. */
    @Nullable
    SQLWarning safe(@Nullable SQLWarning warning) {
        if (passes || warning == null) {
            return warning;
        }
        SQLWarning first = null;
        for (SQLWarning each = warning; each != null; each = each.getNextWarning()) {
            String text = message(String.valueOf(each.getMessage()), each.getSQLState(), each.getErrorCode(), "");
            var safe = new SQLWarning(text, each.getSQLState(), each.getErrorCode());
            if (first == null) {
                first = safe;
            } else {
                first.setNextWarning(safe);
            }
        }
        return first;
    }

    private SQLException batch(BatchUpdateException error, String sql) {
        SQLException cause = error.getNextException();
        if (cause == null && error.getCause() instanceof SQLException wrapped) {
            cause = wrapped;
        }
        SQLException safe = cause == null ? null : safe(cause, sql);
        String message = safe == null
                ? message(String.valueOf(error.getMessage()), error.getSQLState(), error.getErrorCode(), sql)
                : String.valueOf(safe.getMessage());
        var result = new BatchUpdateException(
                message, error.getSQLState(), error.getErrorCode(), error.getLargeUpdateCounts(), safe);
        result.setStackTrace(error.getStackTrace());
        if (safe != null && error.getNextException() != null) {
            result.setNextException(safe);
        }
        return result;
    }

    private String message(String message, @Nullable String sqlState, int code, String sql) {
        String group = sqlState == null || sqlState.length() < 2 ? "" : sqlState.substring(0, 2);
        boolean kept = WITHOUT_VALUES.contains(group)
                || dialect == Dialect.MARIADB && WITHOUT_VALUES_MARIADB.contains(code)
                || group.equals("42") && quotesOnly(sql, message);
        if (kept) {
            return message;
        }
        if (group.equals("23") && dialect == Dialect.POSTGRESQL) {
            // The first line names constraint, table and column; key and row stand in the detail below.
            return message.lines().findFirst().orElse("");
        }
        if (group.equals("23") && dialect == Dialect.MARIADB) {
            return DUPLICATE.matcher(message).replaceAll("Duplicate entry '…' for key ");
        }
        return "The database reports SQLState " + sqlState + ", vendor code " + code
                + ". Its message is withheld, since it may hold data; privoxyValues=true"
                + " with privoxyExplain=counterexample shows it in development.";
    }

    /** Names that do not exist, syntax: whatever is quoted is quoted from the statement itself. */
    private static boolean quotesOnly(String sql, String message) {
        String known = sql.toLowerCase(Locale.ROOT);
        Matcher quoted = QUOTED.matcher(message);
        while (quoted.find()) {
            if (!known.contains(quoted.group(1).toLowerCase(Locale.ROOT))) {
                return false;
            }
        }
        return true;
    }

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
