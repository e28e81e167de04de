package io.leeway.eppi.internal.publish;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Token;
import java.security.GeneralSecurityException;
import java.util.BitSet;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * A provider's noise (ε-PPI §2.3.1, eq. 2): true memberships are always published, false ones with the person's
 * probability.
 *
 * <p>Model: the random number that is compared with the probability is AES of the person's token under the provider's own
 * key. So it is the same in every construction: a probability that grows adds entries and one that stays changes none,
 * and who compares many indexes learns nothing from the noise. Not thread-safe.
 *
 * <p>Cost: one block of AES for a person.
 */
public final class Noise {

    /** Bytes of a key. */
    public static final int KEY_BYTES = 16;

    private static final int BATCH = 1 << 9;
    private static final double UNITS = 0x1p53;

    private final Cipher cipher;
    private final byte[] block = new byte[BATCH * Token.BYTES];

    /** Noise under a provider's secret key. */
    public Noise(byte[] key) {
        try {
            cipher = Cipher.getInstance("AES/ECB/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
        } catch (GeneralSecurityException e) {
            throw EppiException.of(Code.INTERNAL, "AES is missing in this Java, or the key is none", e);
        }
    }

    /** Probabilities as numbers to compare with. */
    public static long[] limits(double[] probabilities) {
        long[] limits = new long[probabilities.length];
        for (int i = 0; i < limits.length; i++) {
            limits[i] = (long) Math.ceil(Math.min(1, probabilities[i]) * UNITS);
        }
        return limits;
    }

    /**
     * The row that is published.
     *
     * @param tokens of all persons, 16 bytes each
     * @param limits of all persons, see {@link #limits}
     * @param members the persons of whom there are records
     */
    public BitSet row(byte[] tokens, long[] limits, BitSet members) {
        var row = (BitSet) members.clone();
        for (int from = 0; from < limits.length; from += BATCH) {
            int count = Math.min(BATCH, limits.length - from);
            encrypt(tokens, from * Token.BYTES, count * Token.BYTES);
            for (int i = 0; i < count; i++) {
                if (number(i) < limits[from + i]) {
                    row.set(from + i);
                }
            }
        }
        return row;
    }

    /**
     * Random numbers of persons, from the same source: a coordinator's contribution to their coins.
     *
     * @param bits 1 to 31
     */
    public int[] numbers(byte[] tokens, int bits) {
        int persons = tokens.length / Token.BYTES;
        int[] numbers = new int[persons];
        for (int from = 0; from < persons; from += BATCH) {
            int count = Math.min(BATCH, persons - from);
            encrypt(tokens, from * Token.BYTES, count * Token.BYTES);
            for (int i = 0; i < count; i++) {
                numbers[from + i] = (int) (number(i) >>> 53 - bits);
            }
        }
        return numbers;
    }

    private void encrypt(byte[] tokens, int offset, int length) {
        try {
            cipher.doFinal(tokens, offset, length, block, 0);
        } catch (GeneralSecurityException e) {
            throw EppiException.of(Code.INTERNAL, "AES refuses", e);
        }
    }

    /** 53 bits of the i-th block. */
    private long number(int i) {
        int at = i * Token.BYTES;
        long high = (block[at] & 0xffL) << 24
                | (block[at + 1] & 0xffL) << 16
                | (block[at + 2] & 0xffL) << 8
                | block[at + 3] & 0xffL;
        long low = (block[at + 4] & 0xffL) << 16 | (block[at + 5] & 0xffL) << 8 | block[at + 6] & 0xffL;
        return high << 21 | low >>> 3;
    }
}
