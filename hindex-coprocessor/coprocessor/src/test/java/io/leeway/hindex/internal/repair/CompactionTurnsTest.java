package io.leeway.hindex.internal.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CompactionTurnsTest {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final CompactionTurns turns = new CompactionTurns(now::get);

    @Test
    void oneAtATime() {
        assertThat(turns.take("a", 5)).isTrue();
        assertThat(turns.take("b", 50)).isFalse();
        turns.give("b");
        assertThat(turns.take("b", 50)).isFalse();
        turns.give("a");
        turns.give("a");
        assertThat(turns.take("b", 50)).isTrue();
        assertThat(turns.take("a", 5)).isFalse();
    }

    @Test
    void theDearestOfThoseThatWaitIsFirst() {
        assertThat(turns.take("a", 1)).isTrue();
        assertThat(turns.take("b", 20)).isFalse();
        assertThat(turns.take("c", 30)).isFalse();
        turns.give("a");
        assertThat(turns.take("b", 20)).isFalse();
        assertThat(turns.take("c", 30)).isTrue();
        turns.give("c");
        assertThat(turns.take("b", 20)).isTrue();
    }

    @Test
    void whoAsksNoMoreIsNotWaitedFor() {
        assertThat(turns.take("a", 1)).isTrue();
        assertThat(turns.take("dear", 30)).isFalse();
        turns.give("a");
        now.addAndGet(TimeUnit.SECONDS.toNanos(61));

        assertThat(turns.take("b", 20)).isTrue();
    }

    @Test
    void aTurnThatIsNotGivenBackEnds() {
        assertThat(turns.take("lost", 1)).isTrue();
        now.addAndGet(TimeUnit.MINUTES.toNanos(61));

        assertThat(turns.take("b", 20)).isTrue();
    }
}
