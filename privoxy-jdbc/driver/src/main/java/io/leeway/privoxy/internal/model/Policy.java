package io.leeway.privoxy.internal.model;

import java.util.List;
import java.util.Map;

/**
 * A policy bound to a schema.
 *
 * @param schema the tables that the policy or a query names
 * @param context names and types of the request's parameters
 * @param views the grants
 * @param inclusions what the database cannot tell
 */
public record Policy(Schema schema, Map<String, ColumnType> context, List<View> views, List<Inclusion> inclusions) {
    public Policy {
        context = Map.copyOf(context);
        views = List.copyOf(views);
        inclusions = List.copyOf(inclusions);
    }
}
