package io.leeway.hindex.internal.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RowClockTest {

    private static final byte[] ROW = {1, 2, 3};

    private final AtomicLong wall = new AtomicLong(1_000);
    private final AtomicLong paused = new AtomicLong();
    private final RowClock clock = new RowClock(64, wall::get, 10, paused::incrementAndGet);

    @Test
    void oneMillisecondGivesDifferentTimestamps() {
        assertThat(LongStream.generate(this::next).limit(5)).containsExactly(1_000L, 1_001L, 1_002L, 1_003L, 1_004L);
    }

    @Test
    void theWallClockIsFollowedOnceItHasMovedOn() {
        next();
        next();
        wall.set(5_000);

        assertThat(next()).isEqualTo(5_000);
    }

    @Test
    void aWallClockThatWasSetBackDoesNotTakeTimestampsBack() {
        long before = next();
        wall.set(1);

        assertThat(next()).isEqualTo(before + 1);
    }

    @Test
    void beyondTheBoundTheCallerPausesOnceAndGoesOn() {
        for (int i = 0; i <= 10; i++) {
            next();
        }
        assertThat(paused).hasValue(0);

        long ahead = next();

        assertThat(ahead).isEqualTo(1_011);
        assertThat(paused).hasValue(1);
        assertThat(clock.pauses()).isEqualTo(1);
        assertThat(clock.ahead()).isEqualTo(11);
    }

    @Test
    void aPauseThatLetsTimePassBringsTheClockBack() {
        var waiting = new RowClock(64, wall::get, 10, wall::incrementAndGet);
        for (int i = 0; i < 100_000; i++) {
            waiting.next(ROW, 0, ROW.length);
        }

        assertThat(waiting.ahead()).isLessThanOrEqualTo(10);
    }

    @Test
    void whatAnApplicationSetIsNotGivenAgain() {
        assertThat(clock.saw(ROW, 0, ROW.length, 1_005)).isTrue();

        assertThat(next()).isEqualTo(1_006);
    }

    @Test
    void whatLiesFarAheadIsLeftAlone() {
        assertThat(clock.saw(ROW, 0, ROW.length, Long.MAX_VALUE)).isFalse();
        assertThat(clock.floor(1_011)).isFalse();

        assertThat(next()).isEqualTo(1_000);
    }

    @Test
    void theFloorHoldsForEveryRow() {
        assertThat(clock.floor(1_008)).isTrue();
        assertThat(clock.floor(1_003)).isTrue();

        for (byte i = 0; i < 100; i++) {
            assertThat(clock.next(new byte[] {i}, 0, 1)).isGreaterThan(1_008);
        }
    }

    @Test
    void onlyPowersOfTwoAndBoundsThatAreOnesAreTaken() {
        assertThatThrownBy(() -> new RowClock(3, wall::get, 1, () -> {})).hasMessageContaining("power of two");
        assertThatThrownBy(() -> new RowClock(4, wall::get, -1, () -> {})).hasMessageContaining("give 0 or more");
    }

    /** Threads on few rows and one stripe, while the wall clock jumps: each row's timestamps differ and grow in each thread. */
    @Test
    void threadsNeverShareATimestampOfARow() throws Exception {
        int threads = 4;
        int calls = 50_000;
        var shared = new RowClock(2, wall::get, 5, Thread::onSpinWait);
        var barrier = new CyclicBarrier(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            var results = new ArrayList<Future<Map<Byte, List<Long>>>>();
            for (int t = 0; t < threads; t++) {
                RandomGenerator random = Seeds.random("clock thread " + t);
                results.add(pool.submit(() -> {
                    barrier.await(1, TimeUnit.MINUTES);
                    return draw(shared, random, calls);
                }));
            }
            var all = new HashMap<Byte, List<Long>>();
            for (Future<Map<Byte, List<Long>>> result : results) {
                result.get(1, TimeUnit.MINUTES).forEach((row, drawn) -> {
                    assertThat(drawn).isSorted();
                    all.computeIfAbsent(row, key -> new ArrayList<>()).addAll(drawn);
                });
            }
            all.forEach((row, drawn) -> assertThat(drawn).doesNotHaveDuplicates());
            assertThat(all.values().stream().mapToInt(List::size).sum()).isEqualTo(threads * calls);
        } finally {
            pool.shutdownNow();
        }
    }

    private Map<Byte, List<Long>> draw(RowClock shared, RandomGenerator random, int calls) {
        var drawn = new HashMap<Byte, List<Long>>();
        for (int i = 0; i < calls; i++) {
            if (random.nextInt(100) == 0) {
                wall.addAndGet(random.nextInt(-3, 6));
            }
            byte row = (byte) random.nextInt(3);
            drawn.computeIfAbsent(row, key -> new ArrayList<>()).add(shared.next(new byte[] {row}, 0, 1));
        }
        return drawn;
    }

    private long next() {
        return clock.next(ROW, 0, ROW.length);
    }
}
