package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DivergenceWatchTest {

    @Test
    void anErrorThatGrowsFarAboveItsBestIsToldOnceWithWhatToDo() {
        var watch = new DivergenceWatch("error", true);

        assertThat(told(watch, 4, 1, 0.5, 0.6, 2.2)).isEmpty();
        assertThat(watch.see(6, 2.3))
                .hasValueSatisfying(
                        text -> assertThat(text)
                                .startsWith(
                                        "error is 2.3000 after 6.0000 passes, was 4.0000 at first and 0.50000 at best")
                                .contains(
                                        "the run seems to diverge. Lower the slack, the work per clock or the length of a step"));
        assertThat(told(watch, 40, Double.NaN)).isEmpty();
    }

    @Test
    void anErrorThatGrowsFromTheBeginIsTold() {
        assertThat(told(new DivergenceWatch("error", true), 4, 4.3)).isEmpty();
        assertThat(told(new DivergenceWatch("error", true), 4, 4.5)).isNotEmpty();
    }

    @Test
    void noNumberIsTold() {
        assertThat(told(new DivergenceWatch("error", true), 4, 1, Double.NaN)).contains("error is NaN after");
        assertThat(told(new DivergenceWatch("error", true), Double.NaN)).doesNotContain("at first");
        assertThat(told(new DivergenceWatch("error", false), 4, Double.POSITIVE_INFINITY))
                .contains("error is Infinity after");
    }

    @Test
    void aLikelihoodThatFallsIsTold() {
        assertThat(told(new DivergenceWatch("likelihood", false), -8, -6, -6.5)).isEmpty();
        assertThat(told(new DivergenceWatch("likelihood", false), -8, -6, -7.1)).isNotEmpty();
    }

    @Test
    void noiseAtTheEndIsNotTold() {
        assertThat(told(new DivergenceWatch("error", true), 100, 1e-9, 3e-8, 1e-10, 5))
                .isEmpty();
    }

    /** What it says of these values; nothing is "". */
    private static String told(DivergenceWatch watch, double... values) {
        for (double value : values) {
            var said = watch.see(1, value);
            if (said.isPresent()) {
                return said.get();
            }
        }
        return "";
    }
}
