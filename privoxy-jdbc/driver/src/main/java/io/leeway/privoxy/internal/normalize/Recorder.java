package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a row of a SELECT's result says about the database.
 *
 * <p>Behind each row stands a combination of rows of FROM that satisfies WHERE and has the values that the row shows in
 * plain columns. Leaving out conditions keeps that true; left out are alternatives (only what all of them have is
 * certain), hidden literals, choices among values, and conditions that would mean something else later (time, session
 * settings). A row of a GROUP BY is such a combination in the columns that the grouping determines. A part on the
 * nullable side of an outer join was there if a NOT NULL column of it shows a value.
 *
 * <p>The rows are the <em>complete</em> answer only if nothing was left out and nothing but the select list stands
 * between the combinations and the result.
 *
 * <p>A fact that says too much is the worst fault here: it would be believed in proofs ({@code RecorderTest};
 * {@code FourthAttackIT.anAggregateThatMakesOneRowOfNoneIsNoFact}). One that says less only loses proofs. So each step
 * may leave out and none may add.
 *
 * <p>Absence is never learnt: that a row was not in a result says something only of a complete one, and then only of
 * that moment.
 */
final class Recorder {

    private final Work work;
    private final QueryBody.Select select;
    private final Query query;
    private final SelectRows rows;
    private final Mode mode;
    private final Traits traits;
    private boolean complete = true;

    Recorder(Work work, QueryBody.Select select, Query query, SelectRows rows, Mode mode) {
        this.work = work;
        this.select = select;
        this.query = query;
        this.rows = rows;
        this.mode = mode;
        this.traits = Traits.of(select, query.orderBy(), work);
    }

    Recording of(Branch branch, Outputs outputs) {
        // An aggregate without groups has a row even if there is nothing behind it.
        boolean singleRow = Traits.isOneRow(select, traits);
        if (branch.rows().isEmpty() || singleRow || (traits.grouped() && !Traits.hasPlainGroups(select))) {
            return Recording.NONE;
        }
        // Only to be asked for its levels; nothing is emitted by it.
        var piece = new Revealer(work, rows.block(), Context.ROOT, mode, outputs, "").new Piece(branch);
        List<Conjunct> conjuncts =
                branch.where().and(branch.on(), work, select.position()).conjuncts();
        if (conjuncts.isEmpty()) {
            return Recording.NONE;
        }
        List<Use> uses = uses(branch, conjuncts);
        List<Condition> conditions = kept(conjuncts);
        complete &= branch.absent().isEmpty() && isWholeResult();
        // SELECT 1 … LIMIT 1: that there is a row, no more.
        Map<Term, Integer> shown = mode == Mode.EXISTS ? Map.of() : columns(outputs, branch, uses, conditions);
        List<Recording.Part> parts = new ArrayList<>();
        parts.add(part(uses, conditions, owned(shown, branch.rows()), -1));
        // A group has several rows; whether the optional part was there is a matter of each.
        if (!traits.grouped()) {
            var levels = new Levels(work, piece);
            for (OptionalPart optional : branch.optional()) {
                addPart(levels.joined(optional), shown, branch, uses, conditions, parts);
            }
        }
        return new Recording(parts, complete);
    }

    private boolean isWholeResult() {
        // A limit leaves rows out; where it is only asked whether there is one it does not matter.
        boolean unlimited = query.limit() == null || mode == Mode.EXISTS;
        return unlimited
                // FOR UPDATE SKIP LOCKED leaves out rows that others hold, and rows that are locked are read again as
                // they are now.
                && query.locking().isEmpty()
                && select.having() == null
                && select.qualify() == null
                && select.distinctOn().isEmpty()
                && !traits.multiplies()
                && !rows.block().from.opaque;
    }

    /** The rows of FROM, and what else there is whichever alternative holds. */
    private List<Use> uses(Branch branch, List<Conjunct> conjuncts) {
        Set<Use> common = new LinkedHashSet<>(conjuncts.get(0).uses());
        conjuncts.forEach(conjunct -> common.retainAll(conjunct.uses()));
        Set<Use> uses = new LinkedHashSet<>(branch.rows());
        uses.addAll(rows.block().from.behind);
        uses.addAll(common);
        return List.copyOf(uses);
    }

    /** The conditions that are certain and stay true. */
    private List<Condition> kept(List<Conjunct> conjuncts) {
        Conjunct first = conjuncts.get(0);
        complete &= conjuncts.size() == 1 && first.isExact() && first.choices().isEmpty();
        List<Condition> kept = new ArrayList<>();
        for (Condition condition : Conditions.common(conjuncts)) {
            // What depends on the time or on a setting would say something else an hour, or a SET, later.
            if (Symbols.isSteady(condition)) {
                kept.add(condition);
            } else {
                complete = false;
            }
        }
        return kept;
    }

    /** Plain columns in the select list, each with the first position where it stands. */
    private Map<Term, Integer> columns(Outputs outputs, Branch branch, List<Use> uses, List<Condition> conditions) {
        List<Operand> items = outputs.readItems(branch.absence());
        Closure groups = traits.grouped() ? groups(uses, conditions, branch) : null;
        Map<Term, Integer> columns = new LinkedHashMap<>();
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i) instanceof Operand.Plain plain
                    && plain.term() instanceof Term.Variable variable
                    // Any other column of a group is of some row of it (MariaDB), not of the one that the other columns
                    // are of.
                    && (groups == null || groups.determines(variable))) {
                columns.putIfAbsent(variable, i);
            }
        }
        return columns;
    }

    /** What the grouping columns determine is the same in all rows of a group. */
    private Closure groups(List<Use> uses, List<Condition> conditions, Branch branch) {
        Set<Term> terms = new LinkedHashSet<>();
        for (Operand group : new OutputReader(work, rows.place(), select.items()).groups(select, branch.absence())) {
            if (group instanceof Operand.Plain plain) {
                terms.add(plain.term());
            }
        }
        return new Closure(uses, conditions).add(terms);
    }

    private static Map<Term, Integer> owned(Map<Term, Integer> columns, List<Use> uses) {
        Map<Term, Integer> owned = new LinkedHashMap<>();
        columns.forEach((term, position) -> {
            if (uses.stream().anyMatch(use -> use.owns(((Term.Variable) term).index()))) {
                owned.put(term, position);
            }
        });
        return owned;
    }

    /**
     * Whether rows are put together whose values are equal and yet not the same: then only one of them is shown.
     *
     * <p>{@code SELECT DISTINCT name} under a collation without cases shows {@code Bob} for BOB as well: the answer is
     * not complete, as there is a row with a value that is not among those shown
     * ({@code RecorderTest.valuesThatAreEqualButNotTheSameAreNotAllShown}).
     */
    private boolean mergesValues(List<Use> uses, Map<Term, Integer> head) {
        if (!traits.grouped() && !select.distinct()) {
            return false;
        }
        for (Use use : uses) {
            for (int i = 0; i < use.table().arity(); i++) {
                if (head.containsKey(use.variable(i))
                        && !use.table().columns().get(i).type().hasExactEquality()) {
                    return true;
                }
            }
        }
        return false;
    }

    private Recording.Part part(List<Use> uses, List<Condition> conditions, Map<Term, Integer> head, int guard) {
        complete &= !mergesValues(uses, head);
        var numbering = new Numbering(work.arguments);
        var part = numbering.query(new Draft(uses, conditions, List.copyOf(head.keySet())));
        return new Recording.Part(part, numbering.slots(), List.copyOf(head.values()), guard);
    }

    /** The part for an optional part of which a NOT NULL column is shown. */
    private void addPart(
            Levels.@Nullable Joined joined,
            Map<Term, Integer> shown,
            Branch branch,
            List<Use> uses,
            List<Condition> conditions,
            List<Recording.Part> parts) {
        if (joined == null) {
            return;
        }
        // The position in the result that is NULL exactly where the part was not there, in rows of which nothing is
        // then learnt.
        int guard = guard(joined.own(), shown);
        if (guard < 0) {
            return;
        }
        Set<Use> all = new LinkedHashSet<>(uses);
        all.addAll(joined.uses());
        Set<Condition> both = new LinkedHashSet<>(conditions);
        for (Condition condition : joined.condition().conditions()) {
            if (Symbols.isSteady(condition)) {
                both.add(condition);
            } else {
                complete = false;
            }
        }
        // Rows without a match may have none because of a case that this part does not say.
        complete &= joined.always()
                && joined.condition().isExact()
                && joined.condition().choices().isEmpty();
        all.addAll(joined.condition().uses());
        List<Use> rowsOfPart = new ArrayList<>(branch.rows());
        rowsOfPart.addAll(joined.uses());
        parts.add(part(List.copyOf(all), List.copyOf(both), owned(shown, rowsOfPart), guard));
    }

    private static int guard(List<Use> own, Map<Term, Integer> shown) {
        for (Use use : own) {
            for (int i = 0; i < use.table().arity(); i++) {
                Integer position = shown.get(use.variable(i));
                if (position != null && !use.table().columns().get(i).nullable()) {
                    return position;
                }
            }
        }
        return -1;
    }
}
