package io.leeway.lazytables.internal.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PulseTest {

    private final Pulse pulse = new Pulse();

    @Test
    void whatIsHeardCountsOnce() {
        assertThat(pulse.moves(0, 0)).isFalse();
        pulse.heard();

        assertThat(pulse.moves(0, 0)).isTrue();
        assertThat(pulse.moves(0, 0)).isFalse();
    }

    @Test
    void whatTheSystemTakesCountsAndWhatIsSentDoesNot() {
        assertThat(pulse.moves(0, 100)).isFalse();
        assertThat(pulse.moves(1, 99)).isTrue();
        assertThat(pulse.moves(1, 99)).isFalse();
        assertThat(pulse.moves(1, 200)).isFalse();
    }

    @Test
    void whatTheSystemTakesCountsThoughAsMuchCameBehindIt() {
        pulse.moves(0, 100);

        assertThat(pulse.moves(50, 100)).isTrue();
        assertThat(pulse.moves(60, 400)).isTrue();
        assertThat(pulse.moves(60, 400)).isFalse();
    }

    @Test
    void whatDidNotHaveToWaitSaysNothing() {
        for (int taken = 0; taken < 10; taken++) {
            assertThat(pulse.moves(taken, 0)).isFalse();
        }
    }

    @Test
    void silenceIsCountedFromTheLastThatMoved() {
        assertThat(pulse.silentTicks(0, 0)).isEqualTo(1);
        assertThat(pulse.silentTicks(0, 0)).isEqualTo(2);
        pulse.heard();
        assertThat(pulse.silentTicks(0, 0)).isZero();
        assertThat(pulse.silentTicks(0, 0)).isEqualTo(1);
    }

    @Test
    void whoBeginsAnewHasTimeOnce() {
        pulse.moves(0, 100);
        pulse.beginAnew();

        assertThat(pulse.moves(0, 200)).isTrue();
        assertThat(pulse.moves(0, 200)).isFalse();
    }
}
