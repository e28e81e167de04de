package io.leeway.privoxy.internal.guard;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a connection's settings change in the reading of SQL text. Equal states share cached statements.
 *
 * @param searchPath schemas (PostgreSQL, H2) or the database (MariaDB) in which unqualified names are looked up, first
 *     match wins, in the database's spelling
 * @param settings lexical settings as {@code name=value}, sorted: {@code standard_conforming_strings=on},
 *     {@code sql_mode=ANSI_QUOTES,…}
 */
public record SessionState(List<String> searchPath, List<String> settings) {

    /** Begins the setting that names the account, if the session acts as the one that it was opened for. */
    public static final String USER = "user=";

    public SessionState {
        searchPath = List.copyOf(searchPath);
        settings = List.copyOf(settings);
    }

    /** The account that the session has acted as all the time, or null if that is not known. */
    @Nullable
    String user() {
        for (String setting : settings) {
            if (setting.startsWith(USER)) {
                return setting.substring(USER.length());
            }
        }
        return null;
    }
}
