package io.leeway.privoxy.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClockTest {

    @ParameterizedTest
    @ValueSource(strings = {"today", " Today ", "TOMORROW 10:00", "yesterday", "now", "{2026-01-01,now}", "[today,)"})
    void aWordOfItsOwnAsksTheClock(String text) {
        assertThat(Clock.mayBeAsked(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"unknown", "2026-11-29", "infinity", "nowhere", "snow", ""})
    void whatOnlyHasTheLettersDoesNot(String text) {
        assertThat(Clock.mayBeAsked(text)).isFalse();
    }
}
