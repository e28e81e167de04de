package io.leeway.approx.atp;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** A message that waits, is on its way, or is delivered. Belongs to one {@link SendGroup}. */
final class Message<M> {

    final SendGroup<M> group;
    final int id;
    final int size;
    final int parts;
    final double rank;
    final long arrival;

    @Nullable
    M payload;

    /** Whether it is in the sample: sent until it arrives. */
    boolean committed;

    boolean done;

    /** Parts that were sent once: all below. */
    int sentParts;

    int ackedParts;
    int remaining;
    boolean everLost;
    boolean queuedAsLost;

    private @Nullable BitSet acked;
    private @Nullable BitSet lost;
    private int lostParts;

    Message(SendGroup<M> group, int id, int size, int parts, double rank, @Nullable M payload) {
        this.group = group;
        this.id = id;
        this.size = size;
        this.parts = parts;
        this.rank = rank;
        this.payload = payload;
        arrival = id;
        remaining = size;
    }

    boolean fresh() {
        return sentParts < parts;
    }

    boolean presumedLost() {
        return lostParts > 0;
    }

    /** Whether all parts are on their way or have arrived. */
    boolean inFlight() {
        return !done && !fresh() && lostParts == 0;
    }

    /** Marks a part as arrived; false if that was known. */
    boolean ack(int part, int bytes) {
        if (done) {
            return false;
        }
        if (parts > 1) {
            BitSet bits = acked == null ? new BitSet(parts) : acked;
            acked = bits;
            if (bits.get(part)) {
                return false;
            }
            bits.set(part);
        }
        if (isLost(part)) {
            clearLost(part);
        }
        ackedParts++;
        remaining -= bytes;
        return true;
    }

    /** Marks a part as presumed lost; false if it has arrived or is marked already. */
    boolean lose(int part) {
        if (done || isLost(part) || acked != null && acked.get(part)) {
            return false;
        }
        if (parts > 1) {
            BitSet bits = lost == null ? new BitSet(parts) : lost;
            lost = bits;
            bits.set(part);
        }
        lostParts++;
        return true;
    }

    /** The next part to send again, which is not lost any more then. */
    int takeLost() {
        int part = parts == 1 || lost == null ? 0 : lost.nextSetBit(0);
        clearLost(part);
        return part;
    }

    private boolean isLost(int part) {
        return lostParts > 0 && (parts == 1 || lost != null && lost.get(part));
    }

    private void clearLost(int part) {
        if (lost != null) {
            lost.clear(part);
        }
        lostParts--;
    }
}
