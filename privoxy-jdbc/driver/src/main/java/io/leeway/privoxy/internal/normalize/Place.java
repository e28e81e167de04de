package io.leeway.privoxy.internal.normalize;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where an expression or a query stands: what its names may mean.
 *
 * <p>It travels with whatever is read later ({@link Cell.OfExpression}, {@link CommonTables.Entry}): a name means what
 * it means where it is written, not where its value is used.
 *
 * @param scope columns in sight, or null outside of every FROM
 * @param tables common table expressions in sight, or null
 * @param searchPath where other unqualified tables are looked up
 */
record Place(@Nullable Scope scope, @Nullable CommonTables tables, List<String> searchPath) {

    Place within(Scope inner) {
        return new Place(inner, tables, searchPath);
    }

    Place with(CommonTables more) {
        return new Place(scope, more, searchPath);
    }
}
