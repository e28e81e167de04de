package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Explains a refusal: the views that come nearest to showing what the goal asks, and what each lacks: rows that nothing
 * seen so far provides, conditions not known to hold, columns not shown. Nearest means fewest of these.
 *
 * <p>Searches, for each view, the assignment of its atoms to known rows of the first database (or to nothing) that
 * leaves least missing, by branch and bound over the view's few atoms.
 *
 * <p>It explains and decides nothing: a wrong word here is a bad message and no leak. Therefore it works on the state
 * that the failed proof left behind, without another search.
 */
public final class NearestViews {

    /**
     * A refusal must not cost more than the decision; with a long trace a view of four atoms has very many partial
     * matches.
     */
    private static final int SEARCH_LIMIT = 2000;

    private static final int[] NO_ARGUMENTS = {};

    private final Verdict.OpenCase open;
    private final CompiledPolicy policy;
    private int steps;

    private NearestViews(Verdict.OpenCase open, CompiledPolicy policy) {
        this.open = open;
        this.policy = policy;
    }

    /** The nearest views, best first. */
    public static List<NearView> of(Verdict.NotShown verdict, Goal goal, CompiledPolicy policy, int limit) {
        NearestViews search = new NearestViews(verdict.open(), policy);
        List<Candidate> candidates = new ArrayList<>();
        // The narrow views only: those reached by way of constraints would be named in messages
        // about tables that nobody asked for.
        for (CompiledView view : goal.narrow.views) {
            Candidate candidate = search.best(view);
            if (candidate != null) {
                candidates.add(candidate);
            }
        }
        candidates.sort(Comparator.comparingInt(Candidate::cost));
        return candidates.stream().limit(limit).map(Candidate::view).toList();
    }

    private record Candidate(NearView view, int cost) {}

    private @Nullable Candidate best(CompiledView view) {
        Partial best = null;
        for (Shape disjunct : view.disjuncts) {
            // Each disjunct has the limit for itself, so that a union's later parts get their
            // chance.
            steps = 0;
            Partial partial = new Partial(disjunct);
            partial.search(0, 0);
            if (partial.best != null && (best == null || partial.bestCost < best.bestCost)) {
                best = partial;
            }
        }
        if (best == null) {
            return null;
        }
        List<String> missing = best.describe();
        NearView near = new NearView(view.view.name(), view.view.description(), view.view.origin(), missing);
        return new Candidate(near, missing.size());
    }

    /** One disjunct's best partial match. */
    private final class Partial {
        private final Shape shape;
        private final int[] @Nullable [] rows;
        private int @Nullable [] @Nullable [] best;
        private int bestCost = Integer.MAX_VALUE;

        Partial(Shape shape) {
            this.shape = shape;
            this.rows = new int[shape.tables.length][];
        }

        void search(int position, int cost) {
            if (cost >= bestCost || ++steps > SEARCH_LIMIT) {
                return;
            }
            if (position == shape.order.length) {
                if (matchesSomethingAsked()) {
                    best = rows.clone();
                    bestCost = cost;
                }
                return;
            }
            int atom = shape.order[position];
            Instance instance = open.unsplit().instance(ChaseState.FIRST);
            for (int i = 0; i < instance.count(shape.tables[atom]); i++) {
                rows[atom] = instance.row(shape.tables[atom], i);
                int open = openConditions(position);
                if (open >= 0) {
                    search(position + 1, cost + open);
                }
            }
            rows[atom] = null;
            // A missing row weighs more than an open condition: to say "it is not known that
            // posts.public" helps more than "no row of posts was seen".
            search(position + 1, cost + 2);
        }

        /** How many conditions that became testable are not known, or -1 if one is known not to hold. */
        private int openConditions(int position) {
            int count = 0;
            for (CompiledCondition condition : shape.testable[position]) {
                Truth truth = truth(condition);
                // A view whose condition is known not to hold cannot be the one that was meant.
                if (truth == Truth.FAILS) {
                    return -1;
                }
                count += truth == Truth.OPEN ? 1 : 0;
            }
            return count;
        }

        private Truth truth(CompiledCondition condition) {
            if (!isBound(condition.left)) {
                // What hangs on a row that is missing is said together with that row.
                return Truth.HOLDS;
            }
            for (CompiledTerm term : condition.right) {
                if (!isBound(term)) {
                    return Truth.HOLDS;
                }
            }
            return Ground.of(condition, open.unsplit(), NO_ARGUMENTS, rows).truth(open.unsplit());
        }

        private boolean isBound(CompiledTerm term) {
            return switch (term.kind) {
                case VARIABLE -> rows[term.atom] != null;
                case CONTEXT -> open.unsplit().isGiven(Set.of(term.name));
                case FUNCTION -> {
                    boolean all = true;
                    for (CompiledTerm argument : term.arguments) {
                        all &= isBound(argument);
                    }
                    yield all;
                }
                default -> true;
            };
        }

        /** Otherwise a view that shows the user's own row would come near every query. */
        private boolean matchesSomethingAsked() {
            for (int atom = 0; atom < rows.length; atom++) {
                if (rows[atom] != null && isAsked(shape.tables[atom])) {
                    return true;
                }
            }
            return false;
        }

        private boolean isAsked(int table) {
            for (int asked : open.goal().tables) {
                if (asked == table) {
                    return true;
                }
            }
            return false;
        }

        /** The missing parameter first: with it the rest often disappears. */
        List<String> describe() {
            List<String> missing = new ArrayList<>();
            int[] @Nullable [] found = best;
            if (found == null) {
                return missing;
            }
            System.arraycopy(found, 0, rows, 0, rows.length);
            for (String name : shape.contextNames) {
                if (!open.unsplit().isGiven(Set.of(name))) {
                    missing.add("the request has no parameter " + name);
                }
            }
            for (int atom = 0; atom < rows.length; atom++) {
                if (rows[atom] == null) {
                    missing.add("no row of " + tableName(atom) + " was seen" + tiesOf(atom));
                }
            }
            for (int i = 0; i < shape.conditions.length; i++) {
                if (truth(shape.conditions[i]) == Truth.OPEN) {
                    missing.add("it is not known that "
                            + Words.of(shape.query.conditions().get(i), shape.query, policy));
                }
            }
            missing.addAll(hiddenColumns());
            return missing.isEmpty() ? rest() : missing;
        }

        /** What the goal's condition needs besides the rows that the view matches. */
        private List<String> rest() {
            Set<String> rest = new LinkedHashSet<>();
            ConjunctiveQuery goal = open.goal().query;
            for (Atom atom : goal.atoms()) {
                if (shape.query.atoms().stream().noneMatch(own -> own.table().equals(atom.table()))) {
                    rest.add("rows of " + policy.shownName(atom.table()));
                }
            }
            for (CompiledCondition condition : open.goal().conditions) {
                hide(condition.left, rest);
                for (CompiledTerm term : condition.right) {
                    hide(term, rest);
                }
            }
            return List.copyOf(rest);
        }

        /** Adds a column that the goal's condition reads and that the view does not return. */
        private void hide(CompiledTerm term, Set<String> hidden) {
            if (!term.isVariable()) {
                for (CompiledTerm argument : term.arguments) {
                    hide(argument, hidden);
                }
                return;
            }
            int table = open.goal().tables[term.atom];
            boolean isRead = Arrays.stream(shape.tables).anyMatch(own -> own == table);
            boolean isReturned = Arrays.stream(shape.head)
                    .anyMatch(column ->
                            column.isVariable() && shape.tables[column.atom] == table && column.column == term.column);
            if (isRead && !isReturned) {
                Column column = policy.tables().get(table).table.columns().get(term.column);
                hidden.add("column "
                        + policy.shownName(policy.tables().get(table).table.name()) + "." + column.name()
                        + ", which the condition reads, is not shown");
            }
        }

        private String tableName(int atom) {
            return policy.shownName(
                    policy.tables().get(shape.tables[atom]).table.name());
        }

        private String tiesOf(int atom) {
            List<String> ties = new ArrayList<>();
            ConjunctiveQuery query = shape.query;
            for (Condition condition : query.conditions()) {
                if (Words.mentions(condition, query.atoms().get(atom))) {
                    ties.add(Words.of(condition, query, policy));
                }
            }
            return ties.isEmpty() ? "" : " with " + String.join(" and ", ties);
        }

        /** Columns that the goal returns from a row that the view matches, but that the view does not show. */
        private List<String> hiddenColumns() {
            List<String> hidden = new ArrayList<>();
            ConjunctiveQuery goal = open.goal().query;
            for (int i = 0; i < goal.head().size(); i++) {
                if (goal.head().get(i) instanceof Term.Variable && !isShown(open.target()[i])) {
                    String name = Words.of(goal.head().get(i), goal, policy);
                    // A column of another table is not hidden by this view; it is another view's
                    // matter.
                    if (isFromMatchedRow(open.goal().head[i])) {
                        hidden.add(name);
                    }
                }
            }
            return switch (hidden.size()) {
                case 0 -> List.of();
                case 1 -> List.of("column " + hidden.get(0) + " is not shown");
                default -> List.of("columns " + String.join(", ", hidden) + " are not shown");
            };
        }

        private boolean isFromMatchedRow(CompiledTerm column) {
            int table = open.goal().tables[column.atom];
            for (int atom = 0; atom < rows.length; atom++) {
                if (rows[atom] != null && shape.tables[atom] == table) {
                    return true;
                }
            }
            return false;
        }

        private boolean isShown(int node) {
            for (CompiledTerm term : shape.head) {
                if (isBound(term)
                        && open.unsplit().universe.same(open.unsplit().node(term, NO_ARGUMENTS, rows), node)) {
                    return true;
                }
            }
            // A known value need not be shown: the request has it.
            return open.unsplit().universe.valueOf(node) != null;
        }
    }
}
