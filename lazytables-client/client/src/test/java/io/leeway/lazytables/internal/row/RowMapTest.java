package io.leeway.lazytables.internal.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Against a map of the standard library, with keys on both sides of where the array ends. */
class RowMapTest {

    private static final long ARRAY_ENDS = 1 << 16;

    @Test
    void holdsWhatAMapHolds() {
        RandomGenerator random = Seeds.random("row-map");
        for (int run = 0; run < 200; run++) {
            var map = new RowMap<Integer>();
            var model = new HashMap<Long, Integer>();
            for (int step = 0; step < 300; step++) {
                long key = key(random);
                switch (random.nextInt(6)) {
                    case 0 -> assertThat(map.remove(key)).isEqualTo(model.remove(key));
                    case 1 -> removeSome(random, map, model);
                    default -> {
                        map.put(key, step);
                        model.put(key, step);
                    }
                }
                assertThat(map.size()).isEqualTo(model.size());
                long other = key(random);
                assertThat(map.get(other)).isEqualTo(model.get(other));
            }
            assertHolds(map, model);
        }
    }

    @Test
    void hasNothingForKeysThatNoRowHas() {
        var map = new RowMap<String>();
        map.put(0, "first");
        for (long key : new long[] {-1, Long.MIN_VALUE, 1, 15, 16, ARRAY_ENDS - 1, ARRAY_ENDS, Long.MAX_VALUE}) {
            assertThat(map.get(key)).isNull();
            assertThat(map.remove(key)).isNull();
        }
        assertThat(map.size()).isOne();
    }

    /** Not all that the condition holds for may go. */
    private static void removeSome(RandomGenerator random, RowMap<Integer> map, Map<Long, Integer> model) {
        int most = random.nextInt(4);
        int odd = (int) model.values().stream().filter(value -> value % 2 != 0).count();
        assertThat(map.removeIf(most, value -> value % 2 != 0)).isEqualTo(Math.min(most, odd));
        model.entrySet().removeIf(entry -> {
            boolean gone = map.get(entry.getKey()) == null;
            assertThat(!gone || entry.getValue() % 2 != 0).isTrue();
            return gone;
        });
    }

    private static void assertHolds(RowMap<Integer> map, Map<Long, Integer> model) {
        var found = new HashMap<Long, Integer>();
        long[] last = {-1};
        map.forEach((key, value) -> {
            assertThat(key > last[0] || key >= ARRAY_ENDS).isTrue();
            last[0] = key;
            assertThat(found.put(key, value)).isNull();
        });
        assertThat(found).isEqualTo(model);
    }

    private static long key(RandomGenerator random) {
        return switch (random.nextInt(3)) {
            case 0 -> random.nextInt(40);
            case 1 -> ARRAY_ENDS - 3 + random.nextInt(6);
            default -> Long.MAX_VALUE - random.nextInt(3);
        };
    }
}
