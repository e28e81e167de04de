package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.repair.Removals;
import io.leeway.hindex.internal.silence.Wait;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * Removals follow after the base write. They may fail, or be left out, as where the write may be lost though it is acknowledged
 * (see Logging): compactions find what they left. What these would not find, since a cell is repeated, counts as uncertain until
 * it is gone.
 *
 * A batch that fails has entries without cells, or with cells all the same, as when a hook behind ours fails: who knows decides
 * about them later, see FailedWrites. Entries that were to follow are written then, too, unless nothing can have been.
/**
 * Carries out in the indexes what batches of one region change. Thread-safe, as it has no state of its own.
 */
final class BatchWrites {

    private final SharedSender sender;
    private final Handlers.OfTable handlers;
    private final Removals removals;
    private final FollowingEntries following;
    private final FailedWrites failed;
    private final UncertainEntries uncertain;
    private final ComingCells coming;
    private final long patienceMillis;

    BatchWrites(
            SharedSender sender,
            Handlers.OfTable handlers,
            Removals removals,
            FollowingEntries following,
            FailedWrites failed,
            UncertainEntries uncertain,
            ComingCells coming,
            long patienceMillis) {
        this.sender = sender;
        this.handlers = handlers;
        this.removals = removals;
        this.following = following;
        this.failed = failed;
        this.uncertain = uncertain;
        this.coming = coming;
        this.patienceMillis = patienceMillis;
    }

    /** Before anything is read: what the batch knows then it compares with what it finds later. */
    OfBatch begin() {
        return new OfBatch();
    }

    /**
     * Of one batch. Its life: {@link #prepare} when it is known what is to be done, {@link #write} before the base
     * cells, {@link #end} when HBase has said what became of these. The last comes always, the others may be left out
     * by a failure; {@link #isSending} and {@link #isComplete} say how far it came. For one thread.
     */
    final class OfBatch {

        // Taken before anything is read: what is revived after that is left out of the removals that follow from it.
        private final long knowledge = removals.knowledge();
        // The same for bulk loads: an entry that one brings back after this was read must not be removed for what was
        // there before.
        private final long loadsEnded = coming.ended();

        private BatchEntries found = BatchEntries.NONE;
        // What is sent before the base cells.
        private List<NewEntry> puts = List.of();
        private PendingEntries.@Nullable Ticket ticket;
        // What the index's table was told is uncertain because of this batch; each is to be ended once, whatever
        // happens.
        private final List<UncertainEntries.Begun> begun = new ArrayList<>(1);
        // Whether a call to an index was begun; from then on its entries may be there.
        private boolean isSending;
        // Whether all entries are there; what fails later fails in HBase.
        private boolean isComplete;

        /** Finds a place for what may follow later. */
        void prepare(BatchEntries entries) {
            found = entries;
            if (!found.later().isEmpty()) {
                // Before the write, so that an acknowledged one always has its place; without one it waits, as in mode
                // deferred.
                // All or none of a batch: a place for some would make two kinds of ends of one write.
                ticket = following.reserve(found.later());
            }
        }

        /**
         * Sends what must be there before the base cells, in an order that a crash may cut anywhere: running
         * compactions are told, then the index's table what will be uncertain, then the entries go. After each step a
         * crash leaves at most entries too many, and a timestamp from which on they are found.
         */
        void write() throws IOException {
            // First known, then written: removals that are on their way are waited for, and later ones leave these
            // entries.
            if (!found.revived().isEmpty() || !found.hidden().isEmpty()) {
                removals.revive(found.toKeep());
            }
            puts = found.before(ticket != null);
            isSending = !puts.isEmpty();
            // Told before the entries are sent: a server that is killed in between must find them by their timestamps.
            if (isSending || !found.unfindable().isEmpty() || found.isUnsynced()) {
                begun.add(uncertain.begin(puts, found.unfindable(), found.isUnsynced()));
            }
            if (isSending) {
                sender.putOfWrite(puts);
            }
            // They are sent after the write, but the write may be lost from when it is acknowledged on, and with it all
            // that would tell their rows: so the timestamp has to cover them now.
            if (found.isUnsynced() && !found.later().isEmpty()) {
                begun.add(uncertain.begin(found.later(), List.of(), true));
            }
            // What fails behind this fails in HBase, where cells may be in the table all the same.
            isComplete = true;
        }

        /**
         * When HBase has ended the batch. A failure of what follows here is not the write's: it stands, and is
         * acknowledged by HBase, or refused, as it was decided before.
         */
        void end(boolean success, boolean isLogged) throws IOException {
            // They follow all the same, since the cells may be there; until they are looked at they are uncertain.
            if (!success && isComplete && ticket != null) {
                begun.add(uncertain.begin(found.later()));
            }
            boolean isCertain = false;
            try {
                // Told first, ended then: in between both know of it, never nobody.
                tellWhatIsLeft(success, isLogged);
                // Only if nothing is left to anybody may the timestamp of what is uncertain pass this batch.
                isCertain = success && remove() && found.maybeInVain().isEmpty();
            } finally {
                // Also after a failure: one that never ends would hold the timestamp for the region's whole life.
                for (UncertainEntries.Begun each : begun) {
                    uncertain.end(each, isCertain);
                }
            }
        }

        /**
         * Removes what the batch has made obsolete, or leaves it to others. It is left alone where what made it
         * obsolete may be lost, and where a load has ended since the row was read. In all other cases a failure is no
         * loss: compactions find what is obsolete, and what they would not find is remembered.
         *
         * @return whether that leaves nothing to those who look at what writes have left
         */
        private boolean remove() throws IOException {
            if (found.isUnsynced()) {
                // Should it be lost, they are needed again.
                return leave(found.unfindable(), true);
            }
            Set<Entry> obsolete = obsolete();
            if (obsolete.isEmpty()) {
                return true;
            }
            if (coming.ended() != loadsEnded) {
                // What came with a load may need one of them.
                return leave(obsolete, false);
            }
            try {
                // The write is done, but its handler waits for the index once more: it counts as one that does.
                return handlers.get(() -> {
                    if (obsolete.stream().anyMatch(entry -> entry.index().isAsync())) {
                        // A removal that overtook the entry of an earlier write would be without effect, and the entry
                        // stay for ever.
                        following.await(Wait.REMOVAL, patienceMillis);
                    }
                    return leave(removals.remove(obsolete, knowledge), false);
                });
            } catch (IOException | RuntimeException e) {
                // Compactions find the others.
                leave(found.unfindable(), false);
                throw e;
            }
        }

        /** What is to be removed, if the batch is not lost. */
        private Set<Entry> obsolete() {
            if (found.obsolete().isEmpty() || uncertain.hasUnsynced()) {
                // Perhaps they are obsolete only together with what may be lost.
                return found.unfindable();
            }
            var obsolete = new LinkedHashSet<Entry>(found.obsolete());
            obsolete.addAll(found.unfindable());
            return obsolete;
        }

        /** Whether there are none. */
        private boolean leave(Collection<Entry> entries, boolean mayBeNeeded) {
            if (!entries.isEmpty()) {
                failed.add(entries, false, mayBeNeeded);
            }
            return entries.isEmpty();
        }

        /**
         * Gives over to {@link FailedWrites} what may be in vain now. Of a batch that failed:
         *
         * <ul>
         *   <li>entries that were to follow are sent all the same once the batch was complete, and looked at
         *       afterwards;
         *   <li>entries that were sent are looked at; where the call itself failed they may still arrive, which takes
         *       longer;
         *   <li>entries that were to be removed may have to go after all, if the cells are there in spite of the
         *       failure.
         * </ul>
         *
         * <p>Of one that succeeded only those of states that depend on a load that is on its way.
         */
        private void tellWhatIsLeft(boolean success, boolean isLogged) {
            if (ticket != null) {
                // Not complete: HBase has not seen the cells, so nothing can need these entries, and the place is free
                // again.
                following.end(ticket, success || isComplete);
                if (!success && isComplete) {
                    failed.add(entries(found.later()), true, isLogged);
                }
            }
            if (success && !found.maybeInVain().isEmpty()) {
                failed.add(found.maybeInVain(), false, false);
            }
            if (!success && isSending) {
                failed.add(entries(puts), !isComplete, isLogged);
            }
            if (!success && isComplete) {
                leave(found.unfindable(), isLogged || found.isUnsynced());
            }
        }

        private static List<Entry> entries(List<NewEntry> written) {
            return written.stream().map(NewEntry::entry).toList();
        }
    }
}
