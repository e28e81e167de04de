package io.leeway.privoxy.internal.sql.ast;

import java.util.List;

/**
 * A type as named in a cast.
 *
 * @param name canonical lower-case name of a type known to the grammar ({@code timestamp with time zone},
 *     {@code character varying}), or the name as the database resolves it
 * @param schema qualifiers, mostly none
 * @param modifiers what stands in parentheses, as text: length, precision, scale
 * @param dimensions number of array dimensions
 */
public record TypeName(String name, List<Name> schema, List<String> modifiers, int dimensions, int position)
        implements Node {
    public TypeName {
        schema = List.copyOf(schema);
        modifiers = List.copyOf(modifiers);
    }
}
