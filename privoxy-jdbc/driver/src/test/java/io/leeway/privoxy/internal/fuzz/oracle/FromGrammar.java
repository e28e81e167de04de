package io.leeway.privoxy.internal.fuzz.oracle;

import io.leeway.privoxy.internal.fuzz.oracle.TwinTable.Kind;
import io.leeway.privoxy.internal.sql.Dialect;
import java.util.List;

/** Draws what stands behind FROM: tables, queries and joins of them, inner, outer and by name. */
final class FromGrammar {

    private final Choices choices;
    private final Dialect dialect;
    private final QueryGrammar queries;
    private final ValueGrammar values;

    FromGrammar(Choices choices, Dialect dialect, QueryGrammar queries, ValueGrammar values) {
        this.choices = choices;
        this.dialect = dialect;
        this.queries = queries;
        this.values = values;
    }

    /** Puts into the scope what can be named. */
    String tables(Scope scope, int depth) {
        if (choices.onceIn(12)) {
            return byName(scope);
        }
        var text = new StringBuilder(item(scope, scope, depth));
        int joins = choices.pick(0, 0, 1, 1, 2);
        for (int i = 0; i < joins; i++) {
            text.append(join(scope, depth));
        }
        return text.toString();
    }

    private String join(Scope scope, int depth) {
        Scope right = new Scope(scope.outer);
        switch (choices.below(9)) {
            case 0 -> {
                String item = item(scope, right, depth);
                scope.joined(right);
                return ", " + item;
            }
            case 1 -> {
                String item = item(scope, right, depth);
                scope.joined(right);
                return " CROSS JOIN " + item;
            }
            case 2 -> {
                // A join on the right.
                String first = item(scope, right, 0);
                Scope inner = new Scope(scope.outer);
                String second = item(scope, inner, 0);
                String on = equal(right, inner);
                String nested = "(" + first + choices.pick(" JOIN ", " LEFT JOIN ") + second + " ON " + on + ")";
                right.joined(inner);
                return on(scope, right, nested, depth);
            }
            default -> {
                return on(scope, right, item(scope, right, depth), depth);
            }
        }
    }

    private String on(Scope scope, Scope right, String item, int depth) {
        String kind = dialect != Dialect.POSTGRESQL
                ? choices.pick(" JOIN ", " LEFT JOIN ", " LEFT JOIN ", " RIGHT JOIN ")
                : choices.pick(" JOIN ", " LEFT JOIN ", " LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN ");
        String on = choices.onceIn(8) ? choices.pick("TRUE", "FALSE", "1 = 0") : equal(scope, right);
        Scope both = new Scope(scope.outer).joined(scope).joined(right);
        if (!kind.equals(" FULL JOIN ") && choices.onceIn(3)) {
            on += " AND " + values.condition(both, Math.min(depth, 1) - 1);
        }
        if (!kind.equals(" JOIN ") && !right.guards.isEmpty() && choices.onceIn(2)) {
            on = right.guards.get(0) + " AND " + on;
            right.guards.remove(0);
        }
        scope.joined(right);
        return kind + item + " ON " + on;
    }

    /** A condition that joins, if there are columns for it. */
    private String equal(Scope left, Scope right) {
        Kind kind = choices.pick(Kind.TEXT, Kind.NUMBER);
        List<String> some = named(left, kind);
        List<String> others = named(right, kind);
        return some.isEmpty() || others.isEmpty()
                ? "TRUE"
                : choices.pick(some) + choices.pick(" = ", " = ", " = ", " < ") + choices.pick(others);
    }

    private static List<String> named(Scope scope, Kind kind) {
        return scope.columns.stream()
                .filter(column -> column.kind() == kind && column.isShown())
                .map(Scope.Named::reference)
                .toList();
    }

    /** Joined by names of columns, of which there is one then. */
    private String byName(Scope scope) {
        String left = queries.name();
        String right = queries.name();
        boolean codes = !choices.onceIn(3);
        String join = choices.pick(" JOIN ", " LEFT JOIN ", dialect == Dialect.POSTGRESQL ? " FULL JOIN " : " JOIN ");
        String table = choices.pick("j", "k");
        scope.parts.addAll(List.of(left, right));
        if (codes) {
            scope.columns.add(new Scope.Named(left + ".label", Kind.TEXT, true));
            // H2 wants to know whose.
            String code = dialect == Dialect.H2 ? left + ".code" : "code";
            scope.columns.add(new Scope.Named(code, Kind.TEXT, true));
            scope.columns.add(new Scope.Named(left + ".grp", Kind.NUMBER, true));
            return "k " + left + join + table + " " + right + " USING (code)";
        }
        scope.columns.add(new Scope.Named(dialect == Dialect.H2 ? left + ".id" : "id", Kind.NUMBER, true));
        scope.columns.add(new Scope.Named(left + ".text", Kind.TEXT, true));
        scope.columns.add(new Scope.Named(right + ".code", Kind.TEXT, true));
        return "notes " + left + join + "j " + right + " USING (id)";
    }

    /** A table or a query under a name; what is left of it can be seen by LATERAL. */
    private String item(Scope left, Scope into, int depth) {
        String name = queries.name();
        if (depth > 0 && choices.onceIn(4)) {
            List<Kind> kinds = queries.kinds(1 + choices.below(3));
            boolean isLateral = dialect == Dialect.POSTGRESQL && choices.onceIn(4);
            for (int i = 0; i < kinds.size(); i++) {
                into.columns.add(new Scope.Named(name + ".c" + i, kinds.get(i), true));
            }
            into.parts.add(name);
            String query = queries.query(isLateral && left != into ? left : null, depth - 1, kinds);
            return (isLateral ? "LATERAL " : "") + "(" + query + ") " + name;
        }
        if (dialect == Dialect.POSTGRESQL && choices.onceIn(20)) {
            into.columns.add(new Scope.Named(name + ".c0", Kind.NUMBER, true));
            return "(VALUES (1), (2)) " + name + "(c0)";
        }
        TwinTable table = choices.pick(TwinTable.ALL);
        boolean isGuarded = !table.guards().isEmpty() && !choices.onceIn(3);
        if (isGuarded) {
            into.guards.add(choices.pick(table.guards()).replace("%s", name));
        }
        for (TwinTable.Column column : table.columns()) {
            into.columns.add(new Scope.Named(name + "." + column.name(), column.kind(), column.isShown() || isGuarded));
        }
        into.parts.add(name);
        return table.name() + " " + name;
    }
}
