package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an answer of a query says of single rows: where the value of each column comes from, and by which keys the row
 * is known. Two answers that say different things of the row with one key cannot both be true. Immutable, made once for
 * each query.
 *
 * <p>Only rows with a known key can be compared: without one two answers may speak of two rows.
 */
public final class Imprint {

    /** Says nothing. */
    public static final Imprint NONE = new Imprint(List.of());

    private final List<Row> rows;

    private Imprint(List<Row> rows) {
        this.rows = List.copyOf(rows);
    }

    /**
     * The imprint of a query's answers.
     *
     * @param tables by name; a table that is not known leaves no imprint
     */
    public static Imprint of(ConjunctiveQuery query, Function<String, @Nullable Table> tables) {
        Sources sources = new Sources(query);
        List<Row> rows = new ArrayList<>();
        for (Atom atom : query.atoms()) {
            Table table = tables.apply(atom.table());
            // A table that has changed since the text was read says nothing certain.
            if (table != null && table.arity() == atom.arity()) {
                Row row = new Row(table, sources.columns(atom));
                if (row.keys.length > 0) {
                    rows.add(row);
                }
            }
        }
        return new Imprint(rows);
    }

    List<Row> rows() {
        return rows;
    }

    /** One row behind each answer. */
    static final class Row {

        final String table;
        private final Source[][] columns;
        /** Keys of which every column may be known. */
        final int[][] keys;

        /** For each key a name that it has in every query. */
        final String[] keyNames;

        private final boolean[] nullsDistinct;

        Row(Table table, Source[][] columns) {
            this.table = table.name();
            this.columns = columns;
            List<Key> known = table.keys().stream()
                    .filter(key -> key.columns().stream().allMatch(column -> columns[column].length > 0))
                    .toList();
            this.keys = known.stream()
                    .map(key ->
                            key.columns().stream().mapToInt(Integer::intValue).toArray())
                    .toArray(int[][]::new);
            this.keyNames = Stream.of(keys)
                    .map(key -> table.name() + Arrays.toString(key))
                    .toArray(String[]::new);
            this.nullsDistinct = new boolean[keys.length];
            for (int i = 0; i < keys.length; i++) {
                nullsDistinct[i] = known.get(i).nullsDistinct();
            }
        }

        /** The row's cells, null where they are not known. */
        @Nullable
        Value[] values(@Nullable Value[] cells, int start, List<Value> arguments) {
            @Nullable Value[] values = new Value[columns.length];
            for (int c = 0; c < values.length; c++) {
                for (int s = 0; s < columns[c].length && values[c] == null; s++) {
                    values[c] = columns[c][s].value(cells, start, arguments);
                }
            }
            return values;
        }

        /** The values of a key, or null if they are not known or may be another row's too. */
        @Nullable
        List<Value> key(int number, @Nullable Value[] values) {
            List<Value> key = new ArrayList<>(keys[number].length);
            for (int column : keys[number]) {
                Value value = values[column];
                // Any number of rows may have NULL in a unique column.
                if (value == null || value.isNull() && nullsDistinct[number]) {
                    return null;
                }
                key.add(value);
            }
            return key;
        }
    }

    /** Where a cell's value comes from: the answer, an argument of the query, or its text. */
    private record Source(int head, int argument, @Nullable Value constant) {

        @Nullable
        Value value(@Nullable Value[] cells, int start, List<Value> arguments) {
            if (head >= 0) {
                return cells[start + head];
            }
            return argument >= 0 ? arguments.get(argument) : constant;
        }
    }

    /**
     * Finds what the query equates with each variable.
     *
     * <p>A cell need not be in the answer to be known: {@code WHERE id = ?} says it.
     */
    private static final class Sources {

        private final int[] representative;
        private final List<List<Source>> byVariable = new ArrayList<>();

        Sources(ConjunctiveQuery query) {
            this.representative = new int[query.variables()];
            for (int i = 0; i < representative.length; i++) {
                representative[i] = i;
                byVariable.add(new ArrayList<>());
            }
            List<Condition.Comparison> equalities = query.conditions().stream()
                    .filter(Condition.Comparison.class::isInstance)
                    .map(Condition.Comparison.class::cast)
                    .filter(comparison -> comparison.operator() == Condition.Operator.EQUAL)
                    .toList();
            equalities.forEach(this::join);
            for (int i = 0; i < query.head().size(); i++) {
                add(query.head().get(i), new Source(i, -1, null));
            }
            for (Condition.Comparison equality : equalities) {
                add(equality.left(), rigid(equality.right()));
                add(equality.right(), rigid(equality.left()));
            }
        }

        private void join(Condition.Comparison equality) {
            if (equality.left() instanceof Term.Variable left && equality.right() instanceof Term.Variable right) {
                representative[root(left.index())] = root(right.index());
            }
        }

        private int root(int variable) {
            int root = variable;
            while (representative[root] != root) {
                root = representative[root];
            }
            return root;
        }

        /** Context parameters are left out: they are the same for all results of a request and tell no rows apart. */
        private static @Nullable Source rigid(Term term) {
            if (term instanceof Term.Parameter parameter) {
                return new Source(-1, parameter.index(), null);
            }
            return term instanceof Term.Constant constant ? new Source(-1, -1, constant.value()) : null;
        }

        private void add(Term term, @Nullable Source source) {
            if (term instanceof Term.Variable variable && source != null) {
                byVariable.get(root(variable.index())).add(source);
            }
        }

        Source[][] columns(Atom atom) {
            Source[][] columns = new Source[atom.arity()][];
            for (int c = 0; c < columns.length; c++) {
                columns[c] = byVariable.get(root(atom.firstVariable() + c)).toArray(Source[]::new);
            }
            return columns;
        }
    }
}
