package io.leeway.privoxy.internal.guard;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * How a statement is named in messages, logs and reports.
 *
 * <p>Made of the text without its values, so that it can stand in logs and metrics.
 *
 * @param id short and stable: the beginning of a hash of the text without literals
 * @param text the statement without literals
 */
record QueryName(String id, String text) {

    private static final int ID_BYTES = 5;

    static QueryName of(String textWithoutLiterals) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(textWithoutLiterals.getBytes(StandardCharsets.UTF_8));
            return new QueryName(HexFormat.of().formatHex(hash, 0, ID_BYTES), textWithoutLiterals);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
