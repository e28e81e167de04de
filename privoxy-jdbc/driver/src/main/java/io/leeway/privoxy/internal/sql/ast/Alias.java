package io.leeway.privoxy.internal.sql.ast;

import java.util.List;

/** The name given to an item of FROM, with names for its first columns (possibly none). */
public record Alias(Name name, List<Name> columns) {
    public Alias {
        columns = List.copyOf(columns);
    }
}
