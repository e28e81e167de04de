package io.leeway.lazytables.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leeway.lazytables.LazyTablesCommand;
import io.leeway.lazytables.apps.lda.LdaMain;
import io.leeway.testkit.JavaProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Applications as processes that {@code lazytables run} starts. */
class ToldByEnvironmentTest {

    private static final Map<String, String> SECOND_OF_TWO =
            Map.of("LAZYTABLES_SERVERS", "localhost:7171", "LAZYTABLES_PROCESSES", "2", "LAZYTABLES_PROCESS", "1");

    @TempDir
    private Path directory;

    @Test
    void aProcessKnowsWhichPartOfTheRunItIs() {
        Arguments arguments = Arguments.parse(SECOND_OF_TWO, "--seed=5", "--log=run-{process}.jsonl");
        RunSettings settings = arguments.settings(5);

        assertThat(settings.instances()).isEqualTo(2);
        assertThat(settings.place()).isEqualTo(new Place(1, false, Map.of()));
        assertThat(arguments.log(settings)).isEqualTo("run-1.jsonl");
    }

    @Test
    void whatWouldMakeEachProcessARunOfItsOwnIsRefused() {
        assertRefused("give --seed, the same to all 2 processes");
        assertRefused("lazytables run has started 2 processes", "--seed=5", "--instances=4");
        assertRefused("in LAZYTABLES_PROCESS", "--seed=5", "--process=0");
        Arguments sameLog = Arguments.parse(SECOND_OF_TWO, "--seed=5", "--log=run.jsonl");
        RunSettings settings = sameLog.settings(5);
        assertThatExceptionOfType(BadInputException.class)
                .isThrownBy(() -> sameLog.log(settings))
                .withMessageContaining("the same file for all 2 processes");
    }

    @Test
    void withServersOfItsOwnThereIsNoPlace() {
        assertThat(Arguments.parse(Map.of("LAZYTABLES_SERVERS", ""), "--workers=2")
                        .settings(5)
                        .place())
                .isNull();
    }

    @Test
    @Timeout(120)
    void runStartsOneRunOfSeveralProcesses() throws Exception {
        Path records = directory.resolve("run-{process}.jsonl");
        Process run = new ProcessBuilder(JavaProcess.command(
                        System.getProperty("java.class.path"),
                        LazyTablesCommand.class.getName(),
                        List.of(
                                "run",
                                "--processes=2",
                                "--main=" + LdaMain.class.getName(),
                                "--",
                                "--workers=4",
                                "--seed=5",
                                "--passes=3",
                                "--documents=50",
                                "--log=" + records)))
                .redirectErrorStream(true)
                .start();
        String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(run.waitFor()).as(said).isZero();
        for (int process = 0; process < 2; process++) {
            String lines = Files.readString(directory.resolve("run-" + process + ".jsonl"));
            assertThat(lines).contains("\"process\":" + process, "\"processes\":2", "\"outcome\":\"passes\"");
            assertThat(lines).contains("\"worker\":" + process, "\"worker\":" + (process + 2));
            assertThat(lines).doesNotContain("\"worker\":" + (1 - process) + ",");
        }
    }

    private static void assertRefused(String why, String... typed) {
        Arguments arguments = Arguments.parse(SECOND_OF_TWO, typed);
        assertThatExceptionOfType(BadInputException.class)
                .isThrownBy(() -> arguments.settings(5))
                .withMessageContaining(why);
    }
}
