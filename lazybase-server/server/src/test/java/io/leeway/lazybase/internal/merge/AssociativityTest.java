package io.leeway.lazybase.internal.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.column.KeyCodec;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.column.VectorBuilder;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Updates may be brought together in any order of grouping, so any tree of merges makes the same authority. */
class AssociativityTest {

    private static final KeyCodec CODEC = new KeyCodec(new int[] {1}, new boolean[] {true}, new boolean[] {false});

    /** Puts, patches, adds and deletes of a few keys. */
    private static Batch updates(RandomGenerator random) {
        int rows = 1 + random.nextInt(6);
        var keys = new VectorBuilder(true, rows);
        var numbers = new VectorBuilder(true, rows);
        var texts = new VectorBuilder(false, rows);
        byte[] kinds = {Batch.PUT, Batch.PATCH, Batch.DELETE};
        byte[] flags = new byte[rows];
        for (int row = 0; row < rows; row++) {
            keys.addLong(random.nextInt(5));
            flags[row] = kinds[random.nextInt(kinds.length)];
            if (flags[row] == Batch.PATCH) {
                number(numbers, random);
            } else if (random.nextInt(4) == 0 || flags[row] == Batch.DELETE) {
                numbers.addNull();
            } else {
                numbers.addLong(random.nextInt(100));
            }
            if (flags[row] == Batch.PATCH && random.nextBoolean()) {
                texts.addAbsent();
            } else if (flags[row] == Batch.DELETE || random.nextInt(4) == 0) {
                texts.addNull();
            } else {
                texts.addBytes(new byte[] {(byte) ('a' + random.nextInt(20))});
            }
        }
        return new Batch(rows, flags, new int[] {1, 2, 3}, new Vector[] {keys.build(), numbers.build(), texts.build()});
    }

    private static void number(VectorBuilder numbers, RandomGenerator random) {
        switch (random.nextInt(3)) {
            case 0 -> numbers.addAbsent();
            case 1 -> numbers.addDelta(random.nextInt(10) - 5L);
            default -> numbers.addLong(random.nextInt(100));
        }
    }

    private static Batch merged(Batch... parts) {
        return Sorter.sort(Batch.concat(List.of(parts)), CODEC).batch();
    }

    private static List<String> shown(Batch batch) {
        var rows = new ArrayList<String>();
        for (int row = 0; row < batch.rows(); row++) {
            var text = new StringBuilder().append(batch.flag(row));
            for (int id = 1; id <= 3; id++) {
                Vector column = batch.column(id);
                assertThat(column).isNotNull();
                text.append(' ').append(column.state(row)).append(':');
                boolean hasValue = column.state(row) == Vector.SET || column.state(row) == Vector.ADD;
                if (hasValue && column.isLong()) {
                    text.append(column.getLong(row));
                } else if (hasValue) {
                    text.append((char) column.bytes()[column.offsets()[row]]);
                }
            }
            rows.add(text.toString());
        }
        return rows;
    }

    @Test
    void anyGroupingOfUpdatesComesToTheSame() {
        RandomGenerator random = Seeds.random("associativity");
        for (int i = 0; i < Depth.of(5_000, 1_000_000); i++) {
            Batch a = updates(random);
            Batch b = updates(random);
            Batch c = updates(random);
            List<String> all = shown(merged(a, b, c));
            assertThat(shown(merged(merged(a, b), c))).isEqualTo(all);
            assertThat(shown(merged(a, merged(b, c)))).isEqualTo(all);
            assertThat(shown(merged(merged(a), merged(b), merged(c)))).isEqualTo(all);
        }
    }
}
