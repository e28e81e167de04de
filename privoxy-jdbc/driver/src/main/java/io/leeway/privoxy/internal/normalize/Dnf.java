package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.sql.UnsupportedSqlException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A condition as a disjunction of conjunctions, built from the leaves upwards. Negation never occurs: it is pushed down
 * to the comparisons before ({@link TruthReader}). Bounded, since the form can be exponentially larger than the text.
 *
 * <p>Conjunctive queries know no negation and no disjunction; a disjunction of conjunctions is a union of them. Nothing
 * else of the checker knows SQL's conditions.
 */
final class Dnf {

    /**
     * Most disjuncts of a condition. A refusal, not an approximation: leaving out disjuncts would lose rows, and
     * leaving out conditions asks for so much that it would be refused anyway, without saying why.
     */
    static final int MAXIMUM = 128;

    static final Dnf TRUE = new Dnf(List.of(Conjunct.EMPTY));
    static final Dnf FALSE = new Dnf(List.of());

    private final List<Conjunct> conjuncts;

    private Dnf(List<Conjunct> conjuncts) {
        this.conjuncts = conjuncts;
    }

    static Dnf of(boolean truth) {
        return truth ? TRUE : FALSE;
    }

    static Dnf of(Condition condition) {
        return new Dnf(List.of(Conjunct.of(List.of(condition))));
    }

    static Dnf of(Hidden hidden) {
        return new Dnf(List.of(new Conjunct(List.of(), List.of(), List.of(), List.of(hidden))));
    }

    static Dnf of(Choice choice) {
        return new Dnf(List.of(new Conjunct(List.of(), List.of(), List.of(choice), List.of())));
    }

    static Dnf of(List<Conjunct> conjuncts) {
        return new Dnf(List.copyOf(conjuncts));
    }

    List<Conjunct> conjuncts() {
        return conjuncts;
    }

    /**
     * Whether no row can fulfil it; that is known of the form only, not by proof: {@code x = 1 AND x = 2} is not false
     * here.
     */
    boolean isFalse() {
        return conjuncts.isEmpty();
    }

    // An empty conjunction holds of every row, whatever else is in the disjunction.
    boolean isTrue() {
        return conjuncts.contains(Conjunct.EMPTY);
    }

    /** Either; the work and position are for the refusal when it grows too large. */
    Dnf or(Dnf other, Work work, int position) {
        if (isFalse() || other.isTrue()) {
            return other;
        }
        if (other.isFalse() || isTrue()) {
            return this;
        }
        Set<Conjunct> all = new LinkedHashSet<>(conjuncts);
        all.addAll(other.conjuncts);
        return bounded(all, work, position);
    }

    /** Both. */
    Dnf and(Dnf other, Work work, int position) {
        if (isFalse() || other == TRUE) {
            return this;
        }
        if (other.isFalse() || this == TRUE) {
            return other;
        }
        // Before the product is made, which could take all memory. Four times, since many of its members are the same
        // and fall together.
        if ((long) conjuncts.size() * other.conjuncts.size() > 4L * MAXIMUM) {
            throw tooLarge(work, position);
        }
        Set<Conjunct> all = new LinkedHashSet<>();
        for (Conjunct left : conjuncts) {
            for (Conjunct right : other.conjuncts) {
                all.add(left.and(right));
            }
        }
        return bounded(all, work, position);
    }

    /**
     * All of them; what has one way to hold is put together at once, as there may be thousands.
     *
     * <p>NOT IN of a list has one condition for each value, and adding one after the other copied all that were there:
     * time and memory with the square of the list's length
     * ({@code SixthAttackIT.longListsWideJoinsAndLongNumbersAreAnswered}).
     */
    static Dnf all(List<Dnf> conditions, Work work, int position) {
        Dnf all = TRUE;
        List<Conjunct> single = new ArrayList<>();
        for (Dnf condition : conditions) {
            if (condition.conjuncts.size() == 1) {
                single.add(condition.conjuncts.get(0));
            } else {
                all = all.and(condition, work, position);
            }
        }
        return single.isEmpty() ? all : all.and(Dnf.of(List.of(Conjunct.all(single))), work, position);
    }

    /** Without hidden literals: true of no fewer rows. */
    Dnf relaxed() {
        List<Conjunct> relaxed = new ArrayList<>();
        for (Conjunct conjunct : conjuncts) {
            relaxed.add(conjunct.relaxed());
        }
        return new Dnf(relaxed);
    }

    private static Dnf bounded(Set<Conjunct> all, Work work, int position) {
        if (all.size() > MAXIMUM) {
            throw tooLarge(work, position);
        }
        return new Dnf(List.copyOf(all));
    }

    private static UnsupportedSqlException tooLarge(Work work, int position) {
        return work.refuse("a condition of more than " + MAXIMUM + " alternatives", position);
    }
}
