package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One of the two databases that a solver is to choose: a fixed number of rows a table, each with a term for every
 * column. Not thread-safe.
 *
 * <p>Rows with an existence formula of their own, as in the table of Chang, UCB/EECS-2021-244, section 3.4 ("Exists?").
 * Rows that must exist have TRUE there, which simplifies most of the text away.
 */
final class SymbolicDatabase {

    private final Vocabulary vocabulary;
    private final Scope scope;
    private final String name;
    private final List<String> assertions;
    private final Map<String, List<SymbolicRow>> rows = new LinkedHashMap<>();
    private final Map<List<String>, SymbolicRow> byKey = new HashMap<>();
    private final Map<String, ColumnType> cellTypes = new LinkedHashMap<>();

    SymbolicDatabase(Vocabulary vocabulary, Scope scope, String name, List<String> assertions) {
        this.vocabulary = vocabulary;
        this.scope = scope;
        this.name = name;
        this.assertions = assertions;
        scope.tables().keySet().forEach(table -> rows.put(table, new ArrayList<>()));
    }

    Map<String, List<SymbolicRow>> rows() {
        return rows;
    }

    List<SymbolicRow> rows(String table) {
        return rows.getOrDefault(table, List.of());
    }

    /** Types of the terms that stand in cells. */
    Map<String, ColumnType> cellTypes() {
        return cellTypes;
    }

    /**
     * Adds rows of which the solver decides whether they exist.
     *
     * <p>Each cell a constant of its own: the solver fills the row as it needs.
     */
    void addOptional(TableShape shape, int count) {
        String table = shape.table().name();
        for (int i = 0; i < count; i++) {
            String hint = name + "." + table + "." + rows(table).size();
            add(
                    shape,
                    new SymbolicRow(vocabulary.flag("e." + hint), cells(shape, column -> vocabulary.constant(hint))));
        }
    }

    /**
     * Adds rows that make {@code row} an answer of the query.
     *
     * @return the head
     */
    List<String> addAnswer(ConjunctiveQuery query, Bindings bindings, List<@Nullable String> row) {
        ColumnClasses classes = new ColumnClasses(query, scope);
        Map<Integer, String> chosen = new HashMap<>();
        TermWriter terms = new TermWriter(vocabulary, bindings, index -> term(classes, chosen, index));
        List<Condition> rest = new ArrayList<>();
        for (Condition condition : query.conditions()) {
            // Equalities become one term instead of an assertion.
            if (!Unification.apply(condition, classes, terms)) {
                rest.add(condition);
            }
        }
        Unification.applyHead(query, row, classes);
        classes.groundPairs().forEach(pair -> assertions.add(vocabulary.equal(pair.left(), pair.right())));
        classes.nonNullRoots().forEach(root -> assertions.add(vocabulary.isNotNull(term(classes, chosen, root))));
        for (Atom atom : query.atoms()) {
            TableShape shape = scope.table(atom.table());
            place(shape, cells(shape, column -> term(classes, chosen, atom.firstVariable() + column)));
        }
        ConditionWriter conditions = new ConditionWriter(vocabulary, terms, classes::type);
        rest.forEach(condition -> assertions.add(conditions.write(condition)));
        List<String> head = query.head().stream().map(terms::write).toList();
        for (int i = 0; i < row.size(); i++) {
            String wanted = row.get(i);
            if (wanted != null) {
                assertions.add(vocabulary.equal(head.get(i), wanted));
            }
        }
        return head;
    }

    /** Columns of one class share their term, also where it is not known. */
    private String term(ColumnClasses classes, Map<Integer, String> chosen, int index) {
        int root = classes.root(index);
        String ground = classes.groundOf(root);
        return ground == null ? chosen.computeIfAbsent(root, key -> vocabulary.constant(name + ".c")) : ground;
    }

    /** Adds a row that exists; one that has the key of a row that exists already is that row. */
    private void place(TableShape shape, List<@Nullable String> cells) {
        List<String> key = new ArrayList<>(List.of(shape.table().name()));
        for (int column : shape.key()) {
            String cell = cells.get(column);
            if (cell != null) {
                key.add(cell);
            }
        }
        SymbolicRow row = new SymbolicRow(Logic.TRUE, cells);
        // By the text of the terms: two that are equal without looking so are left to the key's own assertion.
        SymbolicRow twin = byKey.putIfAbsent(key, row);
        if (twin == null) {
            add(shape, row);
        } else {
            for (int column : shape.columns().stream().toArray()) {
                assertions.add(vocabulary.equal(twin.cell(column), row.cell(column)));
            }
        }
    }

    private void add(TableShape shape, SymbolicRow row) {
        rows.computeIfAbsent(shape.table().name(), table -> new ArrayList<>()).add(row);
        shape.columns().stream()
                .forEach(column ->
                        // The model's elements have no type; the column that a term stands in tells it.
                        cellTypes.put(row.cell(column), shape.column(column).type()));
    }

    private static List<@Nullable String> cells(TableShape shape, java.util.function.IntFunction<String> cell) {
        List<@Nullable String> cells = new ArrayList<>();
        for (int column = 0; column < shape.table().arity(); column++) {
            cells.add(shape.has(column) ? cell.apply(column) : null);
        }
        return cells;
    }
}
