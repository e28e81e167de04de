package io.leeway.privoxy.internal.policy;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.UnionQuery;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Turns the query of a policy view or assertion into its exact meaning. Thread-safe.
 *
 * <p>An interface so that this package does not depend on SQL's readers; {@code PolicyCompiler} is the one there is.
 */
public interface ViewCompiler {

    /**
     * Compiles one query.
     *
     * <p>A view has to be exact, while a query may reveal more than asked: a view that is read too widely would show
     * what its author did not write. So what cannot be said exactly is refused here.
     *
     * @param sql the query; {@code ?Name} is a context parameter
     * @param context the declared parameters
     * @throws io.leeway.privoxy.internal.sql.UnsupportedSqlException if it cannot be used, with the position in
     *     {@code sql}
     * @throws io.leeway.privoxy.internal.schema.SchemaUnavailableException if the database cannot be asked
     */
    Compiled compile(String sql, Map<String, ColumnType> context);

    /**
     * Tells which queries are about to be compiled, so that their tables can be read together. Faults are not told here
     * but by {@link #compile}.
     *
     * @throws io.leeway.privoxy.internal.schema.SchemaUnavailableException if the database cannot be asked
     */
    default void lookAhead(List<String> queries) {}

    /**
     * What a query means.
     *
     * @param query as a set; parameters are {@link io.leeway.privoxy.internal.model.Term.Context}
     * @param columns names of the head's columns
     * @param tables canonical names of all tables that it mentions
     * @param asksSession whether what it shows depends on the time or on settings of the session
     * @param asksSettings whether it asks for settings by their names, or for what they say
     */
    record Compiled(
            UnionQuery query, List<String> columns, Set<String> tables, boolean asksSession, boolean asksSettings) {
        public Compiled {
            columns = List.copyOf(columns);
            tables = Set.copyOf(tables);
        }
    }
}
