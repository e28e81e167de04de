package io.leeway.lazytables.apps;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.LazyTablesServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class LaunchTest {

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void saysWhichOptionsThereAre() {
        int status = run(
                (arguments, launch) -> {
                    assertThat(arguments.whole("size", 3, 1, 10)).isEqualTo(7);
                    assertThat(launch.isReference()).isTrue();
                    launch.inOneThread("steps", () -> {}, () -> 1);
                },
                "--reference",
                "--size=7",
                "--slakc=2");

        assertThat(status).isEqualTo(Launch.BAD_INPUT);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("unknown: --slakc; there are --passes, --reference, --seed, --size");
    }

    @Test
    void runsAReference() {
        int[] passes = {0};

        int status = run(
                (arguments, launch) -> launch.inOneThread("steps", () -> passes[0]++, () -> passes[0]),
                "--passes=3",
                "--seed=5");

        assertThat(status).isEqualTo(Launch.DONE);
        assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("seed 5").contains("passes 3.0: steps 3.00000, ");
    }

    @Test
    void saysWhatCannotBeUsed() {
        Launch.Program program = (arguments, launch) -> arguments.whole("size", 3, 1, 10);

        assertThat(run(program, "--size=11")).isEqualTo(Launch.BAD_INPUT);
        assertThat(run(program, "--size=x")).isEqualTo(Launch.BAD_INPUT);
        assertThat(run(program, "size")).isEqualTo(Launch.BAD_INPUT);
        assertThat(run(program, "--size=1", "--size=2")).isEqualTo(Launch.BAD_INPUT);
        assertThat(run(program, "--seed=x")).isEqualTo(Launch.BAD_INPUT);

        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("--size is 11, not within 1 to 10")
                .contains("--size is no whole number: x")
                .contains("not understood: size")
                .contains("--size is given twice")
                .contains("--seed is no whole number");
    }

    @Test
    void rowsAreAskedForAheadAsIsTyped() {
        assertThat(Arguments.parse().settings(1).prefetch()).isEqualTo(RowsAhead.AGGRESSIVE);
        assertThat(Arguments.parse("--no-prefetch").settings(1).prefetch()).isEqualTo(RowsAhead.NONE);
        for (RowsAhead how : RowsAhead.values()) {
            assertThat(Arguments.parse("--prefetch=" + how.text()).settings(1).prefetch())
                    .isEqualTo(how);
        }
        Launch.Program program = (arguments, launch) -> arguments.settings(1);

        assertThat(run(program, "--prefetch=soon")).isEqualTo(Launch.BAD_INPUT);
        assertThat(run(program, "--prefetch=learned", "--no-prefetch")).isEqualTo(Launch.BAD_INPUT);

        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("--prefetch is soon; there are none, conservative, aggressive, automatic, learned, pushed")
                .contains("--prefetch and --no-prefetch contradict each other");
    }

    @Test
    void whoGoesOnKeepsTheRecordsOfWhoWasBefore() throws IOException {
        Path file = directory.resolve("records");
        try (LazyTablesServer server = LazyTablesServer.start(Map.of("lazytables.server.listen", "127.0.0.1:0"))) {
            String[] typed = {
                "--connect=" + server.address(), "--resume", "--workers=1", "--passes=8", "--seed=1", "--log=" + file
            };
            assertThat(run((arguments, launch) -> launch.run(new RunTest.Resumed(0)), typed))
                    .isEqualTo(Launch.FAILED);
            // A kill cuts the last line.
            Files.writeString(file, "{\"kind\":\"clo", StandardOpenOption.APPEND);
            assertThat(run((arguments, launch) -> launch.run(new RunTest.Resumed(-1)), typed))
                    .as(err.toString(StandardCharsets.UTF_8))
                    .isEqualTo(Launch.DONE);
        }

        assertThat(Files.readAllLines(file))
                .filteredOn(line -> line.startsWith("{\"kind\":\"run\""))
                .hasSize(2);
        assertThat(Files.readAllLines(file))
                .filteredOn(line -> line.startsWith("{\"kind\":\"clock\""))
                // The last one before the failure may not have been on its way yet, and is done again.
                .hasSizeBetween(8, 9);
    }

    @Test
    void aNewRunWritesItsRecordsAnew() throws IOException {
        Path file = directory.resolve("records");
        String[] typed = {"--workers=1", "--passes=2", "--seed=1", "--log=" + file};
        run((arguments, launch) -> launch.run(new RunTest.Resumed(-1)), typed);
        run((arguments, launch) -> launch.run(new RunTest.Resumed(-1)), typed);

        assertThat(Files.readAllLines(file))
                .filteredOn(line -> line.startsWith("{\"kind\":\"run\""))
                .hasSize(1);
        assertThat(run((arguments, launch) -> launch.run(new RunTest.Resumed(-1)), "--log=" + file + "/x"))
                .isEqualTo(Launch.BAD_INPUT);
    }

    /** What a run does is worth more than what it notes of it. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aFullDiskEndsTheRecordsAndNotTheRun() {
        int status = run(
                (arguments, launch) -> launch.say(
                        "counted " + launch.run(new RunTest.Resumed(-1)).result()[0]),
                "--workers=1",
                "--passes=3",
                "--seed=1",
                "--log=/dev/full");

        assertThat(status).isEqualTo(Launch.DONE);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("counted 103");
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("the records in /dev/full are not whole: No space left on device");
    }

    private int run(Launch.Program program, String... typed) {
        return Launch.run(
                program,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                typed);
    }
}
