package io.leeway.lazytables.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LaunchTest {

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

    private int run(Launch.Program program, String... typed) {
        return Launch.run(
                program,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                typed);
    }
}
