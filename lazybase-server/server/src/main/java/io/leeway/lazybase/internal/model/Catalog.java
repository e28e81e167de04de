package io.leeway.lazybase.internal.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * All tables, at one version of the definitions.
 *
 * @param version grows with every change
 * @param nextId the number that the next table or view gets
 * @param tables in the order of definition
 */
public record Catalog(long version, int nextId, List<Table> tables) {

    /** Without tables. */
    public static final Catalog EMPTY = new Catalog(0, 1, List.of());

    public Catalog {
        tables = List.copyOf(tables);
    }

    /** The table with this name, or null. Upper and lower case are the same if no other table fits better. */
    public @Nullable Table table(String name) {
        Table found = null;
        for (Table table : tables) {
            if (table.name().equals(name)) {
                return table;
            }
            if (table.name().toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT))) {
                found = table;
            }
        }
        return found;
    }

    /** The table with this number, or null if it was dropped. */
    public @Nullable Table table(int id) {
        for (Table table : tables) {
            if (table.id() == id) {
                return table;
            }
        }
        return null;
    }

    /** The table that has the secondary view of this name, or null. */
    public @Nullable Table tableOfView(String view) {
        for (Table table : tables) {
            for (View each : table.views().subList(1, table.views().size())) {
                if (each.name().equalsIgnoreCase(view)) {
                    return table;
                }
            }
        }
        return null;
    }

    /** With a table instead of the one of the same number, or with one more. */
    public Catalog with(Table table, int newNextId) {
        var all = new ArrayList<>(tables);
        all.removeIf(each -> each.id() == table.id());
        all.add(table);
        all.sort((a, b) -> Integer.compare(a.id(), b.id()));
        return new Catalog(version + 1, newNextId, all);
    }

    /** Without a table. */
    public Catalog without(int id) {
        var all = new ArrayList<>(tables);
        all.removeIf(each -> each.id() == id);
        return new Catalog(version + 1, nextId, all);
    }
}
