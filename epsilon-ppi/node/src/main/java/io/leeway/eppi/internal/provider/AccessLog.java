package io.leeway.eppi.internal.provider;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.index.Digests;
import io.leeway.eppi.internal.session.Secrets;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
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

    private static final Logger LOG = System.getLogger(AccessLog.class.getName());
    private static final String BEGIN = "begin";

    private final Path file;
    private final Clock clock;
    private String last;

    AccessLog(Path file, Clock clock) {
        this.file = file;
        this.clock = clock;
        this.last = verify(file);
    }

    /**
     * Writes a line before anything is answered.
     *
     * @throws EppiException with {@link Code#STATE} if it cannot be, and then there is nothing of it
     */
    synchronized void write(String searcher, String person, String outcome, int records) {
        String text = clock.instant() + " " + searcher + " " + person + " " + outcome + " " + records;
        try {
            if (!Files.exists(file)) {
                // Who asked for whom is for the owner's eyes only. Who moved the old log away has a new chain here.
                Secrets.write(file, new byte[0]);
                last = BEGIN;
            }
            String next = chained(last, text);
            append((text + " " + next + "\n").getBytes(StandardCharsets.UTF_8));
            last = next;
        } catch (IOException e) {
            throw EppiException.of(Code.STATE, "the access log " + file + " cannot be written", e);
        }
    }

    private void append(byte[] line) throws IOException {
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
            long end = out.size();
            try {
                out.position(end);
                for (var left = ByteBuffer.wrap(line); left.hasRemaining(); ) {
                    out.write(left);
                }
            } catch (IOException e) {
                out.truncate(end);
                throw e;
            }
        }
    }

    /**
     * Checks the chain. A last line without its end was being written when the process was killed, and its search was not
     * answered: it is taken off.
     *
     * @return the last digest
     * @throws EppiException with {@link Code#FILE} that says which line was changed
     */
    static String verify(Path file) {
        String before = BEGIN;
        try {
            String text = Files.exists(file) ? Files.readString(file) : "";
            int whole = text.lastIndexOf('\n') + 1;
            List<String> lines = text.substring(0, whole).lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                int blank = lines.get(i).lastIndexOf(' ');
                String expected = chained(before, lines.get(i).substring(0, Math.max(0, blank)));
                if (!lines.get(i).substring(blank + 1).equals(expected)) {
                    throw EppiException.of(
                            Code.FILE, "line " + (i + 1) + " of the access log " + file + " was changed");
                }
                before = expected;
            }
            if (whole < text.length()) {
                LOG.log(Level.WARNING, "the last line of the access log {0} was not whole and is taken off", file);
                try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    out.truncate(text.substring(0, whole).getBytes(StandardCharsets.UTF_8).length);
                }
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
