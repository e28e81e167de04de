package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.plan.Entry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * What a batch does to the entries of the indexes, when all its cells are known.
 *
 * @param puts entries that are written before the base cells
 * @param putsByPlace such puts too, of which each had its place to itself only in the end
 * @param later entries that may follow after the base cells, as far as there is a place for them
 * @param revived entries that may be gone though their versions become fresh: written again
 * @param hidden entries that stay, of which running compactions must know all the same
 * @param obsolete compactions find these too; only mode sync removes them
 * @param unfindable no compaction finds these, so every mode removes them, and a failure is remembered
 * @param maybeInVain entries of states that a row has only if files that are being loaded come, or do not
 * @param isUnsynced whether a part of the batch may be lost though it is acknowledged; then all of it is treated so
 */
record BatchEntries(
        List<NewEntry> puts,
        Collection<List<NewEntry>> putsByPlace,
        List<NewEntry> later,
        List<Entry> revived,
        List<Entry> hidden,
        Set<Entry> obsolete,
        Set<Entry> unfindable,
        List<Entry> maybeInVain,
        boolean isUnsynced) {

    /** Of a batch that changes nothing, or has failed before that was found out. */
    static final BatchEntries NONE = new BatchEntries(
            List.of(), List.of(), List.of(), List.of(), List.of(), Set.of(), Set.of(), List.of(), false);

    /**
     * All that is to be there before the base cells, in the order in which it is sent.
     *
     * @param mayFollow whether there is a place for those that may come later
     */
    List<NewEntry> before(boolean mayFollow) {
        var all = new ArrayList<NewEntry>(puts);
        if (!mayFollow) {
            all.addAll(later);
        }
        revived.forEach(entry -> all.add(NewEntry.of(entry)));
        putsByPlace.forEach(all::addAll);
        return all;
    }

    /** Entries of which whoever removes some has to know. */
    List<Entry> toKeep() {
        var all = new ArrayList<Entry>(hidden);
        all.addAll(revived);
        return all;
    }
}
