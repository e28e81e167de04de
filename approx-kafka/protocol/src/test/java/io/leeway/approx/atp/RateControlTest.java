package io.leeway.approx.atp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RateControlTest {

    private static final AtpConfig CONFIG = AtpConfig.simulated(1e9, 960);
    private static final double RTT = 1e6;

    @Test
    void startsAtAnEighthAndAddsAShareOfThePort() {
        RateControl control = new RateControl(CONFIG);
        assertThat(control.rate()).isEqualTo(1.25e8);
        control.decided(0.1, 0.5, 1, true, RTT);
        assertThat(control.rate()).isCloseTo(1.25e8 + 1e9 / 64, within(1.0));
    }

    @Test
    void goesDownByHalfOfTheLoss() {
        RateControl control = new RateControl(CONFIG);
        control.decided(0.6, 0.5, 1, true, RTT);
        assertThat(control.rate()).isCloseTo(1.25e8 * 0.7, within(1.0));
    }

    @Test
    void neverFallsBelowOnePacketARoundTrip() {
        RateControl control = new RateControl(CONFIG);
        for (int i = 0; i < 1_000; i++) {
            control.decided(1, 0.5, 1, true, RTT);
        }
        assertThat(control.rate()).isCloseTo(1_000 / 1e-3, within(1.0));
    }

    @Test
    void takesMostOfTheWayBackWhenAShortBurstIsOver() {
        RateControl control = new RateControl(CONFIG.rateLaw(AtpConfig.RateLaw.ADDITIVE_WITH_PAUSES));
        control.decided(0.8, 0.5, 1, true, RTT);
        control.decided(0.8, 0.5, 1, true, RTT);
        assertThat(control.rate()).isCloseTo(1.25e8 * 0.36, within(1.0));
        control.decided(0, 0.5, 1, true, RTT);
        assertThat(control.rate()).isCloseTo(1.25e8 * (0.36 + 0.7 * 0.64), within(1.0));
        // It has to fall before it is back: the next way back is shorter.
        control.decided(0.8, 0.5, 1, true, RTT);
        double low = control.rate();
        control.decided(0, 0.5, 1, true, RTT);
        double before = 1.25e8 * (1 - 0.3 * (1 - 0.808));
        assertThat(control.rate()).isCloseTo(low + 0.7 * (before - low), within(1.0));
    }

    @Test
    void goesBackAsSlowlyAsEverWhereItHasToBePolite() {
        RateControl control = new RateControl(CONFIG.rateLaw(AtpConfig.RateLaw.ADDITIVE_WITH_PAUSES));
        control.decided(0.8, 0.02, 0.02, true, RTT);
        double low = control.rate();
        control.decided(0, 0.02, 0.02, true, RTT);
        assertThat(control.rate()).isCloseTo(low + 1e9 * control.alpha(), within(1.0));
    }

    @Test
    void isNearlyBackAtOnceWhenAPauseIsOver() {
        RateControl control = new RateControl(CONFIG.rateLaw(AtpConfig.RateLaw.ADDITIVE_WITH_PAUSES));
        for (int i = 0; i < 20; i++) {
            control.decided(1, 0.5, 1, true, RTT);
        }
        assertThat(control.isPaused()).isTrue();
        assertThat(control.rate()).isCloseTo(1.25e8 / 16, within(1.0));
        control.resume();
        assertThat(control.rate()).isCloseTo(1.25e8 * 7 / 8, within(1.0));
        assertThat(control.isPaused()).isFalse();
    }

    @Test
    void inAPauseAPacketEachFourEpochsIsEnough() {
        RateControl control = new RateControl(
                CONFIG.rateLaw(AtpConfig.RateLaw.ADDITIVE_WITH_PAUSES).minEpoch(1_000_000_000));
        for (int i = 0; i < 100; i++) {
            control.decided(1, 0.5, 1, true, RTT);
        }
        // A sixteenth of what it was, since that is more.
        assertThat(control.rate()).isCloseTo(1.25e8 / 16, within(1.0));
        RateControl slow = new RateControl(AtpConfig.simulated(1e5, 960)
                .rateLaw(AtpConfig.RateLaw.ADDITIVE_WITH_PAUSES)
                .minEpoch(100_000_000));
        for (int i = 0; i < 100; i++) {
            slow.decided(1, 0.5, 1, true, RTT);
        }
        assertThat(slow.rate()).isCloseTo(1_000 / 0.4, within(1.0));
    }

    @Test
    void aPauseIsOneWithLittleSlackTooAndTellsNothingAboutTheStep() {
        RateControl control = new RateControl(CONFIG.rateLaw(AtpConfig.RateLaw.ADDITIVE_WITH_PAUSES));
        for (int i = 0; i < 20; i++) {
            control.decided(1, 0.01, 1, true, RTT);
        }
        assertThat(control.isPaused()).isTrue();
        assertThat(control.alpha()).isEqualTo(1.0 / 64);
        assertThat(control.isLeast()).isTrue();
        control.resume();
        assertThat(control.isLeast()).isFalse();
    }

    @Test
    void aPauseThatDoesNotEndIsNoPause() {
        RateControl control = new RateControl(CONFIG.rateLaw(AtpConfig.RateLaw.ADDITIVE_WITH_PAUSES));
        for (int i = 0; i < 1_000; i++) {
            control.decided(1, 0.5, 1, true, RTT);
        }
        assertThat(control.isPaused()).isFalse();
        assertThat(control.rate()).isCloseTo(1_000 / 1e-3, within(1.0));
        // Nor is there one where hardly any loss is aimed at.
        RateControl polite = new RateControl(CONFIG.rateLaw(AtpConfig.RateLaw.ADDITIVE_WITH_PAUSES));
        polite.decided(1, 0.02, 0.02, true, RTT);
        assertThat(polite.isPaused()).isFalse();
    }

    @Test
    void neverExceedsThePort() {
        RateControl control = new RateControl(CONFIG);
        for (int i = 0; i < 1_000; i++) {
            control.decided(0, 0.5, 1, true, RTT);
        }
        assertThat(control.rate()).isEqualTo(1e9);
    }

    @Test
    void doesNotGrowWhenTheApplicationIsWhatLimits() {
        RateControl control = new RateControl(CONFIG);
        control.decided(0, 0.5, 1, false, RTT);
        assertThat(control.rate()).isEqualTo(1.25e8);
    }

    @Test
    void adaptsItsStep() {
        RateControl control = new RateControl(CONFIG);
        control.decided(0.2, 0.1, 1, true, RTT);
        control.decided(0.2, 0.1, 1, true, RTT);
        assertThat(control.alpha()).isEqualTo(1.0 / 128);
        for (int i = 0; i < 8; i++) {
            control.decided(0.01, 0.1, 1, true, RTT);
        }
        assertThat(control.alpha()).isEqualTo(1.0 / 64);
    }

    @Test
    void goesUpWithoutSlackIfNothingIsLost() {
        RateControl control = new RateControl(CONFIG);
        control.decided(0, 0, 1, true, RTT);
        assertThat(control.rate()).isGreaterThan(1.25e8);
    }
}
