package io.leeway.demo.lazybase;

import io.leeway.lazybase.LazyBaseCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** A server in a process of its own. */
record ServerProcess(Process process, String url) implements AutoCloseable {

    static ServerProcess start(Path directory) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx700m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LazyBaseCommand.class.getName(),
                        "start",
                        "--directory=" + directory,
                        "--pg.port=0",
                        "--web.port=-1",
                        "--authority.interval=2s")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String url = out.readLine();
        if (url == null || !url.startsWith("jdbc:")) {
            process.destroyForcibly();
            throw new IOException("the server did not start: " + url);
        }
        return new ServerProcess(process, url.strip());
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url, "demo", "");
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }

    static void delete(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }
}
