package io.leeway.privoxy.internal.schema;

import java.util.Set;

/**
 * The tables whose rows may have changed after a write.
 *
 * @param tables canonical names; empty with {@code everything}
 * @param everything whether any table may have changed: a trigger's doings are not known
 */
public record Reach(Set<String> tables, boolean everything) {

    /** Any table. */
    public static final Reach EVERYTHING = new Reach(Set.of(), true);

    public Reach {
        tables = Set.copyOf(tables);
    }
}
