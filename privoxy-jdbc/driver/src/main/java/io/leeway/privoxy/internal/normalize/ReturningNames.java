package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.ast.FromItem;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import io.leeway.privoxy.internal.sql.ast.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Names of the columns that a data-modifying WITH returns.
 *
 * <p>Only names: what the columns hold was revealed where the statement is read ({@link WriteReader}), so to the query
 * around it they are known.
 */
final class ReturningNames {

    private final Work work;

    ReturningNames(Work work) {
        this.work = work;
    }

    List<String> of(CommonTables.Entry entry) {
        Statement statement = entry.table.statement();
        if (statement instanceof Statement.Insert insert) {
            return names(List.of(new FromItem.Table(insert.table(), false, null)), insert.returning(), entry);
        }
        if (statement instanceof Statement.Update update) {
            List<FromItem> items = new ArrayList<>(update.targets());
            items.addAll(update.from());
            return names(items, update.returning(), entry);
        }
        if (statement instanceof Statement.Delete delete) {
            List<FromItem> items = new ArrayList<>(delete.targets());
            items.addAll(delete.using());
            return names(items, delete.returning(), entry);
        }
        throw work.refuse("the rows of this WITH", statement.position());
    }

    private List<String> names(List<FromItem> items, List<SelectItem> returning, CommonTables.Entry entry) {
        // Read for the names of * alone; no question is made of these rows.
        From from = new FromReader(work, Absence.NONE).read(items, entry.place, false);
        Place inside = entry.place.within(from.scope(entry.place.scope()));
        return new SelectColumns(work, inside)
                .of(returning).stream().map(ScopeColumn::name).toList();
    }
}
