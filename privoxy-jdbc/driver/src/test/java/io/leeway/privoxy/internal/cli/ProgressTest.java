package io.leeway.privoxy.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressTest {

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private long now;

    @Test
    void isShownAfterTwoSecondsAndTakenAwayAtTheEnd() {
        try (Progress progress = progress(true)) {
            progress.at(10, 100);
            assertThat(err.size()).isZero();
            now = 2_500_000_000L;
            progress.at(50, 100);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .contains("Work [" + "#".repeat(15) + "-".repeat(15) + "]  50 %");
        }

        assertThat(err.toString(StandardCharsets.UTF_8)).endsWith(" \r");
    }

    @Test
    void isNotShownWhereNobodyLooksOn() {
        try (Progress progress = progress(false)) {
            now = 60_000_000_000L;
            progress.at(50, 100);
        }

        assertThat(err.size()).isZero();
    }

    private Progress progress(boolean isTerminal) {
        var stream = new PrintStream(err, true, StandardCharsets.UTF_8);
        return new Progress(new Console(stream, stream, name -> null, isTerminal), "Work", () -> now);
    }
}
