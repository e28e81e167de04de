package io.leeway.privoxy.internal.schema;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known about a database at one moment. Immutable.
 *
 * <p>Names and tables are kept apart, as several names lead to one table, and a name can come to mean another table
 * while neither changes.
 *
 * @param version grows whenever something known before is no longer so
 * @param names what a name means under a search path
 * @param relations the tables
 * @param absent names that mean nothing, on which somebody relies
 * @param reach what writes change besides, or null as long as nobody has asked
 */
record KnownTables(
        long version,
        Map<Name, TableId> names,
        Map<TableId, Relation> relations,
        Set<Name> absent,
        @Nullable WriteReach reach) {

    static final KnownTables NONE = new KnownTables(0, Map.of(), Map.of(), Set.of(), null);

    /**
     * A bound for applications that make search paths up.
     *
     * <p>Beyond it all names are forgotten, which costs a look-up of each.
     */
    static final int MAX_NAMES = 10_000;

    KnownTables {
        names = Map.copyOf(names);
        relations = Map.copyOf(relations);
        absent = Set.copyOf(absent);
    }

    @Nullable
    Relation find(Name name) {
        TableId id = names.get(name);
        return id == null ? null : relations.get(id);
    }

    @Nullable
    Relation named(String canonical) {
        for (Relation relation : relations.values()) {
            if (relation.table().name().equals(canonical)) {
                return relation;
            }
        }
        return null;
    }

    KnownTables plus(Map<Name, TableId> moreNames, Map<TableId, Relation> found) {
        boolean full = names.size() + moreNames.size() > MAX_NAMES;
        var allNames = full ? new HashMap<Name, TableId>() : new HashMap<>(names);
        allNames.putAll(moreNames);
        var all = new HashMap<>(relations);
        // Only what a name leads to: other tables were read for their foreign keys, and nobody relies on them.
        for (TableId id : moreNames.values()) {
            Relation relation = found.get(id);
            if (relation != null) {
                all.put(id, relation);
            }
        }
        return new KnownTables(version, allNames, all, absent, reach);
    }

    KnownTables withReach(@Nullable WriteReach newReach) {
        return new KnownTables(version, names, relations, absent, newReach);
    }

    /**
     * That a name means nothing is also an answer: in {@code WITH t AS (…)} H2 takes a table t before it, so a
     * statement that relies on there being none has to hear when one is made ({@code AttackerCasesIT}).
     */
    KnownTables plusAbsent(Name name) {
        var all = new HashSet<>(absent);
        all.add(name);
        return new KnownTables(version, names, relations, all, reach);
    }

    /**
     * A name as a statement uses it.
     *
     * @param parts outermost first
     * @param searchPath where it is looked up if it has no schema
     */
    record Name(List<String> parts, List<String> searchPath) {
        Name {
            parts = List.copyOf(parts);
            searchPath = List.copyOf(searchPath);
        }
    }
}
