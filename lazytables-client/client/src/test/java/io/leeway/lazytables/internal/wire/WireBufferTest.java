package io.leeway.lazytables.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** How bytes grow, up to what an array holds. */
class WireBufferTest {

    /** About the largest array of the JDK. */
    private static final int MOST = Integer.MAX_VALUE - 8;

    @Test
    void muchIsWrittenInFewCopies() {
        int capacity = 0;
        int copies = 0;
        while (capacity < MOST) {
            int next = WireBuffer.grown(capacity, capacity, 10);
            assertThat(next).isGreaterThanOrEqualTo(Math.min(MOST, capacity + 10L > MOST ? MOST : capacity + 10));
            capacity = next;
            assertThat(++copies).isLessThan(50);
        }

        assertThat(capacity).isEqualTo(MOST);
    }

    @Test
    void whatNeedsMoreThanThatHasIt() {
        assertThat(WireBuffer.grown(64, 60, 1_000_000)).isEqualTo(1_000_060);
        assertThat(WireBuffer.grown(1 << 30, 1 << 30, 1 << 29)).isGreaterThanOrEqualTo(3 << 29);
    }

    @Test
    void moreThanAnArrayHoldsIsSaidWithItsSize() {
        assertThatThrownBy(() -> WireBuffer.grown(MOST, MOST - 5, 10))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("2147483644 bytes");
    }
}
