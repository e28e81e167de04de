package io.leeway.privoxy.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.PackagedJar;
import io.leeway.testkit.db.TestDatabase;
import io.leeway.testkit.db.TestDatabases;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.Driver;

/** The packaged jar as a program, and the script around it, in processes of their own. */
class CommandJarIT {

    private static final long SECONDS = 120;

    @TempDir
    private Path folder;

    private record Ended(int code, String out) {}

    @Test
    void theJarAloneIsAProgram() throws Exception {
        Ended help = java("--help");
        assertThat(help.out()).contains("Usage: privoxy COMMAND", "suggest");
        assertThat(help.code()).isZero();

        Ended mistake = java("lnt");
        assertThat(mistake.out())
                .isEqualToIgnoringNewLines("privoxy: there is no command lnt, did you mean lint? See: privoxy --help");
        assertThat(mistake.code()).isEqualTo(2);
    }

    @Test
    void readsALiveDatabaseWithADriverThatIsNamedOrOnTheClassPath() throws Exception {
        String driver = Path.of(Driver.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
        try (TestDatabase database = TestDatabases.postgres().freshDatabase("command")) {
            database.execute("CREATE TABLE people (id BIGINT PRIMARY KEY, name TEXT)");
            Path password = Files.writeString(folder.resolve("password"), database.password() + "\n");
            Path policy =
                    Files.writeString(folder.resolve("p.sql"), "CREATE VIEW names AS SELECT id, name FROM people;\n");
            String[] where = {
                "--url", database.jdbcUrl(), "--user", database.user(), "--password-file", password.toString()
            };

            Ended without = java(with(where, "schema"));
            Ended schema = java(with(where, "schema", "--driver", driver));
            Ended lint = script(driver, with(where, "lint", policy.toString()));

            assertThat(without.code()).isEqualTo(2);
            assertThat(without.out()).contains("No driver accepts jdbc:postgresql://");
            assertThat(schema.out()).contains("table public.people TABLE", "column name TEXT text");
            assertThat(schema.code()).isZero();
            assertThat(lint.out()).contains("0 errors, 0 warnings, 1 note");
            assertThat(lint.code()).isZero();
        }
    }

    private static String[] with(String[] where, String command, String... more) {
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(List.of(where));
        words.addAll(List.of(more));
        return words.toArray(String[]::new);
    }

    private Ended java(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                PackagedJar.ofThisBuild().file().toString()));
        command.addAll(List.of(words));
        return run(new ProcessBuilder(command));
    }

    private Ended script(String driver, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("leeway.root"), "bin", "privoxy").toString()));
        command.addAll(List.of(words));
        var builder = new ProcessBuilder(command);
        builder.environment()
                .put("PRIVOXY_JAR", PackagedJar.ofThisBuild().file().toString());
        builder.environment().put("PRIVOXY_CLASSPATH", driver);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return run(builder);
    }

    /** Output and errors go to a file, so that no pipe can fill up while the end is waited for. */
    private Ended run(ProcessBuilder builder) throws IOException, InterruptedException {
        File out = Files.createTempFile(folder, "out", ".txt").toFile();
        Process process = builder.redirectErrorStream(true).redirectOutput(out).start();
        try {
            assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS))
                    .as("it ends in time")
                    .isTrue();
            return new Ended(process.exitValue(), Files.readString(out.toPath()));
        } finally {
            process.destroyForcibly();
        }
    }
}
