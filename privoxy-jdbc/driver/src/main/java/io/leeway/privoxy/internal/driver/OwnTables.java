package io.leeway.privoxy.internal.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is known of a session's own tables, which hide others of their names: that there are some, and when they may
 * have become others. Not thread-safe.
 *
 * <p>What a text means with such tables it means in no other session, and not in this one after they have changed; so a
 * number goes into its settings, and on its path, where nothing that was found is kept for others.
 */
final class OwnTables {

    /**
     * Begins the name of a schema of the session's own tables; PostgreSQL calls it so. What is found on a path with one is
     * kept for nobody else.
     */
    static final String TEMPORARY_SCHEMA = "pg_temp";
    /** Begins the setting that tells sessions with tables of their own apart. */
    static final String TEMPORARY = "temporary tables=";
    /**
     * In the texts that make such tables: the word, or the name of PostgreSQL's schema for them, which may be written in
     * escapes ({@code U&"pg_t\0065mp".t}).
     */
    private static final List<String> SIGNS = List.of("temp", "u&");

    private static final AtomicLong TEMPORARIES = new AtomicLong();

    /**
     * Another number for each change of the session's own tables, which hide others; 0 as long as there are none.
     *
     * <p>One number after the other for the whole process, so that no two sessions with tables of their own look
     * alike.
     */
    private long temporaries;

    /** A text has changed something. */
    void changedBy(String sql) {
        // Once there are such tables, each DDL may be about one of them.
        String lower = sql.toLowerCase(Locale.ROOT);
        if (temporaries > 0 || SIGNS.stream().anyMatch(lower::contains)) {
            temporaries = TEMPORARIES.incrementAndGet();
        }
    }

    /** With what tells this session's tables from those of others, and from those that it had before. */
    List<String> inSettings(List<String> settings) {
        if (temporaries == 0) {
            return settings;
        }
        var all = new ArrayList<>(settings);
        all.add(TEMPORARY + temporaries);
        return all;
    }

    /** MariaDB and H2 have no schema for a session's own tables, and look among these as well. */
    List<String> onPath(List<String> path) {
        if (temporaries == 0) {
            return path;
        }
        var all = new ArrayList<>(path);
        // A made-up schema: LiveSchema keeps nothing that was found on a path with one.
        all.add(TEMPORARY_SCHEMA + temporaries);
        return all;
    }
}
