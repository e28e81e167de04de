package io.leeway.privoxy.internal.cache.file;

import io.leeway.privoxy.internal.model.Table;
import org.jspecify.annotations.Nullable;

/** Finds the tables that a file names. */
@FunctionalInterface
public interface TableLookup {

    /** The table with this canonical name, or null if there is none. */
    @Nullable
    Table find(String name);
}
