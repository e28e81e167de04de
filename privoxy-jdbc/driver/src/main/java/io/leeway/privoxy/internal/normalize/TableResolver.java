package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Arbiters;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.sql.ast.Query;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a name in FROM stands for, as the database would. Thread-safe.
 *
 * <p>As the database would: if it finds another table than the one that is run on, everything is proved of the wrong
 * rows. The implementations are the live schema ({@link LiveTables}), the policy's bindings over it
 * ({@link PolicyNames}) and those of tests.
 */
public interface TableResolver {

    /**
     * Looks a name up.
     *
     * @param name parts as the database resolves them (folded unless quoted), outermost first
     * @param searchPath schemas, or the database, in which an unqualified name is looked up, first match wins
     */
    Found resolve(List<String> name, List<String> searchPath);

    /** Whether a name means anything, also what must not be read; it is noticed when one that does not comes to. */
    default boolean isTaken(List<String> name, List<String> searchPath) {
        return !(resolve(name, searchPath) instanceof Unknown unknown && unknown.reason() == null);
    }

    /** Tells which names are about to be looked up, so that they can be together; some may mean nothing. */
    default void prefetch(List<List<String>> names, List<String> searchPath) {}

    /** What a name stands for. */
    sealed interface Found {}

    /**
     * A table with rows to protect. Also a database view that is treated as one, for lack of its definition.
     *
     * @param visibleColumns number of leading columns that {@code *} gives
     * @param arbiters on what rows new ones may strike
     * @param inSnapshots whether a transaction that has a snapshot sees its rows as they were then
     */
    record BaseTable(Table table, int visibleColumns, Arbiters arbiters, boolean inSnapshots) implements Found {

        /** A table without hidden columns. */
        public BaseTable(Table table) {
            this(table, table.arity(), Arbiters.KEYS, true);
        }
    }

    /** A table of the database's catalogue. {@code schema} and {@code name} in lower case. */
    record CatalogueTable(String schema, String name) implements Found {}

    /**
     * A database view with its definition, which is read in its place.
     *
     * @param name canonical name, for messages
     * @param columns names of its columns
     * @param definition the query
     * @param searchPath where the definition's unqualified names are looked up
     */
    record ViewDefinition(String name, List<String> columns, Query definition, List<String> searchPath)
            implements Found {
        public ViewDefinition {
            columns = List.copyOf(columns);
            searchPath = List.copyOf(searchPath);
        }
    }

    /**
     * Nothing, or something that cannot be read.
     *
     * @param reason why, in words that follow the name: {@code "is a foreign table"}; null if there is no such table
     */
    record Unknown(@Nullable String reason) implements Found {}
}
