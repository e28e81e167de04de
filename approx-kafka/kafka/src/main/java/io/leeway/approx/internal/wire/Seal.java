package io.leeway.approx.internal.wire;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals the datagrams of one direction of one session with AES-128-GCM. The nonce is the datagram's number, which is
 * never used twice under one key; the header is authenticated with it. Not thread-safe.
 */
public final class Seal {

    /** Bytes that sealing adds. */
    public static final int TAG = 16;

    /** Bytes of a key and the nonce's mask that goes with it. */
    public static final int SECRET = 28;

    private static final int NONCE_BYTES = 12;

    private final SecretKeySpec key;
    private final byte[] mask;
    private final Cipher cipher;

    /** A seal from {@link #SECRET} random bytes. */
    public Seal(byte[] secret) {
        if (secret.length != SECRET) {
            throw new IllegalArgumentException("a secret of " + secret.length + " bytes");
        }
        key = new SecretKeySpec(secret, 0, 16, "AES");
        mask = Arrays.copyOfRange(secret, 16, SECRET);
        try {
            cipher = Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has AES-GCM", e);
        }
    }

    /** Writes the sealed plain text behind what {@code out} has; the header is the first {@code header} bytes of it. */
    public void seal(long number, ByteBuffer header, ByteBuffer plain, ByteBuffer out) {
        try {
            cipher.init(Cipher.ENCRYPT_MODE, key, parameters(number));
            cipher.updateAAD(header);
            cipher.doFinal(plain, out);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a datagram cannot be sealed", e);
        }
    }

    /** Opens what was sealed; false if it was not sealed with this key, number and header. */
    public boolean open(long number, ByteBuffer header, ByteBuffer sealed, ByteBuffer plain) {
        try {
            cipher.init(Cipher.DECRYPT_MODE, key, parameters(number));
            cipher.updateAAD(header);
            cipher.doFinal(sealed, plain);
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private GCMParameterSpec parameters(long number) {
        byte[] nonce = mask.clone();
        for (int i = 0; i < Long.BYTES; i++) {
            nonce[NONCE_BYTES - 1 - i] ^= (byte) (number >>> 8 * i);
        }
        return new GCMParameterSpec(8 * TAG, nonce);
    }
}
