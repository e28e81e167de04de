package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Alias;
import io.leeway.privoxy.internal.sql.ast.FromItem;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a FROM clause. A FULL JOIN has rows of two kinds, those with a left side and those without; the clause is then
 * read once for each choice, and its rows are those of all readings together.
 *
 * <p>The other kinds of join keep the rows of one side, so that side can be the block's rows and the other an
 * {@link OptionalPart}. Of a FULL JOIN neither can: {@code a FULL JOIN b} has rows without b and rows without a. Read
 * twice, as a LEFT JOIN and as the b without match, it is two blocks of the usual kind.
 */
final class FromReader {

    // Each doubles the readings, and each reading is revealed by itself.
    private static final int MOST_FULL_JOINS = 2;

    private final Work work;
    private final Absence absence;
    /** Which kind of rows the FULL JOINs have in this reading, one bit each. */
    private int choice;

    private int fullJoins;
    /**
     * The list of items that is being read. For the refusal of names that a join's condition does not see: other items
     * of the same list (Scope).
     */
    private From whole = new From();

    FromReader(Work work, Absence absence) {
        this.work = work;
        this.absence = absence;
    }

    Absence absence() {
        return absence;
    }

    /** The readings of a clause; one unless there is a FULL JOIN. */
    List<From> readAll(List<FromItem> items, Place place) {
        List<From> readings = new ArrayList<>();
        int count = 1;
        // How many FULL JOINs there are shows only while reading, so the first reading says how many are to follow.
        for (choice = 0; choice < count; choice++) {
            fullJoins = 0;
            readings.add(read(items, place, false));
            if (fullJoins > MOST_FULL_JOINS) {
                throw work.refuse(
                        "more than " + MOST_FULL_JOINS + " FULL JOINs",
                        items.get(0).position());
            }
            count = 1 << fullJoins;
        }
        return readings;
    }

    /** The items of a list, each row of one with each row of the others. */
    From read(List<FromItem> items, Place place, boolean nullable) {
        From around = whole;
        whole = new From();
        From from = whole;
        for (FromItem item : items) {
            // One after the other: LATERAL sees the items that stand before it.
            from.cross(item(item, place, from, nullable));
        }
        whole = around;
        return from;
    }

    /**
     * One item.
     *
     * @param place outside of this FROM
     * @param before what stands before it, which LATERAL may refer to
     * @param nullable whether it is on the nullable side of an outer join
     */
    private From item(FromItem item, Place place, From before, boolean nullable) {
        work.spend(item.position());
        work.account.read(item);
        if (item instanceof FromItem.Table table) {
            return table(table, place, nullable);
        }
        if (item instanceof FromItem.Join join) {
            return join(join, place, before, nullable);
        }
        if (item instanceof FromItem.Derived derived) {
            Place inside = derived.lateral() ? lateral(place, before) : place;
            return derived(derived.query(), inside, List.of(), derived.alias(), nullable, derived.lateral(), null);
        }
        var function = (FromItem.Function) item;
        return opaque(null).function(function, lateral(place, before));
    }

    // A function in FROM sees what stands before it without the word LATERAL, by the standard.
    private static Place lateral(Place place, From before) {
        return place.within(before.scope(place.scope()));
    }

    // --- tables ------------------------------------------------------------------------------------------------------

    private From table(FromItem.Table table, Place place, boolean nullable) {
        QualifiedName name = table.name();
        CommonTables tables = place.tables();
        CommonTables.Entry common = !name.isSimple() || tables == null
                ? null
                : tables.find(name.last().text(), work, name.position());
        if (common != null) {
            return common(common, table, nullable);
        }
        List<String> parts = name.parts().stream().map(Name::text).toList();
        TableResolver.Found found = work.resolver.resolve(parts, place.searchPath());
        if (found instanceof TableResolver.BaseTable base) {
            if (table.only()) {
                // Without its partitions or descendants a table is other rows than the checker knows under its name.
                throw work.refuse("ONLY", name.position());
            }
            return base(base, table);
        }
        if (found instanceof TableResolver.ViewDefinition view) {
            return work.deeper(name.position(), () -> view(view, table, nullable));
        }
        if (found instanceof TableResolver.CatalogueTable) {
            // By Vetting a statement that reads nothing else has passed already. Beside tables the catalogue's rows
            // would be in no question.
            throw work.refuse("the catalogue table " + name + " together with other tables", name.position());
        }
        String reason = ((TableResolver.Unknown) found).reason();
        // H2's DUAL has one row and no column; if there is a table of that name it is found before.
        boolean dual = work.dialect == Dialect.H2
                && name.isSimple()
                && name.last().text().equals("DUAL");
        if (dual && reason == null) {
            return new From();
        }
        if (reason == null) {
            throw work.noTable("the table " + name + ", which does not exist", name.position(), parts);
        }
        throw work.refuse("the table " + name + ", which " + reason, name.position());
    }

    private From base(TableResolver.BaseTable found, FromItem.Table item) {
        Table table = found.table();
        Use use = work.use(found, item);
        List<ScopeColumn> columns = new ArrayList<>();
        for (int i = 0; i < table.arity(); i++) {
            // Columns that * does not give (H2's and MariaDB's invisible ones) stand behind the others and can still be
            // named.
            boolean hidden = i >= found.visibleColumns();
            columns.add(new ScopeColumn(table.columns().get(i).name(), new Cell.OfRow(use, i), hidden));
        }
        var from = new From();
        from.rows.add(use);
        Alias alias = item.alias();
        String qualifier = alias == null ? schemaOf(table) : null;
        name(from, alias == null ? item.name().last().text() : null, qualifier, columns, alias, item.position());
        return from;
    }

    private static String schemaOf(Table table) {
        int dot = table.name().lastIndexOf('.');
        return dot < 0 ? "" : table.name().substring(0, dot);
    }

    private From view(TableResolver.ViewDefinition view, FromItem.Table item, boolean nullable) {
        work.held.hasView();
        // Not that of the statement: a view's names were looked up when it was made. Read in the session's search path
        // it would be another query than the one that runs.
        var inside = new Place(null, null, view.searchPath());
        List<Name> columns = view.columns().stream()
                .map(column -> Name.of(column, item.position()))
                .toList();
        // What the view's text leaves unordered cannot be mended by adding to the statement's text.
        work.order.beginElsewhere();
        try {
            return derived(view.definition(), inside, columns, aliasOf(item), nullable, false, null);
        } finally {
            work.order.endElsewhere();
        }
    }

    private static Alias aliasOf(FromItem.Table item) {
        Alias alias = item.alias();
        return alias != null ? alias : new Alias(item.name().last(), List.of());
    }

    private From common(CommonTables.Entry entry, FromItem.Table item, boolean nullable) {
        int position = item.position();
        if (entry.open) {
            // A recursive reference: its rows follow from those of the tables that the expression reads.
            return opaque(entry).recursive(entry, aliasOf(item), position);
        }
        return work.deeper(position, () -> {
            // While its query is read the name is a reference to itself, if WITH is RECURSIVE (it is not known
            // otherwise).
            entry.open = true;
            try {
                if (entry.table.statement() instanceof Statement.Select select) {
                    List<Name> names = entry.table.columns();
                    return derived(select.query(), entry.place, names, aliasOf(item), nullable, false, entry);
                }
                return opaque(entry).returning(entry, aliasOf(item), position);
            } finally {
                entry.open = false;
            }
        });
    }

    // --- queries -----------------------------------------------------------------------------------------------------

    private From derived(
            Query query,
            Place place,
            List<Name> names,
            @Nullable Alias alias,
            boolean nullable,
            boolean lateral,
            CommonTables.@Nullable Entry owner) {
        return work.deeper(query.position(), () -> {
            Query core = core(query);
            // In its place if that is exact; otherwise as a whole, which asks for more.
            Place inside = CommonTables.enter(core.with(), place);
            From inlined = new InlineReader(work, this).inline(core, inside, names, alias, nullable);
            return inlined != null ? inlined : opaque(owner).query(core, place, names, alias, nullable, lateral);
        });
    }

    private OpaqueReader opaque(CommonTables.@Nullable Entry owner) {
        return new OpaqueReader(work, absence, owner);
    }

    /**
     * Without parentheses around the whole.
     *
     * <p>Not where the outer query has clauses of its own: {@code (SELECT … LIMIT 3) ORDER BY x} sorts what the limit
     * has let pass.
     */
    static Query core(Query query) {
        Query core = query;
        while (core.with() == null
                && core.orderBy().isEmpty()
                && core.limit() == null
                && core.body() instanceof QueryBody.Nested nested) {
            core = nested.query();
        }
        return core;
    }

    /** Puts columns under the names that an item gives them. */
    void name(
            From from,
            @Nullable String ownName,
            @Nullable String qualifier,
            List<ScopeColumn> columns,
            @Nullable Alias alias,
            int position) {
        List<ScopeColumn> renamed = new ArrayList<>(columns);
        if (alias != null) {
            if (alias.columns().size() > columns.size()) {
                throw work.refuse("more column names than columns", position);
            }
            for (int i = 0; i < alias.columns().size(); i++) {
                // The list may be shorter than the columns: the rest keep their names.
                renamed.set(i, columns.get(i).named(alias.columns().get(i).text()));
            }
        }
        String name = alias != null ? alias.name().text() : ownName == null ? ScopeColumn.UNNAMED : ownName;
        from.relations.add(new Relation(name, qualifier, renamed));
        from.visible.addAll(renamed);
    }

    // --- joins -------------------------------------------------------------------------------------------------------

    private From join(FromItem.Join join, Place place, From before, boolean nullable) {
        FromItem.JoinKind kind = join.kind();
        boolean leftNullable = kind == FromItem.JoinKind.RIGHT || kind == FromItem.JoinKind.FULL;
        boolean rightNullable = kind == FromItem.JoinKind.LEFT || kind == FromItem.JoinKind.FULL;
        // The reading without left rows would have to be one case of the part that the FULL JOIN is in; parts are read
        // for one case at a time.
        if (kind == FromItem.JoinKind.FULL && nullable) {
            throw work.refuse("FULL JOIN inside an outer join", join.position());
        }
        // The n-th FULL JOIN of the text is the n-th bit, since each reading meets them in the same order.
        boolean rightOnly = kind == FromItem.JoinKind.FULL && (choice >> fullJoins & 1) == 1;
        if (kind == FromItem.JoinKind.FULL) {
            fullJoins++;
        }
        From left = item(join.left(), place, before, nullable || leftNullable);
        // LATERAL on the right sees the left side of its join; names only, its rows are not the right side's.
        var beforeRight = new From();
        beforeRight.relations.addAll(before.relations);
        beforeRight.visible.addAll(before.visible);
        beforeRight.relations.addAll(left.relations);
        beforeRight.visible.addAll(left.visible);
        From right = item(join.right(), place, beforeRight, nullable || rightNullable);
        return new JoinReader(work, join, place, whole, rightOnly).join(left, right);
    }
}
