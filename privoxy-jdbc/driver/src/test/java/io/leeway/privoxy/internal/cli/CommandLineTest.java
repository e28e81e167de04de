package io.leeway.privoxy.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandLineTest {

    @TempDir
    private Path folder;

    @Test
    void withoutWordsItSaysWhatItCanDoAndFails() {
        Site.Ran ran = run();

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err())
                .contains(
                        "Usage: privoxy COMMAND",
                        "lint",
                        "schema",
                        "explain",
                        "check",
                        "report",
                        "suggest",
                        "templates");
    }

    @ParameterizedTest
    @CsvSource({"lint", "schema", "explain", "check", "report", "suggest", "templates"})
    void everyCommandHasHelp(String command) {
        Site.Ran help = run(command, "--help");

        assertThat(help.code()).isZero();
        assertThat(help.out()).startsWith("privoxy " + command + " - ").contains("Usage: privoxy " + command, "--url");
        assertThat(run("help", command)).isEqualTo(help);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lnt | there is no command lnt, did you mean lint? See: privoxy --help",
                "lint --polcy x | there is no option --polcy, did you mean --policy? See: privoxy lint --help",
                "lint --policy | --policy needs a value: --policy FILE. See: privoxy lint --help",
                "lint --strict=yes p | --strict takes no value. See: privoxy lint --help",
                "lint --url a --url b --policy p | --url is given more than once. See: privoxy lint --help",
                "lint --schema a | a policy is needed: give --policy FILE. See: privoxy lint --help",
                "explain --policy p | give one SQL statement, in quotes. See: privoxy explain --help",
                "explain --context MyUId X | --context takes a name and a value, as --context Name=5.",
                "check --schema a --policy nowhere.sql x.jsonl | there is no such file",
                "schema --url mysql://x | The URL must begin with jdbc:",
                "schema --url jdbc:oracle:thin:x | The URL must begin with one of",
                "schema --url jdbc:h2:mem:x --driver nowhere.jar | There is no file nowhere.jar",
            })
    void badArgumentsAreToldInWords(String words, String message) throws IOException {
        String schema = Site.file(folder, "empty.txt", "privoxy-schema 1\ndialect H2\nsearch-path PUBLIC\n");
        String policy = Site.file(folder, "p.sql", "");
        String[] all = words.replace("--schema a", "--schema " + schema)
                .replaceAll("(--policy|--strict=yes) p(?= |$)", "$1 " + policy)
                .split(" ");
        if (words.startsWith("explain --context")) {
            all = ("explain --context MyUId --schema " + schema + " --policy " + policy + " SELECT").split(" ");
        }

        Site.Ran ran = run(all);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).startsWith("privoxy: ").contains(message).doesNotContain("Exception");
        assertThat(ran.out()).isEmpty();
    }

    @Test
    void aSchemaTextThatIsNoneIsAnErrorWithItsLine() throws IOException {
        String schema = Site.file(folder, "schema.txt", "privoxy-schema 1\ndialect H2\ntabel x\n");
        String policy = Site.file(folder, "p.sql", "");

        Site.Ran ran = run("lint", "--schema", schema, policy);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("schema text, line 3: \"tabel\" is not known here");
    }

    private static Site.Ran run(String... words) {
        return Site.run(Map.of(), words);
    }
}
