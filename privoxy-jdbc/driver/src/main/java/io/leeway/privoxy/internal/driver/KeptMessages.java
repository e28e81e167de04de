package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.SQLException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which of a database's messages the application may read: those that are raised while a text is read, before any row
 * is looked at, and those whose words are fixed. What is not on a list here is withheld, since functions put whatever
 * they are given into their complaints, under many SQLStates and with whatever quotes it brings.
 *
 * <p>A division by zero in a condition is evaluated for rows that nobody may see, and {@code invalid input syntax for
 * integer: "secret"} quotes one ({@code ErrorMessagesIT}). That there was an error at all tells one bit, which is a
 * limit.
 */
enum KeptMessages {
    /**
     * The server gives the place in the text if, and only if, it complains of the text itself: what a function raises
     * on a row has none.
     */
    POSTGRESQL {
        @Override
        @Nullable
        String of(SQLException error, String message) {
            ServerMessage server = ServerMessage.of(error);
            String state = state(error);
            if (server == null) {
                return DRIVERS_OWN.contains(group(state)) ? message : null;
            }
            if (server.position() > 0) {
                return message;
            }
            // Only the first line: key and row stand in the detail.
            boolean fixed = POSTGRES_FIXED.contains(state) || POSTGRES_FIXED.contains(group(state));
            String first = message.lines().findFirst().orElse("");
            boolean constraint =
                    group(state).equals("23") && CONSTRAINT.matcher(first).matches();
            return fixed || constraint ? first : null;
        }
    },
    /** By the server's number: the same SQLState stands for messages with values and without. */
    MARIADB {
        @Override
        @Nullable
        String of(SQLException error, String message) {
            int code = error.getErrorCode();
            if (MARIADB_DUPLICATES.contains(code)) {
                Matcher duplicate = DUPLICATE.matcher(message);
                // The entry is a value of a row; which key it was, a program may need to know.
                return duplicate.find() ? duplicate.replaceFirst("Duplicate entry '…' for key ") : null;
            }
            boolean kept = MARIADB_FIXED.contains(code) || (code <= 0 && DRIVERS_OWN.contains(group(state(error))));
            return kept || group(state(error)).equals("08") ? message : null;
        }
    },
    /** By H2's number. */
    H2 {
        @Override
        @Nullable
        String of(SQLException error, String message) {
            return H2_FIXED.contains(error.getErrorCode()) ? message : null;
        }
    };

    /** Classes of SQLStates under which drivers complain of calls, not of data. */
    private static final Set<String> DRIVERS_OWN =
            Set.of("02", "07", "08", "0A", "24", "25", "26", "28", "2D", "34", "3B", "40", "53", "55", "57", "70");

    /** Connections, state of the transaction, failed serialization and deadlocks, resources, locks, cancelling. */
    private static final Set<String> POSTGRES_FIXED = Set.of("08", "25", "26000", "40", "53", "55P03", "57");

    /** The server's words about constraints, which name relation and constraint; key and row stand in the detail. */
    private static final Pattern CONSTRAINT = Pattern.compile(
            "(ERROR: )?(duplicate key value|null value in column|new row for relation|insert or update on table"
                    + "|update or delete on table|value for domain|conflicting key value) .*");

    private static final Pattern DUPLICATE = Pattern.compile("Duplicate entry '.*' for key ", Pattern.DOTALL);

    private static final Set<Integer> MARIADB_DUPLICATES = Set.of(1062, 1586);

    /**
     * Locks, time and transactions (1020 to 3024 in the first line), read-only and rights, NULL, foreign keys and
     * checks; then what is raised of names and syntax while a statement is prepared.
     */
    private static final Set<Integer> MARIADB_FIXED = Set.of(
            1020, 1205, 1206, 1213, 1317, 1568, 1792, 1969, 3024, //
            1044, 1045, 1142, 1143, 1227, 1290, 1370, //
            1048, 1364, 1169, 1216, 1217, 1451, 1452, 4025, //
            1046, 1049, 1050, 1051, 1052, 1054, 1055, 1056, 1058, 1059, 1060, 1061, 1064, 1066, 1072, 1091, 1096, 1099,
            1103, 1109, 1110, 1111, 1136, 1140, 1146, 1147, 1149, 1176, 1221, 1222, 1235, 1241, 1242, 1247, 1248, 1305,
            1318, 1347, 1356, 1630);

    /** Syntax and names (42…), parameters, locks, deadlocks, cancelling, rights, closed connections. */
    private static final Set<Integer> H2_FIXED = Set.of(
            42000, 42001, 42101, 42102, 42103, 42104, 42111, 42112, 42121, 42122, //
            7001, 21002, 50200, 40001, 57014, 90007, 90012, 90016, 90022, 90037, 90067, 90079, 90096, 90098, 90121,
            90131);

    /** The message, or as much of it as holds no value of a row; null if none of it may be shown. */
    abstract @Nullable String of(SQLException error, String message);

    static KeptMessages of(Dialect dialect) {
        return switch (dialect) {
            case POSTGRESQL -> POSTGRESQL;
            case MARIADB -> MARIADB;
            case H2 -> H2;
        };
    }

    private static String state(SQLException error) {
        String state = error.getSQLState();
        return state == null ? "" : state;
    }

    private static String group(String state) {
        return state.length() < 2 ? "" : state.substring(0, 2);
    }

    /**
     * What PostgreSQL's driver keeps of the server's message.
     *
     * @param position the place in the text, from 1; 0 if the server gave none
     */
    private record ServerMessage(int position) {

        /** Null if it comes from the driver, or from another driver, which then is not asked. */
        static @Nullable ServerMessage of(SQLException error) {
            try {
                Object message =
                        error.getClass().getMethod("getServerErrorMessage").invoke(error);
                if (message == null) {
                    return null;
                }
                Object position = message.getClass().getMethod("getPosition").invoke(message);
                return new ServerMessage(position instanceof Integer place ? place : 0);
            } catch (ReflectiveOperationException otherDriver) {
                return null;
            }
        }
    }
}
