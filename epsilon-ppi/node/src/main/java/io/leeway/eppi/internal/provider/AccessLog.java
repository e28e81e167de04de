package io.leeway.eppi.internal.provider;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.index.Digests;
import io.leeway.eppi.internal.session.Secrets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;

/**
 * Who asked for whom and what became of it. A line ends with the digest of itself and the line before, so that lines cannot
 * be taken out or changed without a trace. Thread-safe.
 */
final class AccessLog {

    private static final String BEGIN = "begin";

    private final Path file;
    private final Clock clock;
    private String last;

    AccessLog(Path file, Clock clock) {
        this.file = file;
        this.clock = clock;
        this.last = verify(file);
    }

    /** Writes a line before anything is answered. */
    synchronized void write(String searcher, String person, String outcome, int records) {
        String text = clock.instant() + " " + searcher + " " + person + " " + outcome + " " + records;
        last = chained(last, text);
        try {
            if (!Files.exists(file)) {
                // Who asked for whom is for the owner's eyes only.
                Secrets.write(file, new byte[0]);
            }
            Files.writeString(file, text + " " + last + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw EppiException.of(Code.STATE, "the access log cannot be written", e);
        }
    }

    /**
     * Checks the chain.
     *
     * @return the last digest
     * @throws EppiException with {@link Code#FILE} that says which line was changed
     */
    static String verify(Path file) {
        String before = BEGIN;
        try {
            List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            for (int i = 0; i < lines.size(); i++) {
                int blank = lines.get(i).lastIndexOf(' ');
                String expected = chained(before, lines.get(i).substring(0, Math.max(0, blank)));
                if (!lines.get(i).substring(blank + 1).equals(expected)) {
                    throw EppiException.of(Code.FILE, "line " + (i + 1) + " of the access log was changed");
                }
                before = expected;
            }
            return before;
        } catch (IOException e) {
            throw EppiException.of(Code.FILE, "the access log " + file + " cannot be read", e);
        }
    }

    private static String chained(String before, String text) {
        byte[] digest = Digests.of(
                "eppi-access", before.getBytes(StandardCharsets.UTF_8), text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest, 0, 16);
    }
}
