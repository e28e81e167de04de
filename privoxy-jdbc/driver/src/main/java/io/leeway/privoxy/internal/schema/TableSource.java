package io.leeway.privoxy.internal.schema;

import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds tables by the names that statements use. Thread-safe.
 *
 * <p>Between those who read SQL and the database: tests and the command line have others than {@link LiveSchema}.
 */
public interface TableSource {

    /**
     * The table that a name means.
     *
     * @param name parts as the dialect folded them, outermost first: {@code [table]}, {@code [schema, table]} or
     *     {@code [catalogue, schema, table]}
     * @param searchPath where unqualified names are looked up, first match wins
     * @return null if there is no such table
     * @throws SchemaUnavailableException if the database cannot be asked
     */
    @Nullable
    Relation find(List<String> name, List<String> searchPath);

    /**
     * Whether a name means no table, and whoever relies on it will hear when it does: that is another version of the
     * schema.
     *
     * @throws SchemaUnavailableException if the database cannot be asked
     */
    default boolean isAbsent(List<String> name, List<String> searchPath) {
        return find(name, searchPath) == null;
    }

    /** A table found before, by its canonical name; null if it was never looked for. */
    @Nullable
    Relation known(String canonical);

    /**
     * Reads several tables at once; those not found are passed over. For names that {@link #find} will be asked for.
     */
    default void prefetch(List<List<String>> names, List<String> searchPath) {
        for (List<String> name : names) {
            find(name, searchPath);
        }
    }

    /**
     * What a write to a table may change.
     *
     * @param canonical the table's name
     * @throws SchemaUnavailableException if the database cannot be asked
     */
    default Reach reach(String canonical) {
        return Reach.allOf(canonical);
    }

    /** Position of the column that a folded name means, or -1. */
    int column(Table table, String name);

    /**
     * The search path of a new session; policies are read with it.
     *
     * <p>Not the connection's present one: a policy means the same for all sessions.
     */
    List<String> searchPath();

    /**
     * Full names of the tables on a search path, for suggestions and reports only.
     *
     * <p>Never for decisions, as it is not kept and nobody hears of changes.
     */
    List<String> names(List<String> searchPath);

    /** What has been found so far. */
    Schema schema();
}
