package io.leeway.lazytables.internal.net;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proofs that both sides know the token. Each side gives a random number that is used once; the proof is HMAC-SHA-256
 * under the token of the role and both numbers, so that nothing that was heard once is of use later, and a server's
 * proof is no client's. The role is in it so that nobody can send a proof back to the one who made it.
 */
final class Proofs {

    static final int NONCE = 32;
    static final int PROOF = 32;

    // Seeded by the system: numbers that could be guessed would let a proof be had beforehand.
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String ALGORITHM = "HmacSHA256";

    private Proofs() {}

    static byte[] nonce() {
        byte[] nonce = new byte[NONCE];
        // New for each connection, on both sides.
        RANDOM.nextBytes(nonce);
        return nonce;
    }

    /** What a client sends; of the numbers the server's comes first, in both proofs. */
    static byte[] ofClient(String token, byte[] server, byte[] client) {
        return proof(token, "lazytables client", server, client);
    }

    static byte[] ofServer(String token, byte[] server, byte[] client) {
        return proof(token, "lazytables server", server, client);
    }

    /**
     * Takes the same time wherever they differ. Else it would tell, by its time, how much of a guess was right.
     */
    static boolean equal(byte[] expected, byte[] bytes, int offset) {
        byte[] given = new byte[PROOF];
        System.arraycopy(bytes, offset, given, 0, PROOF);
        return MessageDigest.isEqual(expected, given);
    }

    private static byte[] proof(String token, String role, byte[] server, byte[] client) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(token.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            // Both numbers have one length and the roles are no beginnings of each other, so that no two different
            // inputs are the same bytes.
            mac.update(role.getBytes(StandardCharsets.US_ASCII));
            mac.update(server);
            return mac.doFinal(client);
        } catch (GeneralSecurityException e) {
            // Each JDK must have it.
            throw new IllegalStateException("this JDK has no " + ALGORITHM, e);
        }
    }
}
