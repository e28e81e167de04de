package io.leeway.eppi.internal.share;

/**
 * The numbers modulo 2<sup>bits</sup> in which memberships are summed.
 *
 * <p>The modulus is above the number of providers plus one, so that no sum wraps around (with the modulus of the paper's
 * example, 5 for 5 providers, a person whom all hold would read as held by none), and a power of two, so that random
 * numbers are uniform without a bias and reduction costs no gate.
 *
 * @param bits 1 to 31
 */
public record Ring(int bits) {

    /** Checks the range. */
    public Ring {
        if (bits < 1 || bits > 31) {
            throw new IllegalArgumentException("a ring has 1 to 31 bits, not " + bits);
        }
    }

    /** The smallest ring for sums of this many providers and thresholds up to one more. */
    public static Ring forProviders(int providers) {
        return new Ring(32 - Integer.numberOfLeadingZeros(Math.addExact(providers, 1)));
    }

    /** What remains of a number. */
    public int reduce(int value) {
        return value & mask();
    }

    /** One less than the modulus. */
    public int mask() {
        return (int) ((1L << bits) - 1);
    }

    /** Bytes of a number in a message. */
    public int bytes() {
        return bits <= 8 ? 1 : bits <= 16 ? 2 : 4;
    }
}
