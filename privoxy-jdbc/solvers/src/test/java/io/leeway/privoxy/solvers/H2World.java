package io.leeway.privoxy.solvers;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.refute.SmallDatabase;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A small database in H2, with the schema's constraints, for queries written as SQL: a judge that shares no code with
 * whoever claims something about them. Case-insensitive texts are VARCHAR_IGNORECASE.
 */
final class H2World implements AutoCloseable {

    private final Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
    private final Schema schema;
    private final Map<String, Value> context;

    /** Fails with an {@link SQLException} if a row breaks a constraint. */
    H2World(Schema schema, SmallDatabase content, Map<String, Value> context) throws SQLException {
        this.schema = schema;
        this.context = context;
        try (Statement statement = connection.createStatement()) {
            for (Table table : schema.tables().values()) {
                statement.execute(ddl(table));
                for (List<Value> row : content.rows(table.name())) {
                    statement.execute("INSERT INTO " + table.name() + " VALUES " + "("
                            + String.join(
                                    ", ", row.stream().map(H2World::literal).toList()) + ")");
                }
            }
        } catch (SQLException broken) {
            connection.close();
            throw broken;
        }
    }

    private static String ddl(Table table) {
        List<String> parts = new ArrayList<>();
        for (Column column : table.columns()) {
            String type = switch (column.type().kind()) {
                case BOOLEAN -> "BOOLEAN";
                case TEXT -> column.type().hasExactEquality() ? "VARCHAR" : "VARCHAR_IGNORECASE";
                default -> "BIGINT";
            };
            parts.add(column.name() + " " + type + (column.nullable() ? "" : " NOT NULL"));
        }
        for (Key key : table.keys()) {
            String nulls = key.nullsDistinct() ? "" : " NULLS NOT DISTINCT";
            parts.add("UNIQUE" + nulls + " (" + String.join(", ", names(table, key.columns())) + ")");
        }
        return "CREATE TABLE " + table.name() + " (" + String.join(", ", parts) + ")";
    }

    private static List<String> names(Table table, List<Integer> columns) {
        return columns.stream()
                .map(column -> table.columns().get(column).name())
                .toList();
    }

    /** Whether every reference has its row. H2 itself would want a key where the model does not. */
    boolean fulfilsForeignKeys() throws SQLException {
        for (Table table : schema.tables().values()) {
            for (ForeignKey key : table.foreignKeys()) {
                Table target = Objects.requireNonNull(schema.table(key.target()));
                List<String> from = names(table, key.columns());
                List<String> to = names(target, key.targetColumns());
                List<String> conditions = new ArrayList<>();
                List<String> matches = new ArrayList<>();
                for (int i = 0; i < from.size(); i++) {
                    conditions.add("s." + from.get(i) + " IS NOT NULL");
                    matches.add("s." + from.get(i) + " = r." + to.get(i));
                }
                String dangling = "SELECT 1 FROM " + table.name() + " s WHERE " + String.join(" AND ", conditions)
                        + " AND NOT EXISTS (SELECT 1 FROM " + target.name() + " r WHERE "
                        + String.join(" AND ", matches) + ")";
                if (!rows(dangling).isEmpty()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The answer of a query, as a set. */
    Set<List<Value>> ask(UnionQuery query, List<Value> arguments) throws SQLException {
        Set<List<Value>> rows = new HashSet<>();
        for (ConjunctiveQuery disjunct : query.disjuncts()) {
            rows.addAll(ask(disjunct, arguments));
        }
        return rows;
    }

    /** The answer of one part of a union. */
    Set<List<Value>> ask(ConjunctiveQuery query, List<Value> arguments) throws SQLException {
        List<String> from = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (Atom atom : query.atoms()) {
            String alias = "a" + from.size();
            from.add(atom.table() + " " + alias);
            Table table = Objects.requireNonNull(schema.table(atom.table()));
            table.columns().forEach(column -> names.add(alias + "." + column.name()));
        }
        // A column of its own keeps a query without columns apart from one without rows.
        List<String> head = new ArrayList<>(List.of("1"));
        query.head().forEach(term -> head.add(text(term, names, arguments)));
        List<String> conditions = new ArrayList<>(List.of("TRUE"));
        query.conditions().forEach(condition -> conditions.add(text(condition, names, arguments)));
        return rows("SELECT " + String.join(", ", head) + (from.isEmpty() ? "" : " FROM " + String.join(", ", from))
                + " WHERE " + String.join(" AND ", conditions));
    }

    private String text(Condition condition, List<String> names, List<Value> arguments) {
        if (condition instanceof Condition.NullTest test) {
            return text(test.term(), names, arguments) + (test.isNull() ? " IS NULL" : " IS NOT NULL");
        }
        if (condition instanceof Condition.OneOf oneOf) {
            List<String> options = oneOf.options().stream()
                    .map(option -> text(option, names, arguments))
                    .toList();
            return text(oneOf.term(), names, arguments) + " IN (" + String.join(", ", options) + ")";
        }
        Condition.Comparison comparison = (Condition.Comparison) condition;
        String operator = switch (comparison.operator()) {
            case EQUAL -> " = ";
            case NOT_EQUAL -> " <> ";
            case LESS -> " < ";
            case LESS_OR_EQUAL -> " <= ";
        };
        return text(comparison.left(), names, arguments) + operator + text(comparison.right(), names, arguments);
    }

    private String text(Term term, List<String> names, List<Value> arguments) {
        if (term instanceof Term.Variable variable) {
            return names.get(variable.index());
        }
        if (term instanceof Term.Constant constant) {
            return literal(constant.value());
        }
        if (term instanceof Term.Parameter parameter) {
            return literal(arguments.get(parameter.index()));
        }
        if (term instanceof Term.Context name) {
            return literal(Objects.requireNonNull(context.get(name.name()), name.name()));
        }
        Term.Function function = (Term.Function) term;
        String argument = text(function.arguments().get(0), names, arguments);
        if (function.symbol().equals("key:ci")) {
            return "CAST(" + argument + " AS VARCHAR_IGNORECASE)";
        }
        return "(1 - " + argument + ")";
    }

    private static String literal(Value value) {
        return value.raw() instanceof String text ? "'" + text.replace("'", "''") + "'" : value.toString();
    }

    private Set<List<Value>> rows(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            Set<List<Value>> rows = new HashSet<>();
            while (result.next()) {
                List<Value> row = new ArrayList<>();
                for (int i = 2; i <= result.getMetaData().getColumnCount(); i++) {
                    row.add(value(result.getObject(i)));
                }
                rows.add(row);
            }
            return rows;
        }
    }

    private static Value value(Object raw) {
        if (raw == null) {
            return Value.NULL;
        }
        if (raw instanceof Number number) {
            return Value.of(new BigDecimal(number.toString()));
        }
        return raw instanceof Boolean truth ? Value.of(truth) : Value.of(raw.toString());
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
