package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.Freshness;
import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.model.Catalog;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.ColumnType;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.sql.Lexer.Kind;
import io.leeway.lazybase.internal.sql.Lexer.Token;
import io.leeway.lazybase.internal.sql.Statement.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads statements, plans queries, and finds out what types parameters have. Thread-safe. */
final class Preparer {

    private static final Pattern HINT =
            Pattern.compile("(freshness|window|at_least)\\s*\\(\\s*'([^']*)'\\s*\\)", Pattern.CASE_INSENSITIVE);

    private final Engine engine;

    Preparer(Engine engine) {
        this.engine = engine;
    }

    /**
     * Reads a statement, and plans it if it is a query.
     *
     * @param oids PostgreSQL's numbers of the parameters' types as far as the client says; 0 if it does not
     */
    Prepared prepare(String sql, int[] oids) {
        Statement statement = StatementParser.parse(sql);
        Catalog catalog = engine.pipeline().catalog();
        if (statement instanceof Statement.Query) {
            return query(statement, statement.sql(), oids, catalog);
        }
        if (statement instanceof Statement.Explain explain) {
            Prepared inner = query(explain.query(), explain.query().sql(), oids, catalog);
            List<Column> columns = explain.freshness() ? PriceRows.COLUMNS : List.of(text("QUERY PLAN"));
            return new Prepared(statement, inner.parameters(), columns, inner.query(), inner.order(), inner.hints());
        }
        if (statement instanceof Statement.Show show) {
            return new Prepared(statement, List.of(), List.of(text(show.name())), "", List.of(), Prepared.Hints.NONE);
        }
        return new Prepared(statement, parameters(statement, catalog), null, "", List.of(), Prepared.Hints.NONE);
    }

    static Column text(String name) {
        return new Column(0, name, ColumnType.TEXT, 0, 0, false);
    }

    private Prepared query(Statement statement, String sql, int[] oids, Catalog catalog) {
        String rewritten = Rewriter.rewrite(sql);
        var order = new ArrayList<Integer>();
        Prepared.Hints hints = hints(rewritten);
        String marked = marked(rewritten, oids, order, false);
        Planned planned;
        try {
            planned = plan(marked, catalog);
        } catch (LazyBaseException e) {
            if (order.isEmpty() || !String.valueOf(e.getMessage()).contains("dynamic parameter")) {
                throw e;
            }
            // The place does not say what type the parameter has; the client may.
            order.clear();
            planned = plan(marked(rewritten, oids, order, true), catalog);
        }
        Plan plan = planned.plan;
        int count = order.stream().mapToInt(number -> number + 1).max().orElse(0);
        var parameters = new ArrayList<Column>();
        for (int i = 0; i < count; i++) {
            int place = order.indexOf(i);
            parameters.add(place < 0 ? text("?") : plan.parameters().get(place));
        }
        return new Prepared(statement, parameters, plan.columns(), planned.text, List.copyOf(order), hints);
    }

    /** A plan and the text that it is of. */
    private record Planned(String text, Plan plan) {}

    private Planned plan(String text, Catalog catalog) {
        try {
            return new Planned(text, engine.plan(text, catalog));
        } catch (LazyBaseException e) {
            String quoted = e.code() == Code.SYNTAX ? ReservedNames.quoted(text, catalog) : text;
            if (quoted.equals(text)) {
                throw e;
            }
            try {
                return new Planned(quoted, engine.plan(quoted, catalog));
            } catch (LazyBaseException again) {
                // Of a name that is not there the client wants to hear; of a text with our quotes not.
                throw again.code() == Code.SYNTAX ? e : again;
            }
        }
    }

    private static Prepared.Hints hints(String sql) {
        String freshness = "";
        String window = "";
        String atLeast = "";
        for (Token token : Lexer.tokens(sql)) {
            if (token.kind() != Kind.HINT) {
                continue;
            }
            Matcher matcher = HINT.matcher(token.text());
            while (matcher.find()) {
                switch (matcher.group(1).toLowerCase(Locale.ROOT)) {
                    case "freshness" -> freshness = matcher.group(2);
                    case "window" -> window = matcher.group(2);
                    default -> atLeast = matcher.group(2);
                }
            }
        }
        try {
            if (!freshness.isEmpty()) {
                Freshness.parse(freshness);
            }
            SessionSettings.window(window);
            SessionSettings.atLeast(atLeast);
        } catch (IllegalArgumentException e) {
            throw new LazyBaseException(Code.SYNTAX, e.getMessage() + ".", e);
        }
        return new Prepared.Hints(freshness, window, atLeast);
    }

    /** Question marks instead of numbered parameters; hints are taken out, so that they do not make another plan. */
    private static String marked(String sql, int[] oids, List<Integer> order, boolean typed) {
        var text = new StringBuilder();
        int at = 0;
        for (Token token : Lexer.tokens(sql)) {
            if (token.kind() == Kind.PARAMETER) {
                int number = Integer.parseInt(token.text()) - 1;
                order.add(number);
                text.append(sql, at, token.from());
                int oid = number < oids.length ? oids[number] : 0;
                text.append(typed ? "CAST(? AS " + Oids.sqlName(oid) + ")" : " ? ");
                at = token.to();
            } else if (token.kind() == Kind.HINT) {
                text.append(sql, at, token.from()).append(' ');
                at = token.to();
            }
        }
        return text.append(sql, at, sql.length()).toString();
    }

    /** Parameters of a statement that writes have the types of the columns that they are for. */
    private static List<Column> parameters(Statement statement, Catalog catalog) {
        var found = new TreeMap<Integer, Column>();
        if (statement instanceof Statement.Insert insert) {
            Table table = Definitions.need(catalog, insert.table());
            for (List<Value> row : insert.rows()) {
                for (int c = 0; c < row.size(); c++) {
                    note(found, row.get(c), c < width(table, insert) ? columnOf(table, insert, c) : text("?"));
                }
            }
        } else if (statement instanceof Statement.Update update) {
            Table table = Definitions.need(catalog, update.table());
            update.sets().forEach(set -> note(found, set.value(), named(table, set.column())));
            update.keys().forEach(key -> note(found, key.value(), named(table, key.column())));
            noteRest(found, update.sql());
        } else if (statement instanceof Statement.Delete delete) {
            Table table = Definitions.need(catalog, delete.table());
            delete.keys().forEach(key -> note(found, key.value(), named(table, key.column())));
            noteRest(found, delete.sql());
        }
        int count = found.isEmpty() ? 0 : found.lastKey();
        var parameters = new ArrayList<Column>();
        for (int i = 1; i <= count; i++) {
            parameters.add(found.getOrDefault(i, text("?")));
        }
        return parameters;
    }

    private static int width(Table table, Statement.Insert insert) {
        return insert.columns().isEmpty()
                ? table.columns().size()
                : insert.columns().size();
    }

    private static Column columnOf(Table table, Statement.Insert insert, int c) {
        return insert.columns().isEmpty()
                ? table.columns().get(c)
                : named(table, insert.columns().get(c));
    }

    static Column named(Table table, String name) {
        Column column = table.given(name);
        if (column == null) {
            throw new LazyBaseException(Code.NO_COLUMN, "Table " + table.name() + " has no column " + name + ".");
        }
        return column;
    }

    private static void note(Map<Integer, Column> found, Value value, Column column) {
        if (value instanceof Value.Parameter parameter) {
            found.putIfAbsent(parameter.number(), column);
        }
    }

    private static void noteRest(Map<Integer, Column> found, String sql) {
        for (Token token : Lexer.tokens(sql)) {
            if (token.kind() == Kind.PARAMETER) {
                found.putIfAbsent(Integer.parseInt(token.text()), text("?"));
            }
        }
    }
}
