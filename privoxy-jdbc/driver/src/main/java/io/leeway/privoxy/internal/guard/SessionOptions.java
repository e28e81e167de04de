package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.SqlOptions;

/**
 * Turns a session's settings, as the driver read them, into the options of the SQL front end.
 *
 * <p>The one place where a session's state becomes options of the reader, so that a text is never read under other
 * settings than those that are part of its key.
 */
final class SessionOptions {

    private static final String NO_PARAMETERS = "jdbc.parameters=off";
    private static final String NO_ESCAPES = "jdbc.escapes=off";
    private static final String SQL_MODE = "sql_mode=";
    private static final String CONFORMING_OFF = "standard_conforming_strings=off";

    private SessionOptions() {}

    static SqlOptions of(Dialect dialect, SessionState session) {
        SqlOptions options = SqlOptions.of(dialect);
        boolean prepared = true;
        boolean escapes = true;
        for (String setting : session.settings()) {
            if (setting.equals(NO_PARAMETERS)) {
                prepared = false;
            } else if (setting.equals(NO_ESCAPES)) {
                escapes = false;
            } else if (dialect == Dialect.MARIADB && setting.startsWith(SQL_MODE)) {
                options = SqlOptions.ofSqlMode(setting.substring(SQL_MODE.length()));
            } else if (setting.equals(CONFORMING_OFF)) {
                options = options.withStandardConformingStrings(false);
            }
        }
        return options.withJdbcParameters(prepared).withJdbcEscapes(escapes);
    }
}
