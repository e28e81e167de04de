package io.leeway.lazytables.apps.paths;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.apps.Launch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PathsMainTest {

    @Test
    void runsFromTheCommandLine() {
        assertThat(run("--workers=2", "--slack=1")).isEqualTo(Launch.DONE);
        assertThat(run("--reference")).isEqualTo(Launch.DONE);
        assertThat(run("--wrokers=2")).isEqualTo(Launch.BAD_INPUT);
    }

    private static int run(String... more) {
        String[] options = {"--width=8", "--height=7", "--passes=50"};
        return Launch.run(
                PathsMain::run, Stream.of(options, more).flatMap(Stream::of).toArray(String[]::new));
    }
}
