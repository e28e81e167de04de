package io.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeedsTest {

    @Test
    void theSameLabelRepeatsTheSameNumbers() {
        assertThat(Seeds.random("a").nextLong()).isEqualTo(Seeds.random("a").nextLong());
    }

    @Test
    void otherLabelsHaveOtherSeeds() {
        assertThat(Seeds.seed("a")).isNotEqualTo(Seeds.seed("b"));
    }

    @Test
    void theOutputSaysHowToRepeat() {
        String classPath = System.getProperty("java.class.path");

        var first = JavaProcess.run(classPath, PrintsASeed.class.getName());

        assertThat(first.exitCode()).as(first.output()).isZero();
        assertThat(first.output()).containsPattern("seed of fuzz: -?\\d+ \\(repeat with -Dleeway.seed=-?\\d+\\)");
    }

    static final class PrintsASeed {

        private PrintsASeed() {}

        public static void main(String[] arguments) {
            Seeds.seed("fuzz");
        }
    }
}
