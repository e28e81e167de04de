package io.leeway.approx.atp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RoundTripTest {

    private static final long MILLI = 1_000_000;

    private static RoundTrip after(boolean waits, int brief, int held) {
        RoundTrip rtt = new RoundTrip(10 * MILLI, waits);
        for (int i = 0; i < brief; i++) {
            rtt.sample(MILLI);
        }
        for (int i = 0; i < held; i++) {
            rtt.sample(40 * MILLI);
        }
        return rtt;
    }

    @Test
    void timeSpentBehindOtherTrafficHardlyCounts() {
        assertThat(after(true, 20, 10).smoothed()).isLessThan(4.5 * MILLI);
        assertThat(after(false, 20, 10).smoothed()).isGreaterThan(25 * MILLI);
    }

    @Test
    void aPathThatHasBecomeLongerIsLearnt() {
        RoundTrip rtt = after(true, 20, 600);
        assertThat(rtt.smoothed()).isGreaterThan(39.0 * MILLI);
        assertThat(rtt.lossDelay(MILLI)).isGreaterThan(40 * MILLI);
    }
}
