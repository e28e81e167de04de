package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Condition;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A conjunction: there are rows {@code uses} such that all conditions, choices and hidden literals hold. Without hidden
 * literals it is exactly a conjunctive query.
 *
 * <p>Choices stand apart from conditions, as they can become a question for each value ({@link Choices}); hidden
 * literals, as nothing can be asked about them as such: a conjunction is asked without them, which finds more rows, and
 * what they depend on is asked for these.
 */
record Conjunct(List<Use> uses, List<Condition> conditions, List<Choice> choices, List<Hidden> hidden) {

    /** Always true. */
    static final Conjunct EMPTY = new Conjunct(List.of(), List.of(), List.of(), List.of());

    Conjunct {
        uses = List.copyOf(uses);
        conditions = List.copyOf(conditions);
        choices = List.copyOf(choices);
        hidden = List.copyOf(hidden);
    }

    static Conjunct of(List<Condition> conditions) {
        return new Conjunct(List.of(), conditions, List.of(), List.of());
    }

    Conjunct and(Conjunct other) {
        // The neutral element, which conditions are built from: most conjunctions have one side empty.
        if (equals(EMPTY)) {
            return other;
        }
        if (other.equals(EMPTY)) {
            return this;
        }
        return new Conjunct(
                union(uses, other.uses),
                union(conditions, other.conditions),
                union(choices, other.choices),
                union(hidden, other.hidden));
    }

    /** All of them. */
    static Conjunct all(List<Conjunct> conjuncts) {
        Set<Use> uses = new LinkedHashSet<>();
        Set<Condition> conditions = new LinkedHashSet<>();
        Set<Choice> choices = new LinkedHashSet<>();
        Set<Hidden> hidden = new LinkedHashSet<>();
        for (Conjunct conjunct : conjuncts) {
            uses.addAll(conjunct.uses);
            conditions.addAll(conjunct.conditions);
            choices.addAll(conjunct.choices);
            hidden.addAll(conjunct.hidden);
        }
        return new Conjunct(List.copyOf(uses), List.copyOf(conditions), List.copyOf(choices), List.copyOf(hidden));
    }

    /** The same with more rows to exist. */
    Conjunct with(List<Use> more) {
        return new Conjunct(union(uses, more), conditions, choices, hidden);
    }

    /** The same without its hidden literals: true of no fewer rows. */
    Conjunct relaxed() {
        return hidden.isEmpty() ? this : new Conjunct(uses, conditions, choices, List.of());
    }

    /** The same with choices replaced by these conditions. */
    Conjunct withoutChoices(List<Condition> instead) {
        return new Conjunct(uses, union(conditions, instead), List.of(), hidden);
    }

    /** Whether a conjunctive query says all of it: no literal is left of which only its arguments can be asked. */
    boolean isExact() {
        return hidden.isEmpty();
    }

    /** Whether it consists of conditions on the block's own rows only, and of lists that they are held against. */
    boolean isOfOwnRows() {
        return uses.isEmpty() && hidden.isEmpty();
    }

    // In order and without repetitions, so that what is written twice is the same question as what is written once, and
    // the numbers that a question gets do not depend on hashes.
    private static <T> List<T> union(List<T> a, List<T> b) {
        if (a.isEmpty()) {
            return b;
        }
        if (b.isEmpty()) {
            return a;
        }
        Set<T> all = new LinkedHashSet<>(a);
        all.addAll(b);
        return new ArrayList<>(all);
    }
}
