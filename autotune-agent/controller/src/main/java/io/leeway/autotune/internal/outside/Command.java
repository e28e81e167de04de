package io.leeway.autotune.internal.outside;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs programs with a time limit; no shell, so that values are never read as commands. */
public final class Command {

    private static final long PATIENCE_SECONDS = 30;
    private static final int SHOWN = 500;

    private Command() {}

    /**
     * What it writes.
     *
     * @throws IOException if it fails, with what it wrote, or does not end in time
     */
    static String run(List<String> command) throws IOException {
        return run(command, PATIENCE_SECONDS);
    }

    /** The same with a limit of its own. */
    public static String run(List<String> command, long seconds) throws IOException {
        Path output = Files.createTempFile("autotune-command-", ".txt");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                    .start();
            try {
                if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    throw new IOException(command.get(0) + " did not end in " + seconds + " s");
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
                throw new IOException(command.get(0) + " was broken off", e);
            }
            String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
            if (process.exitValue() != 0) {
                throw new IOException(command.get(0) + " ended with " + process.exitValue() + ": "
                        + text.substring(0, Math.min(SHOWN, text.length())).strip());
            }
            return text.strip();
        } finally {
            Files.deleteIfExists(output);
        }
    }
}
