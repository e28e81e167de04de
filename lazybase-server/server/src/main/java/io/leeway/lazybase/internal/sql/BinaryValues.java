package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.ColumnType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.calcite.avatica.util.ByteString;
import org.jspecify.annotations.Nullable;

/** Values in PostgreSQL's binary format. Days and times count from 2000-01-01. */
public final class BinaryValues {

    private static final int EPOCH_DAYS = 10_957;
    private static final long EPOCH_MILLIS = EPOCH_DAYS * 86_400_000L;
    private static final int BASE = 10_000;

    private BinaryValues() {}

    static void append(Column column, RowBuilder rows, byte[] bytes, int from, int length) {
        switch (column.type()) {
            case TEXT, VARCHAR, JSON -> rows.addText(bytes, from, from + length);
            case BIGINT -> {
                check(column, length, 8);
                rows.addStored(ByteBuffer.wrap(bytes, from, 8).getLong());
            }
            default ->
                rows.add(decode(
                        column.type(), ByteBuffer.wrap(bytes, from, length).slice()));
        }
    }

    private static void check(Column column, int length, int wanted) {
        if (length != wanted) {
            throw new LazyBaseException(
                    Code.BAD_VALUE,
                    length + " bytes for column " + column.name() + " of type "
                            + column.type().pgName() + ".");
        }
    }

    /** A value as Calcite has it. */
    public static Object decode(ColumnType type, ByteBuffer in) {
        try {
            return switch (type) {
                case BOOLEAN -> in.get() != 0;
                case SMALLINT -> in.getShort();
                case INTEGER -> in.getInt();
                case BIGINT -> in.getLong();
                case REAL -> in.getFloat();
                case DOUBLE -> in.getDouble();
                case DECIMAL -> decimal(in);
                case TEXT, VARCHAR, JSON -> StandardCharsets.UTF_8.decode(in).toString();
                case BYTEA -> {
                    byte[] bytes = new byte[in.remaining()];
                    in.get(bytes);
                    yield new ByteString(bytes);
                }
                case UUID -> new UUID(in.getLong(), in.getLong());
                case DATE -> in.getInt() + EPOCH_DAYS;
                case TIME -> (int) (Math.floorDiv(in.getLong() + 500, 1_000L) % 86_400_000);
                case TIMESTAMP, TIMESTAMPTZ -> Math.floorDiv(in.getLong() + 500, 1_000L) + EPOCH_MILLIS;
            };
        } catch (BufferUnderflowException e) {
            throw new LazyBaseException(Code.BAD_VALUE, "Too few bytes for type " + type.pgName() + ".", e);
        }
    }

    private static BigDecimal decimal(ByteBuffer in) {
        int digits = in.getShort();
        int weight = in.getShort();
        int sign = in.getShort() & 0xFFFF;
        int scale = in.getShort();
        if (sign == 0xC000) {
            throw new LazyBaseException(Code.BAD_VALUE, "NaN is no numeric that can be stored.");
        }
        BigInteger value = BigInteger.ZERO;
        for (int i = 0; i < digits; i++) {
            value = value.multiply(BigInteger.valueOf(BASE)).add(BigInteger.valueOf(in.getShort()));
        }
        BigDecimal number = new BigDecimal(value).scaleByPowerOfTen(4 * (weight - digits + 1));
        return (sign == 0x4000 ? number.negate() : number).setScale(scale, java.math.RoundingMode.HALF_UP);
    }

    /** The bytes of a value that Calcite has. */
    public static byte[] encode(Column column, Object value) {
        return value instanceof List<?> elements ? array(-column.precision(), elements) : encode(column.type(), value);
    }

    private static byte[] array(int oid, List<?> elements) {
        ColumnType found = Oids.type(oid);
        ColumnType type = found == null ? ColumnType.TEXT : found;
        var encoded = new ArrayList<byte @Nullable []>();
        int size = 20;
        for (Object element : elements) {
            byte[] bytes = element == null ? null : encode(type, element);
            encoded.add(bytes);
            size += 4 + (bytes == null ? 0 : bytes.length);
        }
        ByteBuffer out = ByteBuffer.allocate(size);
        // One dimension, whether there are NULLs, the type, how many, the first one's number.
        out.putInt(1).putInt(encoded.contains(null) ? 1 : 0).putInt(oid);
        out.putInt(elements.size()).putInt(1);
        for (byte[] bytes : encoded) {
            if (bytes == null) {
                out.putInt(-1);
            } else {
                out.putInt(bytes.length).put(bytes);
            }
        }
        return out.array();
    }

    /** The bytes of a value of a type. */
    public static byte[] encode(ColumnType type, Object value) {
        return switch (type) {
            case BOOLEAN -> new byte[] {(byte) ((Boolean) value ? 1 : 0)};
            case SMALLINT ->
                ByteBuffer.allocate(2).putShort(((Number) value).shortValue()).array();
            case INTEGER ->
                ByteBuffer.allocate(4).putInt(((Number) value).intValue()).array();
            case BIGINT ->
                ByteBuffer.allocate(8).putLong(((Number) value).longValue()).array();
            case REAL ->
                ByteBuffer.allocate(4).putFloat(((Number) value).floatValue()).array();
            case DOUBLE ->
                ByteBuffer.allocate(8).putDouble(((Number) value).doubleValue()).array();
            case DECIMAL -> decimal(new BigDecimal(value.toString()));
            case TEXT, VARCHAR, JSON -> value.toString().getBytes(StandardCharsets.UTF_8);
            case BYTEA -> ((ByteString) value).getBytes();
            case UUID ->
                ByteBuffer.allocate(16)
                        .putLong(((UUID) value).getMostSignificantBits())
                        .putLong(((UUID) value).getLeastSignificantBits())
                        .array();
            case DATE ->
                ByteBuffer.allocate(4)
                        .putInt(((Number) value).intValue() - EPOCH_DAYS)
                        .array();
            case TIME ->
                ByteBuffer.allocate(8)
                        .putLong(((Number) value).longValue() * 1_000)
                        .array();
            case TIMESTAMP, TIMESTAMPTZ ->
                ByteBuffer.allocate(8)
                        .putLong((((Number) value).longValue() - EPOCH_MILLIS) * 1_000)
                        .array();
        };
    }

    private static byte[] decimal(BigDecimal value) {
        int scale = Math.max(0, value.scale());
        BigDecimal absolute = value.abs().setScale(scale, java.math.RoundingMode.UNNECESSARY);
        // Digits to the base 10,000 on both sides of the point.
        int after = (scale + 3) / 4;
        BigInteger all = absolute.movePointRight(4 * after).toBigIntegerExact();
        var digits = new ArrayList<Integer>();
        BigInteger base = BigInteger.valueOf(BASE);
        while (all.signum() > 0) {
            BigInteger[] parts = all.divideAndRemainder(base);
            digits.add(0, parts[1].intValue());
            all = parts[0];
        }
        int weight = digits.size() - after - 1;
        while (!digits.isEmpty() && digits.get(digits.size() - 1) == 0) {
            digits.remove(digits.size() - 1);
        }
        ByteBuffer out = ByteBuffer.allocate(8 + 2 * digits.size());
        out.putShort((short) digits.size()).putShort((short) (digits.isEmpty() ? 0 : weight));
        out.putShort((short) (value.signum() < 0 ? 0x4000 : 0)).putShort((short) scale);
        digits.forEach(digit -> out.putShort(digit.shortValue()));
        return out.array();
    }
}
