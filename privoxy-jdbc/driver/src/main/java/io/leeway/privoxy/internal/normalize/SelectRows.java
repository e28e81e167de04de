package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.ast.OrderItem;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import java.util.ArrayList;
import java.util.List;

/**
 * One reading of a SELECT: the block of its FROM and WHERE, and its clauses read at the place of the block.
 *
 * <p>Made once for each reading, so that all that is asked about it (its questions, its order, what is recorded) speaks
 * of the same rows.
 */
final class SelectRows {

    private final Work work;
    private final QueryBody.Select select;
    private final Place place;
    private final Block block;

    SelectRows(Work work, QueryBody.Select select, From from, Place outer, Absence absence) {
        this.work = work;
        this.select = select;
        this.place = outer.within(from.scope(outer.scope()));
        List<Filter> filters = new ArrayList<>(from.filters);
        filters.addAll(Filter.of(select.where(), work, place));
        this.block = new Block(work, from, filters, absence, select.position());
    }

    Block block() {
        return block;
    }

    Place place() {
        return place;
    }

    /** For a select list that stands here. */
    OutputReader reader(List<SelectItem> items) {
        return new OutputReader(work, place, items);
    }

    Outputs outputs(List<OrderItem> orderBy) {
        return new OutputReader(work, place, select.items()).of(select, orderBy);
    }
}
