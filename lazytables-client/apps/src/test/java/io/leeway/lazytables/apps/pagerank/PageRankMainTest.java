package io.leeway.lazytables.apps.pagerank;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.apps.Launch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PageRankMainTest {

    @Test
    void runsFromTheCommandLine() {
        assertThat(run("--workers=2", "--slack=1")).isEqualTo(Launch.DONE);
        assertThat(run("--reference")).isEqualTo(Launch.DONE);
        assertThat(run("--wrokers=2")).isEqualTo(Launch.BAD_INPUT);
    }

    private static int run(String... more) {
        String[] options = {"--pages=100", "--passes=5"};
        return Launch.run(
                PageRankMain::run, Stream.of(options, more).flatMap(Stream::of).toArray(String[]::new));
    }
}
