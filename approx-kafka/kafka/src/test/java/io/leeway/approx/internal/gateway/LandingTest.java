package io.leeway.approx.internal.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LandingTest {

    private final List<Long> told = new ArrayList<>();

    @Test
    void tellsWhenTheLastRecordHasLandedAndTheEndIsKnown() {
        Landing landing = new Landing();
        landing.begun();
        landing.landed(10, null);
        landing.begun();
        landing.begun();
        landing.end(landed -> told.add(landed.refused()));
        landing.landed(20, "InvalidTimestampException");
        assertThat(told).isEmpty();
        landing.landed(30, "InvalidTimestampException");
        assertThat(told).containsExactly(2L);
        assertThat(landing.refusedBytes()).isEqualTo(50);
        assertThat(landing.why()).isEqualTo("InvalidTimestampException");
    }

    @Test
    void aGroupWithoutRecordsIsToldAtOnce() {
        new Landing().end(landed -> told.add(landed.refused()));
        assertThat(told).containsExactly(0L);
    }

    @Test
    void isToldOnceWhicheverThreadIsLast() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        AtomicInteger times = new AtomicInteger();
        int rounds = 2_000;
        for (int i = 0; i < rounds; i++) {
            Landing landing = new Landing();
            landing.begun();
            threads.execute(() -> landing.landed(1, null));
            landing.end(landed -> times.incrementAndGet());
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        assertThat(times).hasValue(rounds);
    }
}
