package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.Table;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.impl.AbstractTable;

/** A table as Calcite sees it. */
final class LazyTable extends AbstractTable {

    private final Table table;

    LazyTable(Table table) {
        this.table = table;
    }

    Table table() {
        return table;
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory factory) {
        var builder = factory.builder();
        for (Column column : table.columns()) {
            boolean nullable = !table.isKey(column.id());
            builder.add(column.name(), Types.of(factory, column, nullable));
        }
        return builder.build();
    }
}
