package io.leeway.lazytables.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.internal.row.Row;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RowOrderTest {

    private final RowOrder order = new RowOrder();

    @Test
    void rowsInTheirOrderAreApproachedTogetherEachOnce() {
        assertThat(LongStream.range(0, 4L * Row.AT_ONCE).filter(order::isTimeToApproach))
                .containsExactly(0L, (long) Row.AT_ONCE, 2L * Row.AT_ONCE, 3L * Row.AT_ONCE);
        // And so it is when they are gone through again.
        assertThat(order.isTimeToApproach(0)).isFalse();
        assertThat(order.isTimeToApproach(1)).isTrue();
        assertThat(order.isTimeToApproach(2)).isFalse();
    }

    @Test
    void rowsThatAreLeftOutDoNotMatter() {
        assertThat(LongStream.iterate(0, key -> key + 3).limit(8).filter(order::isTimeToApproach))
                .containsExactly(0L, 9L, 18L);
    }

    /** To approach rows that nobody uses costs as much as it saves for those that somebody does. */
    @Test
    void rowsInNoOrderAreNotApproached() {
        assertThat(LongStream.of(900, 40, 700, 20, Long.MAX_VALUE, 3, 600).filter(order::isTimeToApproach))
                .isEmpty();
    }
}
