package io.leeway.lazybase.internal.pg;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.spec.KeySpec;
import java.text.Normalizer;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of SCRAM-SHA-256 (RFC 5802, RFC 7677), without channel binding. An unknown user gets a challenge like a known one, so
 * that nobody learns who is known. For one attempt.
 */
final class Scram {

    static final String MECHANISM = "SCRAM-SHA-256";
    private static final int ITERATIONS = 4_096;

    private final Verifier verifier;
    private final boolean known;
    private final String serverNonce;
    private String clientFirst = "";
    private String serverFirst = "";
    private String nonce = "";
    private String binding = "";

    /** What checks a password without being it. */
    @SuppressWarnings("ArrayRecordComponent")
    record Verifier(int iterations, byte[] salt, byte[] storedKey, byte[] serverKey) {

        static Verifier of(String password, byte[] salt) {
            try {
                KeySpec spec = new PBEKeySpec(
                        Normalizer.normalize(password, Normalizer.Form.NFKC).toCharArray(), salt, ITERATIONS, 256);
                byte[] salted = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                        .generateSecret(spec)
                        .getEncoded();
                byte[] clientKey = hmac(salted, "Client Key");
                return new Verifier(ITERATIONS, salt, sha256(clientKey), hmac(salted, "Server Key"));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("this JDK has no SHA-256", e);
            }
        }

        /** Whether a password is the one that this was made of; takes as long whatever it is. */
        boolean fits(String password) {
            return iterations == ITERATIONS && MessageDigest.isEqual(of(password, salt).storedKey, storedKey);
        }

        static Verifier parse(String text) {
            String[] parts = text.split("[$:]", -1);
            if (parts.length != 5 || !parts[0].equals(MECHANISM)) {
                throw new IllegalArgumentException("not a verifier");
            }
            Base64.Decoder decoder = Base64.getDecoder();
            return new Verifier(
                    Integer.parseInt(parts[1]),
                    decoder.decode(parts[2]),
                    decoder.decode(parts[3]),
                    decoder.decode(parts[4]));
        }

        @Override
        public String toString() {
            return MECHANISM + "$" + iterations + ":" + Users.base64(salt) + "$" + Users.base64(storedKey) + ":"
                    + Users.base64(serverKey);
        }
    }

    /** An attempt; without verifier the user is not known. */
    Scram(@Nullable Verifier verifier, byte[] nonce) {
        this.known = verifier != null;
        this.verifier = verifier != null ? verifier : Verifier.of("", nonce.clone());
        this.serverNonce = Users.base64(nonce);
    }

    /** The answer to the client's first message; null if that is malformed. */
    @Nullable
    String first(String message) {
        // n,,n=user,r=nonce: y says that the client could bind the channel but thinks that we cannot, which is so.
        if (!(message.startsWith("n,,") || message.startsWith("y,,"))) {
            return null;
        }
        binding = message.substring(0, 3);
        clientFirst = message.substring(3);
        String clientNonce = attribute(clientFirst, 'r');
        if (clientNonce == null || clientNonce.isEmpty()) {
            return null;
        }
        nonce = clientNonce + serverNonce;
        serverFirst = "r=" + nonce + ",s=" + Users.base64(verifier.salt) + ",i=" + verifier.iterations;
        return serverFirst;
    }

    /** The answer to the client's last message; null if the password is wrong. */
    @Nullable
    String last(String message) {
        int proofAt = message.lastIndexOf(",p=");
        String given = attribute(message, 'c');
        String bound = Users.base64(binding.getBytes(StandardCharsets.US_ASCII));
        if (proofAt < 0 || !bound.equals(given) || !nonce.equals(attribute(message, 'r'))) {
            return null;
        }
        try {
            byte[] proof = Base64.getDecoder().decode(message.substring(proofAt + 3));
            String all = clientFirst + "," + serverFirst + "," + message.substring(0, proofAt);
            byte[] signature = hmac(verifier.storedKey, all);
            if (proof.length != signature.length) {
                return null;
            }
            byte[] clientKey = new byte[proof.length];
            for (int i = 0; i < proof.length; i++) {
                clientKey[i] = (byte) (proof[i] ^ signature[i]);
            }
            boolean right = MessageDigest.isEqual(sha256(clientKey), verifier.storedKey);
            return right && known ? "v=" + Users.base64(hmac(verifier.serverKey, all)) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable String attribute(String message, char name) {
        for (String part : message.split(",", -1)) {
            if (part.length() > 1 && part.charAt(0) == name && part.charAt(1) == '=') {
                return part.substring(2);
            }
        }
        return null;
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no SHA-256", e);
        }
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no SHA-256", e);
        }
    }
}
