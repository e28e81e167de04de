package io.leeway.hindex.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnsyncedWritesTest {

    private final UnsyncedWrites writes = new UnsyncedWrites();

    private void write(long lowest) {
        writes.begin();
        writes.end(lowest);
    }

    @Test
    void aFlushTakesWhatHadEndedBeforeItBegan() {
        write(7);
        write(5);
        long first = writes.flushing();
        write(6);
        writes.flushed(first);
        assertThat(writes.lowest()).isEqualTo(6);
        writes.flushed(writes.flushing());
        assertThat(writes.isEmpty()).isTrue();
        assertThat(writes.lowest()).isEqualTo(Long.MAX_VALUE);
    }

    /** Its cells may have come after what the flush took. */
    @Test
    void aWriteThatEndsWhileAFlushIsAtWorkWaitsForTheNext() {
        writes.begin();
        assertThat(writes.isEmpty()).isFalse();
        long first = writes.flushing();
        writes.end(5);
        writes.flushed(first);
        assertThat(writes.lowest()).isEqualTo(5);
        assertThat(writes.isEmpty()).isFalse();
    }

    @Test
    void aLaterFlushEndsWhatAnEarlierOneHasNot() {
        write(5);
        writes.flushing();
        write(6);
        writes.flushed(writes.flushing());
        assertThat(writes.isEmpty()).isTrue();
    }
}
