package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.normalize.RowKeys.Known;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Expr;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What rows have in common that the database takes for equal by some values: the values themselves where these have one
 * {@link Representation}, otherwise their class only.
 *
 * <p>{@code SELECT DISTINCT a, b}: rows are put together that are equal in a and b. If a has one form its value is
 * known of all of them; if it is text under a collation without cases only {@code key(a)} is, and whether what is shown
 * beside it looks the same has to follow from that ({@link RowKeys}).
 */
final class EqualValues {

    private final Work work;
    private final OutputReader reader;
    private final RowKeys keys;

    EqualValues(Work work, OutputReader reader, RowKeys keys) {
        this.work = work;
        this.reader = reader;
        this.keys = keys;
    }

    /**
     * A value as it is read.
     *
     * <p>A column of an opaque query is no term, so of it is only known that it is itself.
     *
     * @param isColumn whether it is a column by itself
     */
    record Formed(Outputs.Reader value, Representation form, boolean isColumn) {}

    /** Keys of GROUP BY or ORDER BY. */
    List<Formed> keys(List<Expr> expressions) {
        return expressions.stream()
                .map(key -> new Formed(reader.key(key), reader.formOfKey(key), isColumn(key)))
                .toList();
    }

    /** Arguments and other expressions. */
    List<Formed> values(List<Expr> expressions) {
        return expressions.stream()
                .map(value -> new Formed(reader.reader(value), reader.form(value), isColumn(value)))
                .toList();
    }

    /** The columns of the select list. */
    List<Formed> items() {
        List<Outputs.Reader> readers = reader.items();
        List<Formed> items = new ArrayList<>();
        for (int i = 0; i < readers.size(); i++) {
            Cell cell = reader.columns().get(i).cell();
            boolean isColumn = !(cell instanceof Cell.OfExpression shown) || isColumn(shown.expression());
            items.add(new Formed(readers.get(i), Representations.of(cell, work), isColumn));
        }
        return items;
    }

    /** By its number in ORDER BY and GROUP BY, too: {@code 2} is the second column. */
    private boolean isColumn(Expr e) {
        ScopeColumn item = reader.column(e);
        return item == null
                ? e instanceof Expr.Column
                : !(item.cell() instanceof Cell.OfExpression shown) || shown.expression() instanceof Expr.Column;
    }

    /** What is the same in all rows that are equal by these. */
    Set<Known> same(List<Formed> values) {
        Set<Known> same = new LinkedHashSet<>();
        for (Formed one : values) {
            Set<Known> known = keys.known(List.of(one.value));
            if (one.form.isExact()) {
                same.addAll(known);
            } else if (keys.read(one.value).operand() instanceof Operand.Plain plain
                    && plain.sort().type() != null
                    && plain.term() instanceof Term.Variable column) {
                ColumnType type = plain.sort().type();
                Term term = type.hasExactEquality() ? column : new Term.Function(type.keyFunction(), List.of(column));
                known.forEach(value -> same.add(new Known(term, value.parts())));
            }
        }
        return same;
    }

    /** What is taken for the same, as nobody but who stored different forms could tell. */
    Set<Known> alike(List<Formed> values) {
        return keys.known(values.stream()
                .filter(one -> one.form.isOne())
                .map(Formed::value)
                .toList());
    }

    /** The positions of those that may look different in rows that are equal by all of some values. */
    List<Integer> different(List<Formed> shown, List<Formed> equal) {
        return different(shown, equal, Representation::isOne);
    }

    /** The same, and of those that look alike only as far as nobody stored different ones. */
    List<Integer> storedDifferent(List<Formed> shown, List<Formed> equal) {
        return different(shown, equal, Representation::isExact);
    }

    private List<Integer> different(List<Formed> shown, List<Formed> equal, Predicate<Representation> isAlike) {
        List<Integer> different = new ArrayList<>();
        Set<Known> same = null;
        for (int i = 0; i < shown.size(); i++) {
            if (!isAlike.test(shown.get(i).form)) {
                same = same == null ? same(equal) : same;
                if (!keys.determine(same, revealed(equal), keys.read(shown.get(i).value))) {
                    different.add(i);
                }
            }
        }
        return different;
    }

    private Set<Cell.Revealed> revealed(List<Formed> equal) {
        Set<Cell.Revealed> revealed = new LinkedHashSet<>();
        for (Formed one : equal) {
            RowKeys.Read read = keys.read(one.value);
            if (one.form.isExact() && one.isColumn) {
                revealed.addAll(read.mentions().revealed());
            }
        }
        return revealed;
    }

    /** A column as text that differs where it looks different. */
    static String written(String column, Dialect dialect) {
        return switch (dialect) {
            // The cast keeps a collation that takes texts for equal.
            case POSTGRESQL -> "CAST(" + column + " AS text) COLLATE \"C\"";
            case MARIADB -> "CAST(" + column + " AS BINARY)";
            case H2 -> "CAST(CAST(" + column + " AS VARCHAR) AS VARBINARY)";
        };
    }
}
