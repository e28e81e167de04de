package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.DialectRule;
import io.leeway.privoxy.internal.sql.ast.With;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The common table expressions of a WITH clause, with those around it. In WITH each sees the ones before it, in WITH
 * RECURSIVE all see all, themselves included.
 *
 * <p>Two things went wrong here once. A name of an inner WITH made an unknown name outside count as one that is known,
 * so that a hidden table counted as public; names are therefore looked up by place, never gathered for the whole
 * statement. And H2 takes a table of that name before the name of WITH
 * ({@code AttackerCasesIT.aNameOfWithIsNotATableThatTheDatabasePrefers}).
 */
final class CommonTables {

    private final @Nullable CommonTables outer;
    private final List<Entry> entries = new ArrayList<>();

    private CommonTables(@Nullable CommonTables outer) {
        this.outer = outer;
    }

    /** The place of a query that has this WITH clause. */
    static Place enter(@Nullable With with, Place place) {
        if (with == null) {
            return place;
        }
        if (with.recursive()) {
            var tables = new CommonTables(place.tables());
            Place inside = place.with(tables);
            for (With.CommonTable table : with.tables()) {
                tables.entries.add(new Entry(table, inside));
            }
            return inside;
        }
        Place current = place;
        for (With.CommonTable table : with.tables()) {
            var tables = new CommonTables(current.tables());
            tables.entries.add(new Entry(table, current));
            // One layer for each: without RECURSIVE a name that stands before its own definition, or in it, means a
            // table.
            current = current.with(tables);
        }
        return current;
    }

    /** The expression of this name, or null. */
    @Nullable
    Entry find(String name, Work work, int position) {
        for (CommonTables tables = this; tables != null; tables = tables.outer) {
            for (Entry entry : tables.entries) {
                if (entry.table.name().text().equals(name)) {
                    work.usesCommonTable();
                    work.account.read(entry.table);
                    refuseTaken(entry, work, position);
                    return entry;
                }
                // Whether MariaDB tells table names apart by case depends on the server's file system
                // (lower_case_table_names).
                if (entry.table.name().text().equalsIgnoreCase(name) && !work.exactCase()) {
                    throw work.refuse("a table name that differs from a WITH name by case only", position);
                }
            }
        }
        return null;
    }

    /** Where a table has the name, H2 reads the table. */
    private static void refuseTaken(Entry entry, Work work, int position) {
        String name = entry.table.name().text();
        if (work.dialect.has(DialectRule.TABLES_HIDE_COMMON_TABLES)
                && work.resolver.isTaken(List.of(name), entry.place.searchPath())) {
            throw work.refuse(
                    "the name " + name + " of WITH, which is that of a table too, which H2 reads instead,", position);
        }
    }

    /** One common table expression. Compared by identity. */
    static final class Entry {

        final With.CommonTable table;
        /** Where its query stands. */
        final Place place;
        /** Whether it is being read: a name that meets it then is a recursive reference. */
        boolean open;
        /**
         * Whether the names of its columns are being looked for. Its columns' names come from its first side. A name
         * that meets itself meanwhile would look for them for ever.
         */
        boolean naming;

        Entry(With.CommonTable table, Place place) {
            this.table = table;
            this.place = place;
        }
    }
}
