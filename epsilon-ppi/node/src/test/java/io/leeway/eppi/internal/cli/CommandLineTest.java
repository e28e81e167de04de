package io.leeway.eppi.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.eppi.internal.local.NetworkFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people mistype, and what they are told. */
class CommandLineTest {

    private static final int AT_ONCE = 8;

    @TempDir
    static Path network;

    private static NetworkFiles files;

    @TempDir
    Path directory;

    private Path register;

    /** What a command said, and how it ended. */
    private record Said(int code, String text) {}

    @BeforeAll
    static void makeKeys() {
        files = NetworkFiles.create(network, "test", 3, List.of("general"), List.of("doctor"));
    }

    @BeforeEach
    void chooseRegister() {
        register = directory.resolve("register");
    }

    private static Said run(String... words) {
        var bytes = new ByteArrayOutputStream();
        var out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        int code = CommandLine.run(List.of(words), out, out);
        return new Said(code, bytes.toString(StandardCharsets.UTF_8));
    }

    private Said enrol(String... words) {
        Map<String, String> options = files.options("registrar");
        var all = new ArrayList<>(List.of("enrol"));
        all.addAll(List.of(words));
        for (String key : List.of("eppi.roster", "eppi.key", "eppi.key.password")) {
            all.add("--" + key + "=" + options.get(key));
        }
        all.add("--network.key=" + network.resolve("network.key"));
        all.add("--register=" + register);
        return run(all.toArray(String[]::new));
    }

    private Path wishes(String text) {
        Path file = directory.resolve("wishes.txt");
        try {
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void allWrongLinesOfAFileOfWishesAreNamedAndNothingIsWritten() {
        Path file = wishes("0.5 anna\n1.5 bert\n# nobody\n0,5 carl\n0.5\n0.5 ---\n");

        Said said = enrol("--from=" + file);

        assertThat(said.code).isEqualTo(2);
        assertThat(said.text)
                .startsWith("eppi: EPPI-1002")
                .contains("line 2 of", "epsilon is 1.5", "line 4 of", "epsilon is 0,5", "line 5 of", "line 6 of")
                .doesNotContain("line 1 of");
        assertThat(register).doesNotExist();
    }

    @Test
    void aFileThatBeginsWithAMarkIsReadAsWithout() {
        assertThat(enrol("--from=" + wishes("\ufeff0.5 anna\r\n0.25 bert\r\n")).text)
                .endsWith("has 2 persons\n");
    }

    @Test
    void wishesThatAreEnteredAtOnceAreAllKept() throws Exception {
        var threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Callable<Said>> all = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                String person = "p" + i;
                all.add(() -> enrol(person, "--epsilon=0.5"));
            }
            for (Future<Said> each : threads.invokeAll(all)) {
                assertThat(each.get().code).as(each.get().text).isZero();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(enrol("one-more", "--epsilon=0.5").text).endsWith("has " + (AT_ONCE + 1) + " persons\n");
    }

    @Test
    void everythingThatAProviderLacksIsSaidAtOnce() throws IOException {
        Path config = directory.resolve("general.properties");
        Files.writeString(config, """
                eppi.name=general
                eppi.roster=/nowhere/roster
                eppi.timeout=soon
                eppi.http=7290
                eppi.database.records=SELECT 1
                eppi.databse.user=me
                """);

        Said said = run("provider", "--config=" + config);

        assertThat(said.code).isEqualTo(2);
        assertThat(said.text)
                .contains(
                        "eppi.roster=/nowhere/roster is no file",
                        "eppi.timeout=soon",
                        "eppi.http=7290",
                        "eppi.database.records=SELECT 1",
                        "did you mean eppi.database.user?",
                        "eppi.key is missing",
                        "eppi.network.key is missing",
                        "eppi.state is missing",
                        "eppi.database.url is missing",
                        "eppi.database.members is missing")
                .doesNotContain("eppi.roster is missing", "eppi.database.records is missing");
    }

    @Test
    void aWrongPasswordAndAWrongNameAreNamed() {
        List<String> words = new ArrayList<>(List.of("provider"));
        Map<String, String> options = files.options("general");
        options.put("eppi.database.url", "jdbc:h2:mem:nothing");
        options.put("eppi.database.members", "SELECT 1");
        options.put("eppi.database.records", "SELECT ?");
        options.put("eppi.access.allow", "docter");
        options.forEach((key, value) -> words.add("--" + key + "=" + value));

        assertThat(run(words.toArray(String[]::new)).text).contains("docter, did you mean doctor?");
        words.add("--name=generel");
        assertThat(run(words.toArray(String[]::new)).text).contains("no member generel");
        words.add("--name=general");
        words.add("--key.password=wrong!");
        assertThat(run(words.toArray(String[]::new)).text).contains("EPPI-1001", "password");
    }

    @Test
    void anAddressThatIsNoneIsNotTried() {
        assertThat(run("construct", "--coordinator=127.0.0.1:7290"))
                .satisfies(said -> assertThat(said.code).isEqualTo(2))
                .satisfies(said -> assertThat(said.text).contains("no address like http://"));
        assertThat(run("construct", "--coordinator=http://127.0.0.1:1/").text).contains("EPPI-1101");
        assertThat(run("query", "anna", "--config=" + directory.resolve("nothing")).text)
                .contains("there is no file");
    }
}
