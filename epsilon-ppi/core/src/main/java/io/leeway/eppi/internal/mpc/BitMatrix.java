package io.leeway.eppi.internal.mpc;

/** Turns columns of bits into rows. */
final class BitMatrix {

    private BitMatrix() {}

    /** Transposes a square of 64 words in place: bit c of word r goes to bit r of word c. */
    static void transpose(long[] square) {
        long mask = 0x00000000FFFFFFFFL;
        for (int width = 32; width != 0; width >>>= 1, mask ^= mask << width) {
            for (int k = 0; k < 64; k = (k | width) + 1 & ~width) {
                long swap = (square[k] >>> width ^ square[k | width]) & mask;
                square[k] ^= swap << width;
                square[k | width] ^= swap;
            }
        }
    }
}
