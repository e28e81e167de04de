package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TwoGenerationsTest {

    @Test
    void whatIsUsedStaysAndTheRestGoes() {
        var cache = new TwoGenerations<Integer, String>(10);
        for (int i = 0; i < 100; i++) {
            cache.put(i, "value");
            assertThat(cache.get(0)).isEqualTo("value");
        }

        assertThat(IntStream.range(0, 100).filter(i -> cache.get(i) != null).count())
                .isLessThan(30);
    }

    @Test
    void aFewHeavyEntriesAreAsManyAsThereMayBe() {
        var cache = new TwoGenerations<String, Integer>(1_000, String::length, 100);
        for (int i = 0; i < 100; i++) {
            cache.put("x".repeat(50) + i, i);
        }

        assertThat(IntStream.range(0, 100)
                        .filter(i -> cache.get("x".repeat(50) + i) != null)
                        .count())
                .isLessThan(6);
    }
}
