package io.leeway.autotune;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GuardTest {

    private final Guard guard = Guard.defaults();
    private final Window before = window(1_000, 0, 20, 0.5);

    private static Window window(long requests, long errors, double p95, double heap) {
        return new Window(10, requests, errors, p95 / 2, p95, p95 * 2, p95 / 2, 100, heap, 0);
    }

    @Test
    void letsPassWhatIsAsBefore() {
        assertThat(guard.objection(before, window(990, 0, 22, 0.5))).isEmpty();
    }

    @Test
    void objectsToEachOfTheFour() {
        assertThat(guard.objection(before, window(1_000, 0, 31, 0.5))).hasValue("p95 20.0 → 31.0 ms");
        assertThat(guard.objection(before, window(700, 0, 20, 0.5)))
                .hasValueSatisfying(text -> assertThat(text).startsWith("throughput"));
        assertThat(guard.objection(before, window(1_000, 20, 20, 0.5)))
                .hasValueSatisfying(text -> assertThat(text).startsWith("errors"));
        assertThat(guard.objection(before, window(1_000, 0, 20, 0.99)))
                .hasValueSatisfying(text -> assertThat(text).startsWith("heap"));
    }

    @Test
    void objectsToAServiceThatFailsFast() {
        assertThat(guard.objection(before, window(1_000, 900, 1, 0.5))).isPresent();
    }

    @Test
    void objectsToAServiceThatAnswersNobody() {
        assertThat(guard.objection(before, Window.empty(10))).isPresent();
    }
}
