package io.leeway.privoxy.internal.sql.ast;

import java.util.List;

/** A WITH clause. */
public record With(boolean recursive, List<CommonTable> tables, int position) implements Node {
    public With {
        tables = List.copyOf(tables);
    }

    /**
     * A common table expression.
     *
     * @param columns column names; may be empty
     * @param statement a {@link Statement.Select}, in PostgreSQL also an INSERT, UPDATE, DELETE or MERGE
     */
    public record CommonTable(Name name, List<Name> columns, Statement statement) implements Node {
        public CommonTable {
            columns = List.copyOf(columns);
        }

        @Override
        public int position() {
            return name.position();
        }
    }
}
