package io.leeway.privoxy.internal.model;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An obligation whose rows are told apart by the references to tables that they are of. In one state of the database two
 * references to a table read the same rows; where they may read two states they need not.
 *
 * @param obligation the question, with all rows that the statement names: none is left out because another one says the same
 * @param references for each disjunct, for each of its atoms
 */
public record SplitObligation(Obligation obligation, List<List<Reference>> references) {

    /**
     * A reference to a table.
     *
     * @param number tells it from the others of the statement
     * @param held whether its rows are locked or written: then they are read as they are when that is done, which may be
     *     later than what the rest of the statement reads
     */
    public record Reference(int number, boolean held) {}

    public SplitObligation {
        references = references.stream().map(List::copyOf).toList();
    }

    /** Whether there are rows of more than one reference. */
    public boolean isOfSeveral() {
        Set<Integer> numbers = new HashSet<>();
        references.forEach(one -> one.forEach(reference -> numbers.add(reference.number())));
        return numbers.size() > 1;
    }

    /** The same with all rows held. */
    public SplitObligation held() {
        return new SplitObligation(
                obligation,
                references.stream()
                        .map(one -> one.stream()
                                .map(reference -> new Reference(reference.number(), true))
                                .toList())
                        .toList());
    }
}
