package io.leeway.hindex.internal.repair;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.RowState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/*
 * Model: files come into a region one after the other, at a moment that nobody knows. Until then a row shows what is stored;
 * from then on what is stored together with the first file, then with the second, and so on. What the cells of a file say does
 * not depend on when they arrive, but for one case: of two values of one column and timestamp the later is shown, and HBase may
 * count a file as older than everything or as newer. So both are looked at.
 */
/**
 * What a row may show when files with cells of it have come. For writes of such a row, and for the load itself: both
 * write entries of all that may be. Without state.
 */
public final class ComingStates {

    private ComingStates() {}

    /**
     * All states that may come, of which the last but one is that of all files, newer than what is stored.
     *
     * @param coming of the first file, of the first two, and so on
     * @param added what is written after all that is stored, with timestamps above those of the files
     */
    public static List<RowState> of(
            IndexPlan index, Collection<Fact> stored, List<List<Fact>> coming, Collection<Fact> added) {
        var states = new ArrayList<RowState>();
        for (List<Fact> files : coming) {
            states.add(state(index, stored, files, Fact.NOW, added));
            states.add(state(index, stored, files, Long.MIN_VALUE, added));
        }
        return states;
    }

    private static RowState state(
            IndexPlan index, Collection<Fact> stored, List<Fact> files, long arrival, Collection<Fact> added) {
        var facts = new ArrayList<>(stored);
        files.forEach(fact -> facts.add(
                new Fact(fact.column(), fact.kind(), fact.timestamp(), arrival, fact.value(), fact.expires())));
        facts.addAll(added);
        return StateHistory.of(index, facts).current();
    }
}
