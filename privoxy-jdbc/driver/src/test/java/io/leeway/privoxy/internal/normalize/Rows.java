package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Value;
import java.util.List;
import java.util.Map;

/** The contents of a small database: rows by canonical table name. */
record Rows(Map<String, List<List<Value>>> tables) {

    List<List<Value>> of(String table) {
        return tables.getOrDefault(table, List.of());
    }
}
