package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.QueryPrinter;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.policy.ViewCompiler.Compiled;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ParsedSql;
import io.leeway.privoxy.internal.sql.Skeleton;
import io.leeway.privoxy.internal.sql.SqlOptions;
import io.leeway.privoxy.internal.sql.SqlParser;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A small schema in each dialect, and statements normalised on it in one call.
 *
 * <p>Tables are described as {@code "id! name:text mail:text"}: {@code !} is NOT NULL, the type is a whole number unless
 * named; keys as {@code "id"} or {@code "a,b"}, the first being the primary key.
 */
final class Fixture implements TableResolver {

    private final Dialect dialect;
    private final Map<String, Table> tables = new LinkedHashMap<>();

    Fixture(Dialect dialect) {
        this.dialect = dialect;
    }

    /** People, posts, comments, memberships: what most tests need. */
    static Fixture social(Dialect dialect) {
        return new Fixture(dialect)
                .table("users", "id! name:text! mail:citext! code:text age boss_id", "id", "mail", "code")
                .table("posts", "id! author_id! title:text! public:boolean! score:decimal(10,2) made:timestamp!", "id")
                .table("comments", "id! post_id! author_id! text:text", "id")
                .table("members", "user_id! group_id! since:date", "user_id,group_id")
                .table("logs", "level text:text");
    }

    Fixture table(String name, String columns, String... keys) {
        String folded = fold(name);
        List<Column> list = new ArrayList<>();
        for (String column : columns.split(" ")) {
            String[] parts = column.replace("!", "").split(":");
            list.add(new Column(fold(parts[0]), type(parts.length > 1 ? parts[1] : "bigint"), !column.contains("!")));
        }
        Table bare = new Table(schema() + "." + folded, list, List.of(), List.of());
        List<Key> all = new ArrayList<>();
        for (String key : keys) {
            List<Integer> positions = new ArrayList<>();
            for (String column : key.split(",")) {
                positions.add(bare.indexOf(fold(column)));
            }
            all.add(new Key(folded + "_" + key.replace(",", "_"), positions, !all.isEmpty()));
        }
        tables.put(folded, new Table(bare.name(), list, all, List.of()));
        return this;
    }

    Schema modelSchema() {
        Map<String, Table> byName = new LinkedHashMap<>();
        tables.values().forEach(table -> byName.put(table.name(), table));
        return new Schema(byName);
    }

    private String schema() {
        return dialect == Dialect.H2 ? "S" : "s";
    }

    private String fold(String name) {
        return dialect == Dialect.H2 ? name.toUpperCase(Locale.ROOT) : name;
    }

    static ColumnType type(String name) {
        return switch (name) {
            case "bigint" -> ColumnType.integer("bigint");
            case "text" -> ColumnType.exact(ValueKind.TEXT, "text");
            case "citext" -> ColumnType.inexact(ValueKind.TEXT, "ci", "citext");
            case "boolean" -> ColumnType.exact(ValueKind.BOOLEAN, "boolean");
            case "timestamp" -> ColumnType.exact(ValueKind.TIMESTAMP, "timestamp");
            case "date" -> ColumnType.exact(ValueKind.DATE, "date");
            case "uuid" -> ColumnType.exact(ValueKind.UUID, "uuid");
            case "real" -> ColumnType.inexact(ValueKind.OPAQUE, "real", "real");
            case "decimal(10,2)" -> ColumnType.exact(ValueKind.NUMBER, "decimal(10,2)");
            default -> throw new IllegalArgumentException(name);
        };
    }

    @Override
    public Found resolve(List<String> name, List<String> searchPath) {
        String last = name.get(name.size() - 1);
        String schema = name.size() > 1 ? name.get(name.size() - 2).toLowerCase(Locale.ROOT) : "";
        boolean catalogue =
                schema.equals("pg_catalog") || schema.equals("information_schema") || schema.equals("mysql");
        if (catalogue || (last.startsWith("pg_") && dialect == Dialect.POSTGRESQL)) {
            return new CatalogueTable(catalogue ? schema : "pg_catalog", last.toLowerCase(Locale.ROOT));
        }
        Table table = schema.isEmpty() || schema.equals("s") ? tables.get(last) : null;
        return table == null ? new Unknown(null) : new BaseTable(table);
    }

    /** The statement with its literals in place. */
    Normalized read(String sql) {
        ParsedSql parsed = SqlParser.parse(sql, SqlOptions.of(dialect));
        return normalize(parsed, sql);
    }

    /** The statement with its literals lifted, as the checker reads it. */
    Normalized readLifted(String sql) {
        return normalize(Skeleton.of(sql, SqlOptions.of(dialect)).parse(), sql);
    }

    private Normalized normalize(ParsedSql parsed, String sql) {
        return new Normalizer(dialect, this, false)
                .normalize(parsed.statements().get(0), parsed.slots(), sql, List.of(schema()), "ann");
    }

    StatementPlan plan(String sql) {
        return read(sql).plan();
    }

    /** The obligations, each in one line. */
    List<String> obligations(String sql) {
        return print(plan(sql));
    }

    List<String> print(StatementPlan plan) {
        var printer = new QueryPrinter(modelSchema());
        return plan.obligations().stream()
                .map(obligation -> printer.print(obligation).replace(schema() + ".", ""))
                .toList();
    }

    /** The recorded parts, each in one line, and whether they are complete. */
    List<String> recording(String sql) {
        var printer = new QueryPrinter(modelSchema());
        StatementPlan plan = plan(sql);
        List<String> lines = new ArrayList<>();
        plan.recording().parts().forEach(part -> lines.add(printer.print(part).replace(schema() + ".", "")));
        if (plan.recording().complete()) {
            lines.add("complete");
        }
        return lines;
    }

    Compiled view(String sql, Map<String, ColumnType> context) {
        return new PolicyCompiler(SqlOptions.of(dialect), this, List.of(schema())).compile(sql, context);
    }

    String printedView(String sql) {
        Map<String, ColumnType> context = Map.of("MyUId", type("bigint"), "MyName", type("text"));
        return new QueryPrinter(modelSchema()).print(view(sql, context).query()).replace(schema() + ".", "");
    }
}
