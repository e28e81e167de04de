package io.leeway.hindex.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Seeds;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every type promises, on its edges and on random values. */
class EncodingPropertyTest {

    private static final int ROUNDS = 2_000;

    static Stream<Samples<?>> types() {
        return Samples.all().stream();
    }

    @ParameterizedTest
    @MethodSource("types")
    <T> void theOrderOfKeysIsTheOrderOfValues(Samples<T> samples) {
        RandomGenerator random = Seeds.random("order of " + samples.type());
        for (int i = 0; i < ROUNDS; i++) {
            T one = samples.next(random);
            T other = samples.next(random);
            int expected = Integer.signum(samples.order().compare(one, other));
            assertThat(compare(key(samples.type(), one), key(samples.type(), other)))
                    .as("%s, %s", one, other)
                    .isEqualTo(expected);
            String descending = samples.type() + ".desc";
            assertThat(compare(key(descending, one), key(descending, other)))
                    .as("descending: %s, %s", one, other)
                    .isEqualTo(-expected);
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    <T> void allEdgesAreInOrder(Samples<T> samples) {
        for (T one : samples.edges()) {
            for (T other : samples.edges()) {
                assertThat(compare(key(samples.type(), one), key(samples.type(), other)))
                        .as("%s, %s", one, other)
                        .isEqualTo(Integer.signum(samples.order().compare(one, other)));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    <T> void aKeyTellsItsValueAndWhereItEnds(Samples<T> samples) {
        RandomGenerator random = Seeds.random("round trip of " + samples.type());
        for (String text : List.of(samples.type(), samples.type() + ".desc")) {
            ColumnCodec codec = ColumnCodec.parse(text);
            for (int i = 0; i < ROUNDS; i++) {
                T value = samples.next(random);
                byte[] key = key(text, value);
                var junk = new byte[random.nextInt(4)];
                random.nextBytes(junk);
                byte[] longer = Arrays.copyOf(key, key.length + junk.length);
                System.arraycopy(junk, 0, longer, key.length, junk.length);

                assertThat(codec.end(longer, 0, longer.length)).as("%s", value).isEqualTo(key.length);
                assertSame(codec.decode(longer, 0, key.length), value);
                for (int cut = 0; cut < key.length; cut++) {
                    assertThat(codec.end(key, 0, cut))
                            .as("%s cut at %d", value, cut)
                            .isEqualTo(-1);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    <T> void aCellHasTheKeyOfItsValue(Samples<T> samples) {
        RandomGenerator random = Seeds.random("cells of " + samples.type());
        ColumnCodec codec = ColumnCodec.parse(samples.type());
        for (int i = 0; i < ROUNDS; i++) {
            T value = samples.next(random);
            byte[] cell = samples.cell().apply(value);
            byte[] framed = new byte[cell.length + 5];
            System.arraycopy(cell, 0, framed, 3, cell.length);
            var key = new KeyWriter();

            assertThat(codec.key(framed, 3, cell.length, key)).isEqualTo(Outcome.INDEXED);
            assertThat(key.toBytes()).as("%s", value).isEqualTo(key(samples.type(), value));
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    <T> void anyBytesAreIndexedOrMalformedAndTheirKeyIsRead(Samples<T> samples) {
        RandomGenerator random = Seeds.random("any bytes as " + samples.type());
        ColumnCodec codec = ColumnCodec.parse(samples.type());
        for (int i = 0; i < ROUNDS; i++) {
            var cell = new byte[random.nextInt(20)];
            random.nextBytes(cell);
            var key = new KeyWriter();
            key.put('x');
            if (codec.key(cell, 0, cell.length, key) == Outcome.MALFORMED) {
                assertThat(key.length()).isEqualTo(1);
                continue;
            }
            assertThat(codec.end(key.buffer(), 1, key.length())).isEqualTo(key.length());
            var again = new KeyWriter();
            codec.value(codec.decode(key.buffer(), 1, key.length()), again);
            assertThat(again.toBytes()).isEqualTo(key.toBytesFrom(1));
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    <T> void joinedKeysAreInTheOrderOfTheirParts(Samples<T> samples) {
        RandomGenerator random = Seeds.random("pairs with " + samples.type());
        Samples<?> second = Samples.all().get(random.nextInt(Samples.all().size()));
        joined(samples, second, random);
    }

    private static <S, T> void joined(Samples<S> first, Samples<T> second, RandomGenerator random) {
        String descending = second.type() + ".desc";
        for (int i = 0; i < ROUNDS; i++) {
            S one = first.next(random);
            S other = random.nextInt(3) == 0 ? one : first.next(random);
            T oneNext = second.next(random);
            T otherNext = second.next(random);
            int expected = Integer.signum(first.order().compare(one, other));
            if (expected == 0) {
                expected = -Integer.signum(second.order().compare(oneNext, otherNext));
            }

            assertThat(compare(
                            join(key(first.type(), one), key(descending, oneNext)),
                            join(key(first.type(), other), key(descending, otherNext))))
                    .as("(%s, %s) and (%s, %s) of %s", one, oneNext, other, otherNext, second.type())
                    .isEqualTo(expected);
        }
    }

    private static byte[] join(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    private static byte[] key(String codec, Object value) {
        var key = new KeyWriter();
        ColumnCodec.parse(codec).value(value, key);
        return key.toBytes();
    }

    private static int compare(byte[] one, byte[] other) {
        return Integer.signum(Arrays.compareUnsigned(one, other));
    }

    private static void assertSame(Object actual, Object expected) {
        if (expected instanceof BigDecimal decimal) {
            assertThat((BigDecimal) actual).isEqualByComparingTo(decimal);
        } else {
            assertThat(actual).isEqualTo(expected);
        }
    }

    static List<byte[]> keys(String codec, byte[] cell) {
        var keys = new ArrayList<byte[]>();
        ColumnCodec.parse(codec).keys(cell, 0, cell.length, keys);
        return keys;
    }
}
