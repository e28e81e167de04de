package io.leeway.privoxy.internal.model;

import java.util.List;

/**
 * A policy view: what it returns, as a set, the user may know.
 *
 * @param name name in the policy file
 * @param description the comment above it, or empty
 * @param query its meaning; parameters are {@link Term.Context}
 * @param columns names of the head's columns
 * @param origin file and line, for messages
 */
public record View(String name, String description, UnionQuery query, List<String> columns, String origin) {
    public View {
        columns = List.copyOf(columns);
    }
}
