package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * FROM and WHERE of one query: the rows before anything is done with them. Both a query's own rows and those of a
 * sub-query in a condition are blocks; the first are revealed, the second joined to the block around where that says
 * all there is to say ({@link #some}), or asked about for each of its rows.
 */
final class Block {

    final From from;
    final Absence outer;
    final int position;
    private final Work work;
    private final List<Filter> filters;
    // Once is enough: it is for what the account of read nodes and the refusals need, not for the questions.
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

    /** When all of some conditions hold. The order matters to nobody but the reader of a refusal. */
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
     *
     * <p>That makes an outer join an inner one: {@code a LEFT JOIN b … WHERE b.x = 1} has no row without b, as
     * {@code NULL = 1} is never TRUE. A condition that also speaks of a part not decided on yet proves nothing, since
     * it was read with that part there, and in the other case it may hold.
     */
    boolean fails(List<Filter> conditions, Absence absence, Collection<OptionalPart> open) {
        for (Filter condition : conditions) {
            // Each condition for itself: put together, one that is false would hide which parts the others mention.
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

    /**
     * Reads what outer joins join by, for those that are left out as they make no difference. A sub-query in such a
     * condition is run by the database all the same, so it must have been looked at, or the statement counts as not
     * read ({@link Account}).
     */
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
     *
     * <p>Each way to have a row is a conjunction with the row's {@link Use}s in it: {@code EXISTS (SELECT … FROM b
     * WHERE b.a = a.id)} joins a row of b. As the questions are sets, it does not matter that several rows of b may
     * match.
     */
    Dnf some(Pending whole) {
        readOptional();
        Dnf some = Dnf.FALSE;
        for (Branch branch : branches(Mode.EXISTS, Outputs.NONE)) {
            List<Use> uses = new ArrayList<>(branch.rows());
            uses.addAll(from.behind);
            Dnf condition = branch.where().and(branch.on(), work, position);
            for (Conjunct conjunct : new Choices(work).expanded(condition.conjuncts(), position)) {
                // A part that is absent here has to be shown to have no match, and a hidden literal to hold: neither is
                // a join. The row is still there, so the join stays as a necessary condition; the rest is told by the
                // whole question.
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
        // Two branches may have a row each. Behind an opaque query there are rows, but how many of its own it makes of
        // them is not known from keys.
        if (branches.size() != 1 || from.opaque) {
            return false;
        }
        Branch branch = branches.get(0);
        if (!branch.optional().isEmpty() || !branch.absent().isEmpty()) {
            return false;
        }
        List<Conjunct> conjuncts =
                branch.where().and(branch.on(), work, position).conjuncts();
        // What holds in one disjunct only pins nothing: WHERE b.id = a.b OR b.id = 7 has two rows.
        List<Condition> common = Conditions.common(conjuncts);
        List<Use> inside = new ArrayList<>(branch.rows());
        conjuncts.forEach(conjunct -> inside.addAll(conjunct.uses()));
        // Columns of the rows around have one value for the one outer row that is asked about, so they are known.
        Set<Term> outside = new LinkedHashSet<>();
        for (Condition one : common) {
            Conditions.columns(one).stream()
                    .filter(column -> inside.stream().noneMatch(use -> use.owns(column.index())))
                    .forEach(outside::add);
        }
        return new Closure(branch.rows(), common).add(outside).coversAll(branch.rows());
    }
}
