package io.leeway.privoxy.internal.schema;

import java.util.Set;

/**
 * What may have changed after a write to a table.
 *
 * <p>A fact that the database has made untrue by itself is as dangerous as one that the application has; what is not
 * known to be untouched is forgotten.
 *
 * @param tables canonical names of the tables whose rows may be others, that table included; empty with
 *     {@code everything}
 * @param everything whether any table may have changed: a trigger's doings are not known
 * @param alone whether of the table itself nothing changes but what the statement says, and {@code moving} columns
 * @param moving columns of the table that change with a row without being named: generated ones and those that note the
 *     time of an update
 */
public record Reach(Set<String> tables, boolean everything, boolean alone, Set<String> moving) {

    /** Any table. */
    public static final Reach EVERYTHING = new Reach(Set.of(), true, false, Set.of());

    public Reach {
        tables = Set.copyOf(tables);
        moving = Set.copyOf(moving);
    }

    /** Any row of a table, and no other table. */
    static Reach allOf(String table) {
        return new Reach(Set.of(table), false, false, Set.of());
    }
}
