package io.leeway.privoxy.internal.refute;

import io.leeway.privoxy.internal.model.Value;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A database of a few rows. Immutable.
 *
 * <p>Sets, as tables have no duplicates and answers are compared as sets; sorted by name, so that the same example is
 * printed the same.
 *
 * @param tables rows by table; tables without rows are left out
 */
public record SmallDatabase(SortedMap<String, Set<List<Value>>> tables) {

    public SmallDatabase {
        SortedMap<String, Set<List<Value>>> copy = new TreeMap<>();
        tables.forEach((name, rows) -> {
            if (!rows.isEmpty()) {
                copy.put(name, Collections.unmodifiableSet(new LinkedHashSet<>(rows)));
            }
        });
        tables = Collections.unmodifiableSortedMap(copy);
    }

    /** A database with these rows. */
    public static SmallDatabase of(Map<String, ? extends Collection<List<Value>>> rows) {
        SortedMap<String, Set<List<Value>>> tables = new TreeMap<>();
        rows.forEach((name, content) -> tables.put(name, new LinkedHashSet<>(content)));
        return new SmallDatabase(tables);
    }

    /** Rows of a table. */
    public Set<List<Value>> rows(String table) {
        return tables.getOrDefault(table, Set.of());
    }
}
