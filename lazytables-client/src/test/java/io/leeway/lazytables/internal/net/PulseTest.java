package io.leeway.lazytables.internal.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PulseTest {

    private final Pulse pulse = new Pulse();

    @Test
    void whatIsHeardCountsOnce() {
        assertThat(pulse.moves(0)).isFalse();
        pulse.heard();

        assertThat(pulse.moves(0)).isTrue();
        assertThat(pulse.moves(0)).isFalse();
    }

    @Test
    void whatTheSystemTakesCountsAndWhatIsSentDoesNot() {
        assertThat(pulse.moves(100)).isFalse();
        assertThat(pulse.moves(99)).isTrue();
        assertThat(pulse.moves(99)).isFalse();
    }

    @Test
    void silenceIsCountedFromTheLastThatMoved() {
        assertThat(pulse.silentTicks(0)).isEqualTo(1);
        assertThat(pulse.silentTicks(0)).isEqualTo(2);
        pulse.heard();
        assertThat(pulse.silentTicks(0)).isZero();
        assertThat(pulse.silentTicks(0)).isEqualTo(1);
    }

    @Test
    void whoBeginsAnewHasTimeOnce() {
        pulse.moves(100);
        pulse.beginAnew();

        assertThat(pulse.moves(200)).isTrue();
        assertThat(pulse.moves(200)).isFalse();
    }
}
