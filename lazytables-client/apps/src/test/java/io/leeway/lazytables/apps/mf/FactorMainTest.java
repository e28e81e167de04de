package io.leeway.lazytables.apps.mf;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.apps.Launch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FactorMainTest {

    @Test
    void runsFromTheCommandLine() {
        assertThat(run("--workers=2", "--slack=1")).isEqualTo(Launch.DONE);
        assertThat(run("--workers=2", "--adaptive", "--work=0.5")).isEqualTo(Launch.DONE);
        assertThat(run("--adaptive", "--slack=async")).isEqualTo(Launch.BAD_INPUT);
        assertThat(run("--reference")).isEqualTo(Launch.DONE);
        assertThat(run("--wrokers=2")).isEqualTo(Launch.BAD_INPUT);
    }

    private static int run(String... more) {
        String[] options = {"--users=40", "--items=30", "--per-user=8", "--passes=2", "--rank=4"};
        return Launch.run(
                FactorMain::run, Stream.of(options, more).flatMap(Stream::of).toArray(String[]::new));
    }
}
