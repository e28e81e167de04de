package io.leeway.privoxy.internal.sql.ast;

import java.util.List;

/** Where INSERT takes its rows from. */
public sealed interface InsertSource extends Node {

    /** VALUES; a value may be {@link Expr.Default}. */
    record Rows(List<List<Expr>> rows, int position) implements InsertSource {
        public Rows {
            rows = rows.stream().map(List::copyOf).toList();
        }
    }

    /** A query. */
    record FromQuery(Query query) implements InsertSource {
        @Override
        public int position() {
            return query.position();
        }
    }

    /** DEFAULT VALUES. */
    record Defaults(int position) implements InsertSource {}
}
