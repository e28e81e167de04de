package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Writes what every database fulfils, for one instance at a time. The key by which rows are told apart needs no formula
 * ({@link TableShape}); a further key makes the row a function of its columns: {@code k = byEmail(email(k))}, which
 * says the same as comparing rows in pairs and needs one variable where pairs need two.
 *
 * <p>The constraints that the dissertation says are "encoded similarly" (Chang, UCB/EECS-2021-244, section 3.4). They
 * must hold of every database there is: an assertion or a key that does not would prove what is not so.
 */
final class ConstraintWriter {

    private final Vocabulary vocabulary;
    private final Scope scope;
    private final QueryWriter queries;
    private final Bindings bindings;
    private final List<String> formulas = new ArrayList<>();

    ConstraintWriter(Vocabulary vocabulary, Scope scope, QueryWriter queries, Bindings bindings) {
        this.vocabulary = vocabulary;
        this.scope = scope;
        this.queries = queries;
        this.bindings = bindings;
    }

    /**
     * All constraints of the scope on one instance.
     *
     * <p>Each instance by itself: nothing here compares the two.
     */
    List<String> write(int instance) {
        formulas.clear();
        for (TableShape shape : scope.tables().values()) {
            writeColumns(instance, shape);
            shape.table().keys().forEach(key -> writeKey(instance, shape, key));
            scope.foreignKeys()
                    .getOrDefault(shape.table().name(), List.of())
                    .forEach(key -> writeForeignKey(instance, shape, key));
        }
        for (Inclusion inclusion : scope.inclusions()) {
            formulas.addAll(writeInclusion(instance, inclusion));
        }
        return List.copyOf(formulas);
    }

    /** The same instance on both sides: an assertion is about one database. */
    private List<String> writeInclusion(int instance, Inclusion inclusion) {
        UnionQuery right = inclusion.right();
        return queries.contained(inclusion.left(), instance, right, instance, bindings);
    }

    /** NOT NULL and the three values of a Boolean. */
    private void writeColumns(int instance, TableShape shape) {
        List<String> key = shape.keyVariables(vocabulary);
        List<String> facts = new ArrayList<>();
        for (int column : shape.columns().stream().toArray()) {
            String cell = shape.cell(vocabulary, instance, key, column);
            Column declared = shape.column(column);
            // Two values and NULL, so that a solver can tell cases apart which the chase would split.
            boolean isBoolean = declared.type().kind() == ValueKind.BOOLEAN
                    && declared.type().hasExactEquality();
            if (isBoolean) {
                facts.add(Logic.or(
                        vocabulary.equal(cell, vocabulary.value(Value.TRUE)),
                        vocabulary.equal(cell, vocabulary.value(Value.FALSE)),
                        declared.nullable() ? vocabulary.isNull(cell) : Logic.FALSE));
            } else if (!declared.nullable()) {
                facts.add(vocabulary.isNotNull(cell));
            }
        }
        formulas.add(Logic.forall(key, Logic.implies(shape.exists(vocabulary, instance, key), Logic.and(facts))));
    }

    private void writeKey(int instance, TableShape shape, Key key) {
        // A column of the key that nothing looks at may differ in any two rows, so the key demands nothing.
        if (!shape.hasAll(key.columns())) {
            return;
        }
        List<String> row = shape.keyVariables(vocabulary);
        List<String> premises = new ArrayList<>(List.of(shape.exists(vocabulary, instance, row)));
        List<String> arguments = new ArrayList<>();
        for (int column : key.columns()) {
            String cell = shape.cell(vocabulary, instance, row, column);
            // Rows with NULL in a unique key are exempt.
            if (key.nullsDistinct() && shape.column(column).nullable()) {
                premises.add(vocabulary.isNotNull(cell));
            }
            arguments.add(comparable(cell, shape.column(column).type()));
        }
        List<String> conclusions = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            String determined = row.get(i);
            // A column of the row's key that is one of this key's, too, determines itself.
            if (!arguments.contains(determined)) {
                String id = "key " + instance + " " + shape.table().name() + " " + key.columns() + " " + i;
                String hint = shape.table().name() + ".by."
                        + shape.column(key.columns().get(0)).name() + "." + instance;
                conclusions.add(vocabulary.equal(
                        determined, Logic.apply(vocabulary.function(id, hint, arguments.size()), arguments)));
            }
        }
        formulas.add(Logic.forall(row, Logic.implies(Logic.and(premises), Logic.and(conclusions))));
    }

    private void writeForeignKey(int instance, TableShape source, ForeignKey key) {
        TableShape target = scope.table(key.target());
        List<String> row = source.keyVariables(vocabulary);
        List<String> premises = new ArrayList<>(List.of(source.exists(vocabulary, instance, row)));
        List<String> targetRow =
                new ArrayList<>(Collections.nCopies(target.key().size(), ""));
        List<Runnable> deferred = new ArrayList<>();
        List<String> conclusions = new ArrayList<>();
        for (int i = 0; i < key.columns().size(); i++) {
            int column = key.columns().get(i);
            int targetColumn = key.targetColumns().get(i);
            String cell = source.cell(vocabulary, instance, row, column);
            ColumnType type = source.column(column).type();
            // MATCH SIMPLE: with a NULL it refers to nothing.
            if (source.column(column).nullable()) {
                premises.add(vocabulary.isNotNull(cell));
            }
            int position = target.key().indexOf(targetColumn);
            // A reference to the row's key needs no "some row exists": the row is its key.
            if (position >= 0
                    && type.hasExactEquality()
                    && targetRow.get(position).isEmpty()) {
                targetRow.set(position, cell);
            } else {
                // Until all of the key's terms are known a cell of the target cannot be written.
                deferred.add(() -> conclusions.add(vocabulary.equal(
                        comparable(target.cell(vocabulary, instance, targetRow, targetColumn), type),
                        comparable(cell, type))));
            }
        }
        List<String> open = new ArrayList<>();
        for (int i = 0; i < targetRow.size(); i++) {
            if (targetRow.get(i).isEmpty()) {
                targetRow.set(i, vocabulary.variable());
                open.add(targetRow.get(i));
            }
        }
        conclusions.add(target.exists(vocabulary, instance, targetRow));
        deferred.forEach(Runnable::run);
        formulas.add(Logic.forall(row, Logic.implies(Logic.and(premises), Logic.exists(open, Logic.and(conclusions)))));
    }

    /** The collation's equality decides what refers to what. */
    private String comparable(String cell, ColumnType type) {
        return type.hasExactEquality() ? cell : vocabulary.apply(type.keyFunction(), List.of(cell));
    }
}
