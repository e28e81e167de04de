package io.leeway.eppi.internal.mpc;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * Breaks the correlation of extended transfers: one bit of π(x ⊕ i) ⊕ x ⊕ i for AES with a public key as the permutation
 * π and the number i of the transfer.
 */
final class TransferHash {

    private static final byte[] PUBLIC_KEY = {
        0x65, 0x70, 0x73, 0x69, 0x6c, 0x6f, 0x6e, 0x2d, 0x70, 0x70, 0x69, 0x2d, 0x6f, 0x74, 0x2d, 0x31
    };

    private final Cipher cipher;

    TransferHash() {
        try {
            cipher = Cipher.getInstance("AES/ECB/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(PUBLIC_KEY, "AES"));
        } catch (GeneralSecurityException e) {
            throw EppiException.of(Code.INTERNAL, "AES is missing in this Java", e);
        }
    }

    /**
     * A bit for each row.
     *
     * @param rows two words each
     * @param mask two words that are added to each row first
     * @param first the number of the first row among all transfers
     */
    long[] bits(long[] rows, long[] mask, long first) {
        int count = rows.length / 2;
        var buffer = ByteBuffer.allocate(rows.length * Long.BYTES);
        for (int j = 0; j < count; j++) {
            buffer.putLong(rows[2 * j] ^ mask[0]);
            buffer.putLong(rows[2 * j + 1] ^ mask[1] ^ first + j);
        }
        byte[] input = buffer.array();
        byte[] output = new byte[input.length];
        try {
            cipher.doFinal(input, 0, input.length, output, 0);
        } catch (GeneralSecurityException e) {
            throw EppiException.of(Code.INTERNAL, "AES refuses", e);
        }
        long[] bits = new long[(count + 63) / 64];
        for (int j = 0; j < count; j++) {
            bits[j >>> 6] |= (long) ((output[16 * j] ^ input[16 * j]) & 1) << j;
        }
        return bits;
    }
}
