package io.leeway.eppi.internal.index;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;

/** SHA-256 and Ed25519. */
public final class Digests {

    /** Bytes of a digest. */
    public static final int BYTES = 32;

    private Digests() {}

    /** A digest whose input begins with a purpose, so that none can be taken for another. */
    public static MessageDigest begin(String purpose) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(purpose.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            return digest;
        } catch (GeneralSecurityException e) {
            throw EppiException.of(Code.INTERNAL, "SHA-256 is missing in this Java", e);
        }
    }

    /** The digest of parts, each with its length. */
    public static byte[] of(String purpose, byte[]... parts) {
        MessageDigest digest = begin(purpose);
        for (byte[] part : parts) {
            digest.update(number(part.length));
            digest.update(part);
        }
        return digest.digest();
    }

    /** Eight bytes. */
    public static byte[] number(long value) {
        return java.nio.ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    /** Signs with Ed25519. */
    public static byte[] sign(PrivateKey key, byte[] message) {
        try {
            Signature signature = Signature.getInstance("Ed25519");
            signature.initSign(key);
            signature.update(message);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw EppiException.of(Code.CONFIGURATION, "the private key is not of Ed25519", e);
        }
    }

    /** Whether a signature is that of the key's owner. */
    public static boolean isSigned(PublicKey key, byte[] message, byte[] signature) {
        try {
            Signature verifier = Signature.getInstance("Ed25519");
            verifier.initVerify(key);
            verifier.update(message);
            return verifier.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
