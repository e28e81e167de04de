package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Table;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * How a table is written in formulas. If it has a key without nulls, a row <em>is</em> its key: a predicate says which
 * keys exist, and every other column is a function of the key. That is the same theory as a relation with a key axiom,
 * but most quantifiers are gone: a foreign key to a primary key is {@code exists(author(post))}. Without such a key all
 * columns are arguments of the predicate.
 *
 * <p>Only columns that take part in the problem are written. A left-out column could hold anything in any row, so no
 * proof is lost by that.
 *
 * <p>Chang's encoding has relations and a key axiom that speaks of two rows at a time (UCB/EECS-2021-244, section 3.4);
 * with functions solvers use congruence, which they are good at, instead of instantiating pairs.
 *
 * @param table the table
 * @param key columns that are the predicate's arguments, in order
 * @param columns columns that are written, the key among them
 * @param keyed whether {@code key} is a key; otherwise it is all of {@code columns}
 */
record TableShape(Table table, List<Integer> key, BitSet columns, boolean keyed) {

    static TableShape of(Table table, BitSet needed) {
        BitSet columns = (BitSet) needed.clone();
        List<Integer> key = rowKey(table);
        if (key != null) {
            key.forEach(columns::set);
            return new TableShape(table, key, columns, true);
        }
        // Without a key two rows are told apart by what is written of them, which is all that a set of rows can
        // tell.
        return new TableShape(table, columns.stream().boxed().toList(), columns, false);
    }

    /**
     * The first key that every row has, or null.
     *
     * <p>A key with a column that may be NULL does not tell rows with NULL apart.
     */
    static @Nullable List<Integer> rowKey(Table table) {
        for (Key key : table.keys()) {
            if (!key.columns().isEmpty()
                    && key.columns().stream()
                            .noneMatch(c -> table.columns().get(c).nullable())) {
                return key.columns();
            }
        }
        return null;
    }

    boolean has(int column) {
        return columns.get(column);
    }

    boolean hasAll(Collection<Integer> wanted) {
        return wanted.stream().allMatch(columns::get);
    }

    /**
     * Written columns outside the key.
     *
     * <p>They are functions of the key, so two rows with one key agree in them without a formula.
     */
    List<Integer> rest() {
        return filtered(column -> !key.contains(column));
    }

    /** Written columns that the database keeps from being null. */
    List<Integer> notNull() {
        return filtered(column -> !column(column).nullable());
    }

    private List<Integer> filtered(IntPredicate predicate) {
        return columns.stream().filter(predicate).boxed().toList();
    }

    Column column(int index) {
        return table.columns().get(index);
    }

    /** The formula that a row with this key exists. */
    String exists(Vocabulary vocabulary, int instance, List<String> keyTerms) {
        String name = table.name();
        String id = "table " + instance + " " + name;
        return Logic.apply(vocabulary.predicate(id, name + "." + instance, key.size()), keyTerms);
    }

    /** The value of a column in the row with this key. */
    String cell(Vocabulary vocabulary, int instance, List<String> keyTerms, int column) {
        int position = key.indexOf(column);
        if (position >= 0) {
            return keyTerms.get(position);
        }
        String hint = table.name() + "." + table.columns().get(column).name() + "." + instance;
        String id = "column " + instance + " " + column + " " + table.name();
        return Logic.apply(vocabulary.function(id, hint, key.size()), keyTerms);
    }

    /** Fresh variables for a key. */
    List<String> keyVariables(Vocabulary vocabulary) {
        List<String> variables = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            variables.add(vocabulary.variable());
        }
        return variables;
    }
}
