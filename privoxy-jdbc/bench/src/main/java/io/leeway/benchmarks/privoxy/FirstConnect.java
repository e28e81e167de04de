package io.leeway.benchmarks.privoxy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

/** The first connection of a JVM: a program of its own, started anew for each measurement. */
final class FirstConnect {

    private static final double MILLI = 1_000_000;
    private static final long LIMIT_SECONDS = 120;

    private FirstConnect() {}

    /** Connects once and prints the milliseconds: URL, user, password. */
    public static void main(String[] arguments) throws SQLException {
        long start = System.nanoTime();
        DriverManager.getConnection(arguments[0], arguments[1], arguments[2]).close();
        System.out.println((System.nanoTime() - start) / MILLI);
    }

    /** Milliseconds of the first connection in a JVM that is started for it. */
    static double millisInNewJvm(String url, String user, String password) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        FirstConnect.class.getName(),
                        url,
                        user,
                        password)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = output.readLine();
            if (line == null || !process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("the started JVM did not connect");
            }
            return Double.parseDouble(line);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
        } finally {
            process.destroyForcibly();
        }
    }
}
