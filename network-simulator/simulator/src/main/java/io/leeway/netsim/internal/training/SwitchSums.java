package io.leeway.netsim.internal.training;

/**
 * The sums that a switch makes: it keeps one copy of what has come, and sends a unit on when all workers' copies of it are
 * in. Its memory has no limit; the most that it held is told. Not thread-safe.
 */
final class SwitchSums {

    private final Cluster cluster;
    private final Star star;
    /** Of each part of a tensor: how many workers' copies of each segment have come. */
    private final int[][] copies;
    /** Bits of the unit that is being completed. */
    private final long[] ready;

    private long held;
    private long most;

    SwitchSums(Cluster cluster, Star star, int slots) {
        this.cluster = cluster;
        this.star = star;
        copies = new int[slots][];
        ready = new long[slots];
    }

    long most() {
        return most;
    }

    private int segmentsOfAUnit(long bits) {
        return switch (cluster.unit()) {
            case PARAMETER -> Integer.MAX_VALUE;
            case MESSAGE -> (int) Math.max(1, bits / cluster.workers() / cluster.segment());
            case PACKET -> 1;
        };
    }

    /** A worker's copy of a segment is in; {@code arrived} is called when the server has the sum of the last one. */
    void add(int slot, int server, long bits, int index, long length, boolean last, Runnable arrived) {
        int[] parts = copies[slot];
        if (parts == null) {
            parts = new int[(int) ((bits + cluster.segment() - 1) / cluster.segment())];
            copies[slot] = parts;
        }
        parts[index]++;
        if (parts[index] == 1) {
            held += length;
            most = Math.max(most, held);
        }
        if (parts[index] < cluster.workers()) {
            return;
        }
        // Each worker's segments come in order: those before this one are complete, too.
        ready[slot] += length;
        if (last || (index + 1) % segmentsOfAUnit(bits) == 0) {
            held -= ready[slot];
            star.down(new int[] {server}, ready[slot], last ? host -> arrived.run() : null);
            ready[slot] = 0;
        }
        if (last) {
            copies[slot] = null;
        }
    }
}
