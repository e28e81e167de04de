package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.ast.Alias;
import io.leeway.privoxy.internal.sql.ast.FromItem;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query in FROM that only joins and filters is put in the place of its name: its rows become rows of the outer block,
 * its WHERE a condition there, its columns the expressions that they are. Exact, for bags too: each row of the inner
 * query is one combination of its rows.
 *
 * <p>Inlining is what makes ORM queries and views with conditions provable: as a whole ({@link OpaqueReader}) the inner
 * query would have to be compliant by itself, although the outer WHERE asks for one row of it only.
 */
final class InlineReader {

    private final Work work;
    private final FromReader reader;

    InlineReader(Work work, FromReader reader) {
        this.work = work;
        this.reader = reader;
    }

    /** The query as part of the outer FROM, or null if it does more than join and filter. */
    @Nullable
    From inline(Query query, Place place, List<Name> names, @Nullable Alias alias, boolean nullable) {
        QueryBody.Select select = plain(query, work);
        if (select == null) {
            return null;
        }
        work.account.read(query.body());
        From inner = reader.read(select.from(), place, nullable);
        Place inside = place.within(inner.scope(place.scope()));
        // What nobody uses of the select list is still run; it may hold an aggregate of the outer query, which would
        // make that one group.
        UnusedItems.check(work, select, inside, reader.absence());
        List<ScopeColumn> columns = new SelectColumns(work, inside).of(select.items());
        columns = SelectColumns.renamed(columns, names, work, query.position());
        var from = new From();
        from.addContent(inner);
        // As filters of the FROM: on the nullable side of an outer join they belong to the part, not to WHERE.
        from.filters.addAll(Filter.of(select.where(), work, inside));
        reader.name(from, null, null, columns, alias, query.position());
        return from;
    }

    /** The SELECT of a query that only joins and filters, or null. */
    static QueryBody.@Nullable Select plain(Query query, Work work) {
        if (query.limit() != null || !query.orderBy().isEmpty()) {
            // What it sorts by may group, multiply, or tell by the order.
            return null;
        }
        QueryBody.Select select = select(query.body());
        boolean plain = select != null
                && !select.distinct()
                && showsAllRows(select)
                && Traits.of(select, List.of(), work).isPlain();
        return plain ? select : null;
    }

    /**
     * Whether no clause leaves out some of the rows of FROM and WHERE: DISTINCT ON takes the first that it finds. A
     * side of a UNION with DISTINCT ON was taken for all of its rows, so that the first one by a hidden order passed
     * (SixthAttackIT.aSideOfAUnionTakesNoRowByAHiddenOrder). One place asks for sides and inner queries alike.
     */
    static boolean showsAllRows(QueryBody.Select select) {
        return select.distinctOn().isEmpty() && select.having() == null && select.qualify() == null;
    }

    /** A body as a SELECT: {@code TABLE t} is {@code SELECT * FROM t}. Null for other bodies. */
    static QueryBody.@Nullable Select select(QueryBody body) {
        if (body instanceof QueryBody.Select select) {
            return select;
        }
        if (!(body instanceof QueryBody.Table table)) {
            return null;
        }
        int position = table.position();
        return new QueryBody.Select(
                false,
                List.of(),
                List.of(new SelectItem.All(null, List.of(), position)),
                List.of(new FromItem.Table(table.name(), false, null)),
                null,
                List.of(),
                false,
                null,
                List.of(),
                null,
                position);
    }
}
