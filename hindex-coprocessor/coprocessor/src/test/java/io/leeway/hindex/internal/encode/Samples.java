package io.leeway.hindex.internal.encode;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * A type with values to try it on: edges and random ones, their order as Java sees it and their cells as an application
 * writes them.
 */
record Samples<T>(
        String type,
        List<T> edges,
        Function<RandomGenerator, T> random,
        Comparator<? super T> order,
        Function<T, byte[]> cell) {

    static List<Samples<?>> all() {
        return List.of(
                new Samples<>("utf8", TEXTS, Samples::text, Samples::byCodePoints, Samples::utf8),
                new Samples<>(
                        "bytes",
                        List.of(
                                new byte[0],
                                new byte[1],
                                new byte[2],
                                new byte[] {0, 1},
                                new byte[] {0, -1},
                                new byte[] {-1}),
                        Samples::bytes,
                        Arrays::compareUnsigned,
                        bytes -> bytes),
                new Samples<>(
                        "fixed(3)",
                        List.of(new byte[3], new byte[] {-1, -1, -1}, new byte[] {0, -1, 0}),
                        random ->
                                new byte[] {(byte) random.nextInt(), (byte) random.nextInt(3), (byte) random.nextInt()},
                        Arrays::compareUnsigned,
                        bytes -> bytes),
                new Samples<>(
                        "long",
                        List.of(Long.MIN_VALUE, Long.MIN_VALUE + 1, -1L, 0L, 1L, 255L, 256L, Long.MAX_VALUE),
                        random -> random.nextLong() >> random.nextInt(64),
                        Comparator.<Long>naturalOrder(),
                        value -> ByteBuffer.allocate(8).putLong(value).array()),
                new Samples<>(
                        "int",
                        List.of(Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE),
                        random -> random.nextInt() >> random.nextInt(32),
                        Comparator.<Integer>naturalOrder(),
                        value -> ByteBuffer.allocate(4).putInt(value).array()),
                new Samples<>(
                        "short",
                        List.of(Short.MIN_VALUE, (short) -1, (short) 0, Short.MAX_VALUE),
                        random -> (short) random.nextInt(),
                        Comparator.<Short>naturalOrder(),
                        value -> ByteBuffer.allocate(2).putShort(value).array()),
                new Samples<>(
                        "byte",
                        List.of(Byte.MIN_VALUE, (byte) -1, (byte) 0, Byte.MAX_VALUE),
                        random -> (byte) random.nextInt(),
                        Comparator.<Byte>naturalOrder(),
                        value -> new byte[] {value}),
                new Samples<>(
                        "double",
                        List.of(
                                Double.NEGATIVE_INFINITY,
                                -Double.MAX_VALUE,
                                -1.0,
                                -Double.MIN_VALUE,
                                -0.0,
                                0.0,
                                Double.MIN_VALUE,
                                1.0,
                                Double.POSITIVE_INFINITY,
                                Double.NaN),
                        random -> random.nextBoolean()
                                ? random.nextDouble(-1e3, 1e3)
                                : Double.longBitsToDouble(random.nextLong() & 0xBFFFFFFFFFFFFFFFL),
                        Comparator.<Double>naturalOrder(),
                        value -> ByteBuffer.allocate(8).putDouble(value).array()),
                new Samples<>(
                        "float",
                        List.of(
                                Float.NEGATIVE_INFINITY,
                                -1f,
                                -0f,
                                0f,
                                Float.MIN_VALUE,
                                1f,
                                Float.POSITIVE_INFINITY,
                                Float.NaN),
                        random -> random.nextFloat(-1e3f, 1e3f),
                        Comparator.<Float>naturalOrder(),
                        value -> ByteBuffer.allocate(4).putFloat(value).array()),
                new Samples<>(
                        "decimal", DECIMALS, Samples::decimal, Comparator.<BigDecimal>naturalOrder(), Samples::hbase),
                new Samples<>(
                        "boolean",
                        List.of(false, true),
                        RandomGenerator::nextBoolean,
                        Comparator.<Boolean>naturalOrder(),
                        value -> new byte[] {(byte) (value ? -1 : 0)}),
                new Samples<>(
                        "date",
                        List.of(LocalDate.MIN, LocalDate.EPOCH, LocalDate.of(-1, 12, 31), LocalDate.MAX),
                        random -> LocalDate.ofEpochDay(random.nextInt(-900_000, 900_000)),
                        Comparator.<LocalDate>naturalOrder(),
                        value -> utf8(value.toString())),
                new Samples<>(
                        "time",
                        List.of(LocalTime.MIN, LocalTime.NOON, LocalTime.MAX),
                        random -> LocalTime.ofNanoOfDay(random.nextLong(86_400_000_000_000L)),
                        Comparator.<LocalTime>naturalOrder(),
                        value -> utf8(value.toString())),
                new Samples<>(
                        "datetime",
                        List.of(Instant.EPOCH, Instant.EPOCH.minusNanos(1), Instant.parse("-0044-03-15T12:00:00Z")),
                        random -> Instant.ofEpochSecond(
                                random.nextLong(-1L << 33, 1L << 33), random.nextInt(1_000_000_000)),
                        Comparator.<Instant>naturalOrder(),
                        value -> utf8(value.toString())),
                new Samples<>(
                        "millis",
                        List.of(
                                Instant.ofEpochMilli(Long.MIN_VALUE),
                                Instant.EPOCH,
                                Instant.ofEpochMilli(Long.MAX_VALUE)),
                        random -> Instant.ofEpochMilli(random.nextLong()),
                        Comparator.<Instant>naturalOrder(),
                        value -> ByteBuffer.allocate(8)
                                .putLong(value.toEpochMilli())
                                .array()),
                new Samples<>(
                        "uuid",
                        List.of(new UUID(0, 0), new UUID(-1, -1), new UUID(0, -1)),
                        random -> new UUID(random.nextLong(), random.nextLong()),
                        Comparator.comparing(UUID::toString),
                        value -> utf8(value.toString())));
    }

    T next(RandomGenerator source) {
        return source.nextInt(4) == 0 ? edges.get(source.nextInt(edges.size())) : random.apply(source);
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static final List<String> TEXTS =
            List.of("", "\0", "\0\0", "\0\1", "\1", "a", "a\0", "ab", "\uffff", "\ud83d\ude00");

    private static final List<BigDecimal> DECIMALS = List.of(
            BigDecimal.ZERO,
            BigDecimal.ONE,
            BigDecimal.TEN,
            BigDecimal.ONE.negate(),
            new BigDecimal("0.1"),
            new BigDecimal("-0.10"),
            new BigDecimal("99"),
            new BigDecimal("100.0"),
            new BigDecimal("1E+63"),
            new BigDecimal("1E+64"),
            new BigDecimal("9.99E-66"),
            new BigDecimal("1E-64"),
            new BigDecimal("-1E-70"),
            new BigDecimal(BigInteger.TEN, Integer.MIN_VALUE),
            new BigDecimal(BigInteger.valueOf(-123), Integer.MIN_VALUE),
            new BigDecimal(BigInteger.ONE, Integer.MAX_VALUE));

    /** Few letters, so that texts begin alike. */
    static String text(RandomGenerator random) {
        var points = new int[] {0, 1, 'a', 'b', 0x7F, 0x80, 0xFFFF, 0x1F600, 0x10FFFF};
        return random.ints(random.nextInt(6), 0, points.length)
                .map(i -> points[i])
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static byte[] bytes(RandomGenerator random) {
        var choice = new byte[] {0, 1, 2, -1, 'a'};
        var bytes = new byte[random.nextInt(6)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = choice[random.nextInt(choice.length)];
        }
        return bytes;
    }

    private static BigDecimal decimal(RandomGenerator random) {
        var unscaled = new BigInteger(1 + random.nextInt(120), new java.util.Random(random.nextLong()));
        return new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), random.nextInt(-80, 80));
    }

    private static byte[] hbase(BigDecimal value) {
        byte[] unscaled = value.unscaledValue().toByteArray();
        return ByteBuffer.allocate(4 + unscaled.length)
                .putInt(value.scale())
                .put(unscaled)
                .array();
    }

    private static int byCodePoints(String one, String other) {
        return Arrays.compare(one.codePoints().toArray(), other.codePoints().toArray());
    }
}
