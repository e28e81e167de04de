package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** FROM and WHERE of one query: the rows before anything is done with them. */
final class Block {

    final From from;
    final Absence outer;
    final int position;
    private final Work work;
    private final List<Filter> filters;
    private boolean looked;

    /**
     * A block.
     *
     * @param filters all conditions: those of {@code from}, WHERE, and what a sub-query's use adds
     * @param outer parts of outer blocks that are absent
     */
    Block(Work work, From from, List<Filter> filters, Absence outer, int position) {
        this.work = work;
        this.from = from;
        this.filters = List.copyOf(filters);
        this.outer = outer;
        this.position = position;
    }

    /** All conditions, apart from those of outer joins. */
    List<Filter> filters() {
        return filters;
    }

    /** When all conditions hold, apart from those of outer joins. */
    Dnf where(Absence absence) {
        return all(filters, absence);
    }

    Dnf all(List<Filter> conditions, Absence absence) {
        Dnf result = Dnf.TRUE;
        for (Filter condition : conditions) {
            result = result.and(condition.holds(absence), work, position);
        }
        if (!looked && (result.isFalse() || result.isTrue()) && !conditions.isEmpty()) {
            // Decided without what the sub-queries in them give, which so nobody will reveal: they are read all the
            // same.
            looked = true;
            work.watch(() -> conditions.forEach(condition -> condition.holds(absence)));
        }
        return result;
    }

    /**
     * Whether the conditions can never hold when a further part is absent, whichever of the parts that are still open
     * are: one of them fails that does not speak of these.
     */
    boolean fails(List<Filter> conditions, Absence absence, Collection<OptionalPart> open) {
        for (Filter condition : conditions) {
            List<Dnf> held = new ArrayList<>();
            Work.Mentions mentions = work.watch(() -> held.add(condition.holds(absence)));
            boolean isOpen = open.stream()
                    .anyMatch(part -> !absence.has(part) && mentions.all().contains(part));
            if (held.get(0).isFalse() && !isOpen) {
                return true;
            }
        }
        return false;
    }

    /** The block's own conditions, see {@link #fails(List, Absence, Collection)}. */
    boolean fails(Absence absence, Collection<OptionalPart> open) {
        return fails(filters, absence, open);
    }

    /** Reads what outer joins join by, for those that are left out as they make no difference. */
    void readOptional() {
        if (!from.optional.isEmpty()) {
            work.watch(() -> from.optional.forEach(part -> all(part.filters, outer)));
        }
    }

    List<Branch> branches(Mode mode, Outputs outputs) {
        return Branching.of(work, this, mode, outputs);
    }

    /** Emits what determines the block's rows for each row of the context. */
    void reveal(Context context, Mode mode, Outputs outputs, String reason) {
        readOptional();
        new Revealer(work, this, context, mode, outputs, reason).reveal();
    }

    /**
     * That there is a row, as conjunctions that join it. Where that is not all that there is to it (something hidden, a
     * part without match), {@code whole} tells the rest.
     */
    Dnf some(Pending whole) {
        readOptional();
        Dnf some = Dnf.FALSE;
        for (Branch branch : branches(Mode.EXISTS, Outputs.NONE)) {
            List<Use> uses = new ArrayList<>(branch.rows());
            uses.addAll(from.behind);
            Dnf condition = branch.where().and(branch.on(), work, position);
            for (Conjunct conjunct : new Choices(work).expanded(condition.conjuncts(), position)) {
                boolean exact = conjunct.isExact() && branch.absent().isEmpty();
                Conjunct joined = conjunct.relaxed().with(uses);
                Dnf rest = exact ? Dnf.TRUE : Dnf.of(Hidden.of(whole));
                some = some.or(Dnf.of(List.of(joined)).and(rest, work, position), work, position);
            }
        }
        return some;
    }

    /** Whether there is at most one row for each row outside, by keys that the conditions pin. */
    boolean isUnique() {
        List<Branch> branches = branches(Mode.BAG, Outputs.NONE);
        if (branches.size() != 1 || from.opaque) {
            return false;
        }
        Branch branch = branches.get(0);
        if (!branch.optional().isEmpty() || !branch.absent().isEmpty()) {
            return false;
        }
        List<Conjunct> conjuncts =
                branch.where().and(branch.on(), work, position).conjuncts();
        List<Condition> common = Conditions.common(conjuncts);
        List<Use> inside = new ArrayList<>(branch.rows());
        conjuncts.forEach(conjunct -> inside.addAll(conjunct.uses()));
        Set<Term> outside = new LinkedHashSet<>();
        for (Condition one : common) {
            Conditions.columns(one).stream()
                    .filter(column -> inside.stream().noneMatch(use -> use.owns(column.index())))
                    .forEach(outside::add);
        }
        return new Closure(branch.rows(), common).add(outside).coversAll(branch.rows());
    }
}
