package io.leeway.lazybase.internal.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ChunksTest {

    private static final List<Chunks.Codec> CODECS = List.of(Chunks.Codec.NONE, Chunks.Codec.LZ4, Chunks.Codec.ZSTD);

    @Test
    void whatIsEncodedComesBack() {
        RandomGenerator random = Seeds.random("chunks");
        for (int i = 0; i < Depth.of(500, 50_000); i++) {
            Vector column = column(random, random.nextInt(200));
            int from = column.size() == 0 ? 0 : random.nextInt(column.size());
            Chunks.Codec codec = CODECS.get(random.nextInt(CODECS.size()));
            byte[] chunk = Chunks.encode(column, from, column.size(), codec);

            Vector back = Chunks.decode(chunk, 0, chunk.length, column.isLong());

            assertThat(back.size()).isEqualTo(column.size() - from);
            for (int row = 0; row < back.size(); row++) {
                assertThat(back.state(row)).isEqualTo(column.state(from + row));
                if (column.isLong()) {
                    assertThat(back.getLong(row)).isEqualTo(column.getLong(from + row));
                } else {
                    assertThat(back.getBytes(row)).isEqualTo(column.getBytes(from + row));
                }
            }
        }
    }

    private static Vector column(RandomGenerator random, int size) {
        boolean isLong = random.nextBoolean();
        var builder = new VectorBuilder(isLong, 1);
        int kind = random.nextInt(5);
        for (int i = 0; i < size; i++) {
            if (random.nextInt(20) == 0) {
                builder.addNull();
            } else if (isLong) {
                builder.addLong(
                        switch (kind) {
                            case 0 -> 7;
                            case 1 -> i * 1_000_000_007L;
                            case 2 -> random.nextInt(300) - 150;
                            case 3 -> random.nextLong();
                            default -> random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE;
                        });
            } else {
                byte[] bytes = new byte[random.nextInt(30)];
                Arrays.fill(bytes, (byte) random.nextInt());
                builder.addBytes(bytes);
            }
        }
        return builder.build();
    }

    @Test
    void aBitThatTurnedOverIsFound() {
        RandomGenerator random = Seeds.random("bits");
        Vector column = column(random, 150);
        byte[] chunk = Chunks.encode(column, 0, column.size(), Chunks.Codec.ZSTD);
        for (int i = 0; i < chunk.length; i++) {
            byte[] damaged = chunk.clone();
            damaged[i] ^= 16;
            assertThatThrownBy(() -> Chunks.decode(damaged, 0, damaged.length, column.isLong()))
                    .isInstanceOf(Chunks.CorruptChunkException.class);
        }
    }

    @Test
    void keysAreOrderedLikeTheirValues() {
        RandomGenerator random = Seeds.random("keys");
        var codec = new KeyCodec(new int[] {1, 2}, new boolean[] {false, true}, new boolean[] {true, false});
        for (int i = 0; i < Depth.of(2_000, 100_000); i++) {
            byte[] a = bytes(random);
            byte[] b = bytes(random);
            long x = random.nextLong(3) - 1;
            long y = random.nextLong(3) - 1;
            int expected =
                    a == null || b == null ? Boolean.compare(a == null, b == null) : Arrays.compareUnsigned(a, b);
            expected = expected == 0 ? Long.compare(x, y) : expected;

            assertThat(Integer.signum(Arrays.compareUnsigned(codec.prefix(a, x), codec.prefix(b, y))))
                    .isEqualTo(Integer.signum(expected));
        }
    }

    private static byte[] bytes(RandomGenerator random) {
        if (random.nextInt(8) == 0) {
            return null;
        }
        byte[] bytes = new byte[random.nextInt(4)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (random.nextInt(3) - 1);
        }
        return bytes;
    }
}
