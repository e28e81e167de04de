package io.leeway.autotune.internal.agent;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Set;

/**
 * The agent's own log: standard error or a file. Never java.util.logging or another one of the host, since the first
 * who asks for a logger decides which log manager there is.
 */
final class AgentLog {

    private static final int MOST_ONCE = 1_000;

    private final PrintStream out;
    private final Set<String> said = new HashSet<>();

    AgentLog(String file) {
        this.out = file.isEmpty() ? System.err : open(file);
    }

    private static PrintStream open(String file) {
        try {
            OutputStream stream =
                    Files.newOutputStream(Path.of(file), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            return new PrintStream(stream, true, StandardCharsets.UTF_8);
        } catch (IOException e) {
            System.err.println("[autotune] cannot write " + file + ", standard error is used: " + e);
            return System.err;
        }
    }

    void say(String line) {
        out.println("[autotune] " + Instant.now().truncatedTo(ChronoUnit.SECONDS) + " " + line);
    }

    /** Says a thing the first time only. */
    synchronized void once(String line) {
        if (said.size() < MOST_ONCE && said.add(line)) {
            say(line);
        }
    }
}
