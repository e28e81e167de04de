package io.leeway.privoxy.internal.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tables the checker knows of, by canonical name. Immutable. */
public record Schema(Map<String, Table> tables) {
    public Schema {
        tables = Map.copyOf(tables);
    }

    public @Nullable Table table(String name) {
        return tables.get(name);
    }
}
