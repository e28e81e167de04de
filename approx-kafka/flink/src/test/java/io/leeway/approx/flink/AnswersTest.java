package io.leeway.approx.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.approx.WindowReport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AnswersTest {

    private static WindowReport report(long delivered, long refused, String why) {
        return new WindowReport(
                "fares",
                0,
                10,
                "all",
                "s/1",
                0.5,
                100,
                delivered,
                1_000,
                10 * delivered,
                0,
                0,
                0,
                0,
                Double.NaN,
                Double.NaN,
                0,
                "",
                refused,
                why);
    }

    private static WindowAnswer answer(int seen, WindowReport report) {
        Seen part = Seen.NOTHING;
        for (int i = 0; i < seen; i++) {
            part = part.plus(i % 7);
        }
        Map<String, Seen> parts = Map.of("s/1", part);
        assertThat(Answers.agree(parts, List.of(report))).isTrue();
        return Answers.answer("fares", 0, 10, "all", 1, parts, List.of(report), 0.95);
    }

    @Test
    void whatBrokersRefusedIsNotDeliveredAndTheAnswerSaysWhy() {
        WindowAnswer answer = answer(40, report(40, 10, "InvalidTimestampException"));
        assertThat(answer.delivered()).isEqualTo(40);
        assertThat(answer.kept()).isFalse();
        assertThat(answer.warnings())
                .contains("10 records were refused by the brokers (InvalidTimestampException)")
                .contains("fewer records were delivered than promised");
    }

    @Test
    void aWindowOfWhichNothingWasRefusedHasNoWarning() {
        assertThat(answer(50, report(50, 0, "")).warnings()).isEmpty();
    }
}
