package io.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FakeClockTest {

    @Test
    void wallTimeAndElapsedTimeMoveTogetherAndOnlyWhenTold() {
        var clock = new FakeClock();
        var before = clock.instant();

        clock.advance(Duration.ofMillis(1500));

        assertThat(clock.instant()).isEqualTo(before.plusMillis(1500));
        assertThat(clock.nanos().getAsLong()).isEqualTo(1_500_000_000L);
    }

    @Test
    void timeDoesNotGoBack() {
        assertThatThrownBy(() -> new FakeClock().advance(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
