package io.leeway.lazytables.apps.lda;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.apps.Launch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LdaMainTest {

    @Test
    void runsFromTheCommandLine() {
        assertThat(run("--workers=2", "--slack=1")).isEqualTo(Launch.DONE);
        assertThat(run("--reference")).isEqualTo(Launch.DONE);
        assertThat(run("--wrokers=2")).isEqualTo(Launch.BAD_INPUT);
    }

    private static int run(String... more) {
        String[] options = {"--documents=50", "--length=20", "--words=60", "--topics=4", "--passes=2"};
        return Launch.run(
                LdaMain::run, Stream.of(options, more).flatMap(Stream::of).toArray(String[]::new));
    }
}
