package io.leeway.lazybase.internal.flight;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.ColumnType;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeNanoVector;
import org.apache.arrow.vector.TimeSecVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.calcite.avatica.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Values in columns of Arrow as Calcite has them. Days, times and binaries go only where such are; numbers and texts go wherever a
 * column takes them. Stateless.
 */
final class ArrowValues {

    private static final long DAY_MILLIS = 86_400_000L;
    private static final BigDecimal TWO_TO_64 = BigDecimal.valueOf(2).pow(64);

    private ArrowValues() {}

    /** A value for a column; null for NULL. */
    static @Nullable Object get(FieldVector vector, int row, Column column) {
        if (vector instanceof NullVector || vector.isNull(row)) {
            return null;
        }
        ColumnType type = column.type();
        return switch (vector.getMinorType()) {
            case BIT ->
                fits(type == ColumnType.BOOLEAN || type.isText(), vector, column) && ((BitVector) vector).get(row) != 0;
            case TINYINT, SMALLINT, INT, BIGINT, UINT1, UINT2, UINT4 ->
                number(vector, column, ((BaseIntVector) vector).getValueAsLong(row));
            case UINT8 -> number(vector, column, unsigned(((UInt8Vector) vector).get(row)));
            case FLOAT2, FLOAT4, FLOAT8, DECIMAL, DECIMAL256 -> number(vector, column, vector.getObject(row));
            case VARCHAR, LARGEVARCHAR, VIEWVARCHAR -> vector.getObject(row).toString();
            case VARBINARY -> bytes(vector, column, ((VarBinaryVector) vector).get(row));
            case LARGEVARBINARY -> bytes(vector, column, ((LargeVarBinaryVector) vector).get(row));
            case FIXEDSIZEBINARY -> bytes(vector, column, ((FixedSizeBinaryVector) vector).get(row));
            case DATEDAY -> day(vector, column, ((DateDayVector) vector).get(row));
            case DATEMILLI -> day(vector, column, Math.floorDiv(((DateMilliVector) vector).get(row), DAY_MILLIS));
            case TIMESEC -> time(vector, column, ((TimeSecVector) vector).get(row) * 1_000L);
            case TIMEMILLI -> time(vector, column, ((TimeMilliVector) vector).get(row));
            case TIMEMICRO -> time(vector, column, rounded(((TimeMicroVector) vector).get(row), 1_000));
            case TIMENANO -> time(vector, column, rounded(((TimeNanoVector) vector).get(row), 1_000_000));
            case TIMESTAMPSEC,
                    TIMESTAMPMILLI,
                    TIMESTAMPMICRO,
                    TIMESTAMPNANO,
                    TIMESTAMPSECTZ,
                    TIMESTAMPMILLITZ,
                    TIMESTAMPMICROTZ,
                    TIMESTAMPNANOTZ -> timestamp(vector, column, ((TimeStampVector) vector).get(row));
            default -> throw unfit(vector, column);
        };
    }

    private static LazyBaseException unfit(FieldVector vector, Column column) {
        return new LazyBaseException(
                Code.BAD_VALUE,
                "Values of type " + vector.getField().getType() + " do not go into column " + column.name()
                        + " of type " + column.type().pgName() + ".");
    }

    private static boolean fits(boolean fits, FieldVector vector, Column column) {
        if (!fits) {
            throw unfit(vector, column);
        }
        return true;
    }

    private static Object number(FieldVector vector, Column column, Object value) {
        boolean fits = switch (column.type()) {
            case SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DECIMAL, TEXT, VARCHAR -> true;
            default -> false;
        };
        fits(fits, vector, column);
        return column.type().isText() ? value.toString() : value;
    }

    private static Object unsigned(long bits) {
        return bits >= 0 ? bits : BigDecimal.valueOf(bits).add(TWO_TO_64);
    }

    private static Object bytes(FieldVector vector, Column column, byte[] bytes) {
        if (column.type() == ColumnType.UUID && bytes.length == 16) {
            ByteBuffer both = ByteBuffer.wrap(bytes);
            return new UUID(both.getLong(), both.getLong());
        }
        fits(column.type() == ColumnType.BYTEA, vector, column);
        return new ByteString(bytes);
    }

    private static Object day(FieldVector vector, Column column, long day) {
        return switch (column.type()) {
            case DATE -> (int) day;
            case TIMESTAMP, TIMESTAMPTZ -> day * DAY_MILLIS;
            default -> throw unfit(vector, column);
        };
    }

    private static Object time(FieldVector vector, Column column, long millis) {
        fits(column.type() == ColumnType.TIME, vector, column);
        if (millis < 0 || millis > DAY_MILLIS) {
            throw new LazyBaseException(Code.OVERFLOW, "Column " + column.name() + ": no day has such a time.");
        }
        return (int) (millis % DAY_MILLIS);
    }

    private static Object timestamp(FieldVector vector, Column column, long value) {
        fits(column.type() == ColumnType.TIMESTAMP || column.type() == ColumnType.TIMESTAMPTZ, vector, column);
        try {
            return switch (((ArrowType.Timestamp) vector.getField().getType()).getUnit()) {
                case SECOND -> Math.multiplyExact(value, 1_000L);
                case MILLISECOND -> value;
                case MICROSECOND -> rounded(value, 1_000);
                case NANOSECOND -> rounded(value, 1_000_000);
            };
        } catch (ArithmeticException e) {
            throw new LazyBaseException(Code.OVERFLOW, "Column " + column.name() + ": " + value + " s.", e);
        }
    }

    /** Half up, as texts are; no sum, which could overflow. */
    private static long rounded(long value, long unit) {
        return Math.floorDiv(value, unit) + (Math.floorMod(value, unit) * 2 >= unit ? 1 : 0);
    }
}
