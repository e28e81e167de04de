package io.leeway.privoxy.internal.sql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * ON CONFLICT or ON DUPLICATE KEY UPDATE.
 *
 * @param duplicateKey whether it is MariaDB's form
 * @param keys columns or expressions that name the index; may be empty
 * @param keyWhere predicate of a partial index, or null
 * @param constraint name of the constraint, or null
 * @param updates assignments; empty means DO NOTHING
 * @param where condition of the update, or null
 */
public record OnConflict(
        boolean duplicateKey,
        List<Expr> keys,
        @Nullable Expr keyWhere,
        @Nullable Name constraint,
        List<Assignment> updates,
        @Nullable Expr where,
        int position)
        implements Node {
    public OnConflict {
        keys = List.copyOf(keys);
        updates = List.copyOf(updates);
    }
}
