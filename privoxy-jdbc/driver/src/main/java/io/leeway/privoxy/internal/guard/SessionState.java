package io.leeway.privoxy.internal.guard;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a connection's settings change in the reading of SQL text. Equal states share cached statements.
 *
 * <p>Only settings that change the reading are in it: each one more would make texts be read more often.
 *
 * @param searchPath schemas (PostgreSQL, H2) or the database (MariaDB) in which unqualified names are looked up, first
 *     match wins, in the database's spelling
 * @param settings lexical settings as {@code name=value}, sorted: {@code standard_conforming_strings=on},
 *     {@code sql_mode=ANSI_QUOTES,…}
 */
public record SessionState(List<String> searchPath, List<String> settings) {

    /** Begins the setting that names the account, if the session acts as the one that it was opened for. */
    public static final String USER = "user=";

    /**
     * Says that the numbers are shown that MariaDB answers a write with: of a row made, or of one that it struck.
     *
     * <p>A setting of the reading, as the statement asks for more with it: the number of the row that an upsert strikes
     * is read.
     */
    private static final String NUMBERS = "jdbc.numbers=on";

    public SessionState {
        searchPath = List.copyOf(searchPath);
        settings = List.copyOf(settings);
    }

    /** The same where a write's numbers are asked for. */
    public SessionState askingNumbers() {
        List<String> all = new ArrayList<>(settings);
        all.add(NUMBERS);
        return new SessionState(searchPath, all);
    }

    boolean asksNumbers() {
        return settings.contains(NUMBERS);
    }

    /**
     * The account that the session has acted as all the time, or null if that is not known.
     *
     * <p>Known only as long as nothing has changed it: what the account may see decides what its rows mean.
     */
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
