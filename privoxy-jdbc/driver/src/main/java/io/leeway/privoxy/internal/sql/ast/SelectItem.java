package io.leeway.privoxy.internal.sql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One item of a select list. */
public sealed interface SelectItem extends Node {

    /**
     * A value.
     *
     * @param alias name given to it, or null
     * @param text the expression as written, which is what MariaDB calls the column without an alias
     */
    record Value(Expr expr, @Nullable Name alias, String text) implements SelectItem {
        @Override
        public int position() {
            return expr.position();
        }
    }

    /**
     * {@code *} or {@code t.*}.
     *
     * @param qualifier the table, or null for all
     * @param except columns left out (H2)
     */
    record All(@Nullable QualifiedName qualifier, List<QualifiedName> except, int position) implements SelectItem {
        public All {
            except = List.copyOf(except);
        }
    }
}
