package io.leeway.privoxy.internal.model;

import java.util.List;
import java.util.Set;

/**
 * On what rows of a table a new one may strike, besides the {@link Table#keys()}: all that a database looks at when it
 * is told what to do about a row that is there.
 *
 * @param known whether all of it is told here; it is not for views and for tables whose rows are elsewhere
 * @param numbered positions of columns that get a number that no row has, if none is given
 * @param others unique indexes that say less than a key, with the columns that they are computed from: of prefixes,
 *     expressions or part of the rows, or with another equality; no columns if it is not known which
 * @param stamped positions of columns that change only where a row gets another value than it had: they tell which
 * @param computed positions of columns that the database may compute from others, always or where none is given
 * @param cascading positions of columns whose change the database carries into rows of other tables
 * @param triggers what triggers and foreign keys do besides
 */
public record Arbiters(
        boolean known,
        Set<Integer> numbered,
        List<Key> others,
        Set<Integer> stamped,
        Set<Integer> computed,
        Set<Integer> cascading,
        Set<Doing> triggers) {

    /** What the database may do by itself with a row that is written. */
    public enum Doing {
        /** A row to be inserted may get another key than it was given. */
        REWRITES,
        /** A row that an update would leave as it is is not counted. */
        SKIPS_EQUAL,
        /** Rows that refer to a deleted row get a default in its place. */
        REDIRECTS,
        /** A column's default gives each row another value, as a sequence does; told by MariaDB only. */
        COUNTS
    }

    /** Nothing but the keys. */
    public static final Arbiters KEYS = new Arbiters(true, Set.of(), List.of(), Set.of(), Set.of(), Set.of(), Set.of());
    /** Nothing is known. */
    public static final Arbiters UNKNOWN =
            new Arbiters(false, Set.of(), List.of(), Set.of(), Set.of(), Set.of(), Set.of());

    public Arbiters {
        numbered = Set.copyOf(numbered);
        others = List.copyOf(others);
        stamped = Set.copyOf(stamped);
        computed = Set.copyOf(computed);
        cascading = Set.copyOf(cascading);
        triggers = Set.copyOf(triggers);
    }
}
