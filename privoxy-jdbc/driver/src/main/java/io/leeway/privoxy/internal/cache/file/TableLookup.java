package io.leeway.privoxy.internal.cache.file;

import io.leeway.privoxy.internal.model.Table;
import org.jspecify.annotations.Nullable;

/**
 * Finds the tables that a file names.
 *
 * <p>Without a database it is a schema that was read from a file.
 */
@FunctionalInterface
public interface TableLookup {

    /** The table with this canonical name, or null if there is none. */
    @Nullable
    Table find(String name);
}
