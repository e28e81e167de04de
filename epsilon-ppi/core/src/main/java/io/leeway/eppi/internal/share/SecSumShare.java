package io.leeway.eppi.internal.share;

/**
 * Splits a provider's memberships into shares and adds shares up (ε-PPI §2.4, SecSumShare).
 *
 * <p>Model: provider i has a bit for each of n persons. For c coordinators it draws c−1 uniform vectors and makes the
 * last so that all add up to the bits, modulo the ring. Share k goes to coordinator k and to nobody else; coordinator k
 * adds what it gets from all providers. The sums of the c coordinators add up to the number of holders.
 *
 * <p>Invariant: what any c−1 coordinators got is uniform whatever the bits are, so they learn nothing, with any
 * providers besides that collude, beyond what these put in. The paper sends shares around a ring and lets provider i hand
 * its sum to coordinator {@code i mod c}; when c does not divide the number of providers, one coordinator then gets two
 * shares of one provider, and c−1 of them can know everything. Here a share has one receiver, for every c and m.
 *
 * <p>Cost: the uniform vectors are expanded from seeds of 16 bytes, so that a provider sends c−1 seeds and one vector:
 * linear in persons, independent of the number of providers, one round.
 */
public final class SecSumShare {

    private static final int CHUNK = 1 << 12;

    private SecSumShare() {}

    /**
     * The last share: the bits less what the seeds stand for.
     *
     * @param memberships for each person 0 or 1
     * @param seeds of the other shares
     */
    public static int[] lastShare(int[] memberships, Ring ring, byte[][] seeds) {
        int[] share = memberships.clone();
        for (byte[] seed : seeds) {
            subtract(share, ring, vector(seed, ring, share.length));
        }
        return share;
    }

    /** Takes a vector away. */
    static void subtract(int[] share, Ring ring, int[] vector) {
        int mask = ring.mask();
        for (int i = 0; i < share.length; i++) {
            share[i] = share[i] - vector[i] & mask;
        }
    }

    /** Adds a vector. */
    public static void add(int[] sum, Ring ring, int[] share) {
        int mask = ring.mask();
        for (int i = 0; i < sum.length; i++) {
            sum[i] = sum[i] + share[i] & mask;
        }
    }

    /** The vector that a seed stands for. */
    public static int[] vector(byte[] seed, Ring ring, int length) {
        int[] vector = new int[length];
        expand(seed, ring, vector);
        return vector;
    }

    private static void expand(byte[] seed, Ring ring, int[] into) {
        var stream = new AesStream(seed);
        int width = ring.bytes();
        byte[] bytes = new byte[CHUNK * width];
        for (int from = 0; from < into.length; from += CHUNK) {
            int length = Math.min(CHUNK, into.length - from);
            stream.fill(bytes, 0, length * width);
            read(bytes, into, from, length, ring);
        }
    }

    /** Reads numbers of a message; bits above the ring's are left out. */
    private static void read(byte[] bytes, int[] into, int from, int length, Ring ring) {
        int mask = ring.mask();
        switch (ring.bytes()) {
            case 1 -> {
                for (int i = 0; i < length; i++) {
                    into[from + i] = bytes[i] & mask;
                }
            }
            case 2 -> {
                for (int i = 0; i < length; i++) {
                    int value = bytes[2 * i] << 8 | bytes[2 * i + 1] & 0xff;
                    into[from + i] = value & mask;
                }
            }
            default -> {
                for (int i = 0; i < length; i++) {
                    int value = bytes[4 * i] << 24
                            | (bytes[4 * i + 1] & 0xff) << 16
                            | (bytes[4 * i + 2] & 0xff) << 8
                            | bytes[4 * i + 3] & 0xff;
                    into[from + i] = value & mask;
                }
            }
        }
    }

    /** A vector as it is sent. */
    public static byte[] encode(int[] vector, Ring ring) {
        int width = ring.bytes();
        byte[] bytes = new byte[Math.multiplyExact(vector.length, width)];
        for (int i = 0; i < vector.length; i++) {
            for (int b = 0; b < width; b++) {
                bytes[i * width + b] = (byte) (vector[i] >>> 8 * (width - 1 - b));
            }
        }
        return bytes;
    }

    /**
     * A vector as it arrives.
     *
     * @throws IllegalArgumentException if it has another length, or a number is outside of the ring
     */
    public static int[] decode(byte[] bytes, int length, Ring ring) {
        if (bytes.length != (long) length * ring.bytes()) {
            throw new IllegalArgumentException(
                    "a share of " + bytes.length + " bytes instead of " + (long) length * ring.bytes());
        }
        int[] vector = new int[length];
        int unsigned = ring.bytes() == 4 ? -1 : (1 << 8 * ring.bytes()) - 1;
        var wide = new Ring(ring.bytes() == 4 ? 31 : 8 * ring.bytes());
        if (ring.bytes() == 4) {
            java.nio.ByteBuffer.wrap(bytes).asIntBuffer().get(vector);
        } else {
            read(bytes, vector, 0, length, wide);
        }
        for (int value : vector) {
            if ((value & unsigned & ~ring.mask()) != 0) {
                throw new IllegalArgumentException("a number of a share is outside of the ring");
            }
        }
        return vector;
    }
}
