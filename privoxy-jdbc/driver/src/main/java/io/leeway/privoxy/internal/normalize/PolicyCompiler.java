package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.policy.ViewCompiler;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ParsedSql;
import io.leeway.privoxy.internal.sql.SqlOptions;
import io.leeway.privoxy.internal.sql.SqlParser;
import io.leeway.privoxy.internal.sql.UnsupportedSqlException;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.FromItem;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.Node;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Compiles the queries of a policy. Unlike a statement, a view must be exact: what it grants is what it says. So it is
 * made of joins and conditions that conjunctive queries express, UNION, and the existence of rows in sub-queries;
 * anything that would have to be approximated is refused. DISTINCT changes nothing, since a view is a set.
 *
 * <p>The same readers as for statements, with {@link Work#exact} set: wherever they would take more rows than the text
 * says they refuse instead. A view that showed more than it says would grant it; that is the opposite direction of a
 * statement's obligation.
 */
public final class PolicyCompiler implements ViewCompiler {

    /** Functions whose result a statement may set that changes neither reading nor values. */
    private static final Set<String> ASKING = Set.of(
            "current_setting",
            "current_schema",
            "current_schemas",
            "current_catalog",
            "current_path",
            "database",
            "schema",
            "pg_client_encoding",
            "charset",
            "collation",
            "lock_mode",
            "readonly",
            "autocommit");

    private final SqlOptions options;
    private final TableResolver resolver;
    private final List<String> searchPath;
    /**
     * Read by {@link #lookAhead}, and not compiled yet. Views are read twice at start: once for the names of their
     * tables, so that these are looked up in one round trip, then one after the other.
     */
    private final Map<String, ParsedSql> ahead = new ConcurrentHashMap<>();

    /**
     * A compiler for the policies of one database.
     *
     * @param options how the database reads text; of policies, {@link SqlOptions#forPolicy} is taken
     * @param searchPath where unqualified tables are looked up
     */
    public PolicyCompiler(SqlOptions options, TableResolver resolver, List<String> searchPath) {
        this.options = options.forPolicy();
        this.resolver = resolver;
        this.searchPath = List.copyOf(searchPath);
    }

    /** A refusal names the construct and its position, so that who writes the policy finds it. */
    @Override
    public Compiled compile(String sql, Map<String, ColumnType> context) {
        ParsedSql read = ahead.remove(sql);
        ParsedSql parsed = read != null ? read : SqlParser.parse(sql, options);
        var work = new Work(
                sql, options.dialect(), resolver, new Arguments(List.of()), true, context, AllowedFunctions.NONE);
        return work.closed(() -> compile(parsed, context, work), 0);
    }

    @Override
    public void lookAhead(List<String> queries) {
        ahead.clear();
        Set<List<String>> names = new LinkedHashSet<>();
        for (String sql : queries) {
            try {
                ParsedSql parsed = SqlParser.parse(sql, options);
                parsed.statements().forEach(statement -> addTables(statement, names));
                ahead.put(sql, parsed);
            } catch (UnsupportedSqlException refused) {
                // Compiling says so, with what surrounds it.
            }
        }
        resolver.prefetch(List.copyOf(names), searchPath);
    }

    private static void addTables(Node node, Set<List<String>> names) {
        if (node instanceof FromItem.Table table) {
            names.add(table.name().parts().stream().map(Name::text).toList());
        }
        Tree.children(node).forEach(child -> addTables(child, names));
    }

    private Compiled compile(ParsedSql parsed, Map<String, ColumnType> context, Work work) {
        if (parsed.statements().size() != 1 || !(parsed.statements().get(0) instanceof Statement.Select select)) {
            // The text is the operator's, but two statements in one view are a mistake, not a policy.
            throw work.refuse("anything but one SELECT in a policy", 0);
        }
        checkParameters(select, context, work);
        // A view of the catalogue, or of nothing, grants what is granted anyway; a name that means another table than
        // was intended shows so.
        if (new Vetting(work, searchPath).isPublic(select)) {
            throw work.refuse("a view without tables of its own", select.position());
        }
        var place = CommonTables.enter(select.query().with(), new Place(null, null, searchPath));
        List<QueryBody.Select> selects = new ArrayList<>();
        collect(select.query(), selects, work);
        List<Draft> drafts = new UnionReader(work, place, Absence.NONE, Context.ROOT).drafts(selects);
        if (drafts == null) {
            throw work.refuse("a view whose meaning is not exactly a union of joins", select.position());
        }
        UnionQuery query = new Numbering(work.arguments).union(drafts);
        // MariaDB's sql_mode also decides what a CHAR is to a function.
        // Then the session may not set what such a view depends on (PolicyMeaningIT): who chooses the time zone chooses
        // which rows now() - interval '1 day' opens.
        boolean asksSession = !Symbols.isSteady(query) || work.dialect == Dialect.MARIADB && Symbols.calls(query);
        return new Compiled(
                query, columns(selects.get(0), place, work), work.reads(), asksSession, asksSettings(select, work));
    }

    /** Whether something about the session is asked for by name. */
    private static boolean asksSettings(Node node, Work work) {
        return node instanceof Expr.Variable
                || node instanceof Expr.Call call
                        && ASKING.contains(call.name().last().text().toLowerCase(Locale.ROOT))
                // By the text, not by the query: a value that is compared with itself is gone from the query and would
                // still be asked for.
                || Tree.children(node).stream().anyMatch(child -> asksSettings(child, work));
    }

    private static void checkParameters(Node node, Map<String, ColumnType> context, Work work) {
        if (node instanceof Expr.PolicyParameter parameter && !context.containsKey(parameter.name())) {
            throw work.refuse("the undeclared parameter ?" + parameter.name(), parameter.position());
        }
        Tree.children(node).forEach(child -> checkParameters(child, context, work));
    }

    /**
     * The SELECTs whose union the view is.
     *
     * <p>A limit or an order makes no set of rows that could be written as conditions; a lock belongs to a statement
     * that is run, and a view is not.
     */
    private static void collect(Query query, List<QueryBody.Select> selects, Work work) {
        if (query.limit() != null) {
            throw work.refuse("LIMIT in a policy", query.limit().position());
        }
        if (!query.orderBy().isEmpty()) {
            throw work.refuse("ORDER BY in a policy", query.orderBy().get(0).position());
        }
        if (!query.locking().isEmpty()) {
            throw work.refuse("FOR UPDATE in a policy", query.locking().get(0).position());
        }
        collect(query.body(), selects, work);
    }

    private static void collect(QueryBody body, List<QueryBody.Select> selects, Work work) {
        if (body instanceof QueryBody.SetOperation operation) {
            if (operation.kind() != QueryBody.SetKind.UNION) {
                throw work.refuse(operation.kind() + " in a policy", operation.position());
            }
            // UNION and UNION ALL alike, as a view is a set.
            collect(operation.left(), selects, work);
            collect(operation.right(), selects, work);
        } else if (body instanceof QueryBody.Nested nested) {
            if (nested.query().with() != null) {
                throw work.refuse("WITH in parentheses in a policy", nested.position());
            }
            collect(nested.query(), selects, work);
        } else {
            QueryBody.Select select = InlineReader.select(body);
            if (select == null) {
                throw work.refuse("VALUES in a policy", body.position());
            }
            selects.add(plain(select, work));
        }
    }

    /**
     * What groups or counts says something of several rows at once. A view could show such a number; the chase has no
     * rule for it.
     */
    private static QueryBody.Select plain(QueryBody.Select select, Work work) {
        if (!select.groupBy().isEmpty()) {
            throw work.refuse("GROUP BY in a policy", select.groupBy().get(0).position());
        }
        if (select.having() != null) {
            throw work.refuse("HAVING in a policy", select.having().position());
        }
        Traits traits = Traits.of(select, List.of(), work);
        if (!traits.isPlain()) {
            throw work.refuse(
                    "aggregates, window functions or functions that return rows in a policy", select.position());
        }
        if (!select.distinctOn().isEmpty()) {
            throw work.refuse(
                    "DISTINCT ON in a policy", select.distinctOn().get(0).position());
        }
        return select;
    }

    /** The view's columns, for messages and for what shows a policy to people. */
    private static List<String> columns(QueryBody.Select select, Place place, Work work) {
        From from = new FromReader(work, Absence.NONE).read(select.from(), place, false);
        Place inside = place.within(from.scope(place.scope()));
        List<String> names = new ArrayList<>();
        for (ScopeColumn column : new SelectColumns(work, inside).of(select.items())) {
            names.add(column.name().equals(ScopeColumn.UNNAMED) ? "column" + (names.size() + 1) : column.name());
        }
        return names;
    }
}
