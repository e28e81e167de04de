package io.leeway.netsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CheckTest {

    private static final List<String> COLUMNS = List.of("transport", "msr", "time ms", "loss");
    private static final List<String> KEYS = List.of("transport", "msr");
    private static final List<List<String>> ROWS = List.of(
            List.of("atp", "0.5", "1", "0.2"),
            List.of("udp", "0.5", "2", "0.4"),
            List.of("atp", "0.9", "3", "0.1"),
            List.of("udp", "0.9", "-", "0.4"));

    private static Report.Verdict judge(String text) {
        return Check.of(text, COLUMNS).judge(COLUMNS, KEYS, ROWS);
    }

    @Test
    void comparesRowsThatAreAlikeOtherwise() {
        Report.Verdict verdict = judge("loss{transport=atp} < loss{transport=udp}");
        assertThat(verdict.holds()).isTrue();
        assertThat(verdict.measured()).isEqualTo("in 2 of 2 cases; ratio 0.25 to 0.5");
        assertThat(judge("loss{transport=atp} * 2.5 < loss{transport=udp}").holds())
                .isFalse();
    }

    @Test
    void takesATimeThatNeverCameAsTheLongest() {
        assertThat(judge("time ms{transport=atp} < time ms{transport=udp}").holds())
                .isTrue();
        assertThat(judge("time ms{transport=udp, msr=0.9} < 5").holds()).isFalse();
    }

    @Test
    void givesTheReasonOnlyWhereItDiffers() {
        assertThat(judge("loss{transport=atp, msr=0.5} ~ 0.21 within 10 %; noise"))
                .isEqualTo(new Report.Verdict(
                        "loss{transport=atp, msr=0.5} ~ 0.21 within 10 %", true, "0.2 (-4.8 %)", ""));
        assertThat(judge("loss{transport=atp, msr=0.5} ~ 0.3; too few jobs").outcome())
                .isEqualTo("differs: too few jobs");
    }

    @Test
    void looksAtSeveralRowsAtOnce() {
        assertThat(judge("most loss{transport=atp} ~ 0.2 within 1 %").holds()).isTrue();
        assertThat(judge("last loss{transport=atp} ~ 0.1 within 1 %").holds()).isTrue();
        assertThat(judge("mean loss{transport=atp} < mean loss{transport=udp}").holds())
                .isTrue();
    }

    @Test
    void aCaseThatIsNotThereDoesNotAgree() {
        assertThat(judge("loss{transport=tcp} < 1").holds()).isFalse();
        assertThat(judge("loss{transport=tcp} < 1").measured()).isEqualTo("there is no such case");
    }

    @Test
    void saysWhatIsWrongWithIt() {
        assertThatThrownBy(() -> judge("loss is small")).hasMessageContaining("write as");
        assertThatThrownBy(() -> judge("lost{transport=atp} < 1"))
                .hasMessageContaining("there is no column lost; there are transport, msr");
        assertThatThrownBy(() -> judge("loss{atp} < 1")).hasMessageContaining("lacks a =");
    }

    @Test
    void writesNumbersWithoutLosingAny() {
        assertThat(List.of(2000.04, 0.5, 20.0, 1.25, 12345.6, 1e-7, 1010.3, 0.1004).stream()
                        .map(Report::number))
                .containsExactly("2000", "0.5", "20", "1.25", "1.235e+04", "1.000e-07", "1010", "0.1004");
        assertThat(Report.number(Double.NaN)).isEqualTo("-");
    }
}
