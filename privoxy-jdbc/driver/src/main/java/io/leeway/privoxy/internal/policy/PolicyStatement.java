package io.leeway.privoxy.internal.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement of a policy file.
 *
 * <p>There is none that takes away: views only grant (Chang, UCB/EECS-2021-244, section 3.3), so that adding a file
 * never makes another view show less.
 */
sealed interface PolicyStatement {

    /** {@code CREATE CONTEXT name type, …}. */
    record Context(List<Parameter> parameters) implements PolicyStatement {
        public Context {
            parameters = List.copyOf(parameters);
        }
    }

    /** A parameter of the request context and its SQL type as written. */
    record Parameter(String name, String type, Position position) {}

    /**
     * {@code CREATE VIEW name [(columns)] AS query}.
     *
     * @param description the comment directly above
     * @param columns names given to the columns; empty if none are given
     */
    record View(String name, String description, List<String> columns, Body query, Position position)
            implements PolicyStatement {
        public View {
            columns = List.copyOf(columns);
        }
    }

    /**
     * {@code CREATE ASSERTION name AS query IS CONTAINED IN query} or {@code … AS query IS EMPTY}.
     *
     * @param right null for IS EMPTY
     */
    record Assertion(String name, Body left, @Nullable Body right, Position position) implements PolicyStatement {}
}
