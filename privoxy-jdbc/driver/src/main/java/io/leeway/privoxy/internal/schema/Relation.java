package io.leeway.privoxy.internal.schema;

import io.leeway.privoxy.internal.model.Arbiters;
import io.leeway.privoxy.internal.model.Table;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A table as the database describes it, with what the checker's {@link Table} has no place for.
 *
 * <p>Most of this is not the checker's: views of the database, hidden columns and arbiters matter where a statement is
 * read and normalised.
 *
 * @param table columns, keys and foreign keys that hold. Foreign keys may name tables that nobody asked for; between
 *     columns whose equality is not identity they hold up to that equality, which is the same on both sides
 * @param kind what it is
 * @param visibleColumns number of leading columns that {@code SELECT *} gives; hidden columns come last
 * @param definition the query of a view that can be read in its place, or null
 * @param arbiters on what rows new ones may strike
 * @param inSnapshots whether a transaction that has a snapshot sees its rows as they were then; MariaDB's engines but
 *     InnoDB show what is there now
 * @param notes what the database declares but does not vouch for, and why, for people
 */
public record Relation(
        Table table,
        Kind kind,
        int visibleColumns,
        @Nullable Definition definition,
        Arbiters arbiters,
        boolean inSnapshots,
        List<String> notes) {

    /** A relation of which no more is known than its table. */
    public Relation(Table table, Kind kind, int visibleColumns, @Nullable Definition definition, List<String> notes) {
        this(table, kind, visibleColumns, definition, Arbiters.KEYS, true, notes);
    }

    /**
     * The query that a view of the database stands for.
     *
     * @param sql as the database prints it
     * @param searchPath where its unqualified names are looked up
     */
    public record Definition(String sql, List<String> searchPath) {
        public Definition {
            Objects.requireNonNull(sql, "sql");
            searchPath = List.copyOf(searchPath);
        }
    }

    /** What a name stands for. */
    public enum Kind {
        /** A base table of this database. */
        TABLE,
        /**
         * A view, a foreign table or a sequence: rows that are not this database's own, or not stored. It has neither
         * keys nor NOT NULL and needs a policy view of its own.
         */
        VIEW,
        /** A temporary table of this session. Never cached. */
        TEMPORARY,
        /** Part of the database's catalogue. */
        SYSTEM
    }

    public Relation {
        Objects.requireNonNull(table, "table");
        Objects.requireNonNull(kind, "kind");
        notes = List.copyOf(notes);
        if (visibleColumns > table.arity()) {
            throw new IllegalArgumentException("more visible columns than columns");
        }
    }
}
