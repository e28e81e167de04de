package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Change;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which facts about a query outlive a change of one of its tables.
 *
 * <p>A fact says that rows are there which together make an answer. It stays true if none of these rows is changed in a
 * column that the query looks at. A row that has another value than the statement asks for in WHERE is not changed. Of
 * the rows behind a fact only that is known which is in the answer, or which the query compares with an argument.
 *
 * <p>Without it each write would forget its table, and applications write between reads all the time: a page that
 * updates "last seen" of the user would lose who the user is.
 */
final class Survivors {

    private final ConjunctiveQuery query;
    private final List<Value> arguments;
    private final String table;

    Survivors(ConjunctiveQuery query, List<Value> arguments, String table) {
        this.query = query;
        this.arguments = arguments;
        this.table = table;
    }

    /**
     * Whether the answer may be another one after a change of the table, which the query mentions.
     *
     * <p>Also of completeness: an UPDATE of columns at which a query does not look changes neither its answers nor
     * their number.
     */
    boolean mayBeChanged(Change change) {
        return !(change instanceof Change.Updated updated) || looksAt(updated.columns());
    }

    /** Whether the query looks at one of these columns. */
    private boolean looksAt(Set<Integer> columns) {
        Set<Term> seen = new HashSet<>();
        Mentions.walk(query, seen::add);
        for (Atom atom : query.atoms()) {
            for (int column : columns) {
                // Head and conditions alike: what a condition reads decides whether the row is an answer.
                if (atom.table().equals(table) && seen.contains(new Term.Variable(atom.firstVariable() + column))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** For each use of the table the tests of which one must tell that its row is none of the changed ones. */
    List<List<Test>> tests(Change change, IntFunction<Value> slots) {
        if (change instanceof Change.Added) {
            // No row goes, and queries without negation have all the answers that they had.
            return List.of();
        }
        if (change instanceof Change.Updated updated) {
            return tests(updated.where(), slots);
        }
        return tests(change instanceof Change.Removed removed ? removed.where() : Map.of(), slots);
    }

    /**
     * One test for each use: a query that joins the table with itself has two rows behind an answer, and either may be
     * the changed one.
     */
    private List<List<Test>> tests(Map<Integer, Integer> where, IntFunction<Value> slots) {
        List<List<Test>> tests = new ArrayList<>();
        for (Atom atom : query.atoms()) {
            if (atom.table().equals(table)) {
                List<Test> ofAtom = new ArrayList<>();
                where.forEach((column, slot) ->
                        ofAtom.add(test(new Term.Variable(atom.firstVariable() + column), slots.apply(slot))));
                tests.add(ofAtom);
            }
        }
        return tests;
    }

    private Test test(Term.Variable variable, Value asked) {
        return new Test(query.head().indexOf(variable), argument(variable), asked);
    }

    /** The value that the query asks for in a column, or null. */
    private @Nullable Value argument(Term.Variable variable) {
        for (Condition condition : query.conditions()) {
            if (condition instanceof Condition.Comparison comparison
                    && comparison.operator() == Condition.Operator.EQUAL) {
                Term other = comparison.left().equals(variable)
                        ? comparison.right()
                        : comparison.right().equals(variable) ? comparison.left() : null;
                if (other instanceof Term.Parameter parameter) {
                    return arguments.get(parameter.index());
                }
                if (other instanceof Term.Constant constant) {
                    return constant.value();
                }
            }
        }
        return null;
    }

    /**
     * Compares a column of a row behind a fact.
     *
     * @param head where the answer shows it, or -1
     * @param argument what the query asks for there, if it does
     * @param asked what the statement asks for there
     */
    record Test(int head, @Nullable Value argument, Value asked) {

        /**
         * Whether the row is none of the statement's, for the cells of a result and where an answer begins in it.
         *
         * <p>Known to differ from the value in the statement's WHERE: the database has not changed that row. If the
         * column's equality is not Java's (collations, CHAR, floating point) there is no such test at all.
         */
        boolean isOther(@Nullable Value[] cells, int start) {
            Value cell = head < 0 ? null : cells[start + head];
            return cell != null && cell.isKnownToDifferFrom(asked)
                    || argument != null && argument.isKnownToDifferFrom(asked);
        }
    }
}
