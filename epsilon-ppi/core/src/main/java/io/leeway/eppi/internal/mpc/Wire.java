package io.leeway.eppi.internal.mpc;

/**
 * One party's share of a wire: a bit for each person, 64 of them in a word. Has as many components as the sharing;
 * what is linear is done on each component alone. Immutable by agreement: nobody writes into {@link #components}.
 *
 * @param components one for XOR shares, two for replicated shares
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
record Wire(long[][] components) {

    int words() {
        return components[0].length;
    }

    Wire xor(Wire other) {
        long[][] sum = new long[components.length][];
        for (int c = 0; c < sum.length; c++) {
            sum[c] = xor(components[c], other.components[c]);
        }
        return new Wire(sum);
    }

    /** The bits where the public mask has ones, zero elsewhere. */
    Wire and(long[] mask) {
        long[][] masked = new long[components.length][words()];
        for (int c = 0; c < masked.length; c++) {
            for (int w = 0; w < masked[c].length; w++) {
                masked[c][w] = components[c][w] & mask[w];
            }
        }
        return new Wire(masked);
    }

    Wire slice(int from, int to) {
        long[][] part = new long[components.length][];
        for (int c = 0; c < part.length; c++) {
            part[c] = java.util.Arrays.copyOfRange(components[c], from, to);
        }
        return new Wire(part);
    }

    /** Moves all bits of every word down, so that a word's upper half lies on its lower one. */
    Wire shiftedDown(int bits) {
        long[][] moved = new long[components.length][words()];
        for (int c = 0; c < moved.length; c++) {
            for (int w = 0; w < moved[c].length; w++) {
                moved[c][w] = components[c][w] >>> bits;
            }
        }
        return new Wire(moved);
    }

    static Wire concat(java.util.List<Wire> wires) {
        int width = wires.get(0).components.length;
        int words = wires.stream().mapToInt(Wire::words).sum();
        long[][] all = new long[width][words];
        for (int c = 0; c < width; c++) {
            int at = 0;
            for (Wire wire : wires) {
                System.arraycopy(wire.components[c], 0, all[c], at, wire.words());
                at += wire.words();
            }
        }
        return new Wire(all);
    }

    static long[] xor(long[] left, long[] right) {
        long[] sum = new long[left.length];
        for (int w = 0; w < sum.length; w++) {
            sum[w] = left[w] ^ right[w];
        }
        return sum;
    }
}
