package io.leeway.hindex.internal.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StaleReadsTest {

    private static final Duration PAUSE = Duration.ofHours(1);

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final StaleReads reads = new StaleReads(new AskedCompactions.Limits(100, 50, PAUSE), now::get);

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void manyObsoleteEntriesAreAReason() {
        assertThat(reads.met(0, 99)).isFalse();
        assertThat(reads.met(0, 1)).isTrue();
        assertThat(reads.stale()).isEqualTo(100);
    }

    /** As when others have the turn: that is not looked at for each row. */
    @Test
    void whatIsNotAskedForIsDueAgainASecondLater() {
        assertThat(reads.met(0, 100)).isTrue();
        assertThat(reads.met(0, 100)).isFalse();
        pass(Duration.ofSeconds(1).minusNanos(1));
        assertThat(reads.met(0, 100)).isFalse();
        pass(Duration.ofNanos(1));
        assertThat(reads.met(0, 100)).isTrue();
        assertThat(reads.ask()).isTrue();
    }

    @Test
    void notIfMostAreFresh() {
        assertThat(reads.met(101, 100)).isFalse();
        assertThat(reads.met(0, 1)).isTrue();
    }

    @Test
    void neverIfItIsSwitchedOff() {
        var never = new StaleReads(new AskedCompactions.Limits(0, 50, PAUSE), now::get);

        assertThat(never.met(0, 1_000_000)).isFalse();
    }

    @Test
    void whatIsLongAgoCountsLess() {
        assertThat(reads.met(0, 99)).isFalse();
        pass(Duration.ofMinutes(20));
        assertThat(reads.met(0, 75)).isFalse();
        assertThat(reads.met(0, 1)).isTrue();
        pass(Duration.ofDays(300));
        assertThat(reads.met(0, 99)).isFalse();
    }

    @Test
    void aPauseFollows() {
        assertThat(reads.met(0, 100)).isTrue();
        assertThat(reads.ask()).isTrue();
        assertThat(reads.ask()).as("by another read, which was slower").isFalse();
        assertThat(reads.met(0, 1_000)).isFalse();
        pass(PAUSE.minusNanos(1));
        assertThat(reads.met(0, 1_000)).isFalse();
        pass(Duration.ofNanos(1));
        assertThat(reads.met(0, 0)).isTrue();
    }

    @Test
    void thePauseGrowsWhileCompactionsDoNotHelpAndNoLongerThanThat() {
        int[] expected = {1, 2, 4, 8, 16, 16};
        assertThat(reads.met(0, 100)).isTrue();
        assertThat(reads.ask()).isTrue();
        for (int pauses : expected) {
            pass(PAUSE.multipliedBy(pauses).minusNanos(1));
            assertThat(reads.met(0, 1_000)).as("before %d pauses", pauses).isFalse();
            pass(Duration.ofNanos(1));
            assertThat(reads.met(0, 1_000)).as("after %d pauses", pauses).isTrue();
            assertThat(reads.ask()).isTrue();
        }
        // Few of those that are met are obsolete now: it has helped.
        pass(PAUSE.multipliedBy(16));
        assertThat(reads.met(400, 10)).isFalse();
        assertThat(reads.met(0, 1_000)).isTrue();
        assertThat(reads.ask()).isTrue();
        pass(PAUSE);
        assertThat(reads.met(0, 1_000)).isTrue();
    }
}
