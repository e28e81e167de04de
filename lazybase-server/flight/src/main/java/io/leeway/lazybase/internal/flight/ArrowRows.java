package io.leeway.lazybase.internal.flight;

import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.ColumnType;
import io.leeway.lazybase.internal.pg.PgText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.flight.sql.FlightSqlColumnMetadata;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.calcite.avatica.util.ByteString;
import org.jspecify.annotations.Nullable;

/** Rows of an answer as columns of Arrow. Stateless. */
final class ArrowRows {

    private static final int DIGITS = 38;
    private static final int MOST_SCALE = 37;

    private ArrowRows() {}

    /** How clients are told of columns. */
    static Schema schema(List<Column> columns) {
        return new Schema(columns.stream().map(ArrowRows::field).toList());
    }

    static Field field(Column column) {
        var told = new FlightSqlColumnMetadata.Builder()
                .typeName(column.type().pgName())
                .build();
        return new Field(
                column.name(), new FieldType(!column.notNull(), type(column), null, told.getMetadataMap()), null);
    }

    private static ArrowType type(Column column) {
        if (column.precision() < 0) {
            // An array, as PostgreSQL writes it.
            return ArrowType.Utf8.INSTANCE;
        }
        return switch (column.type()) {
            case BOOLEAN -> ArrowType.Bool.INSTANCE;
            case SMALLINT -> new ArrowType.Int(16, true);
            case INTEGER -> new ArrowType.Int(32, true);
            case BIGINT -> new ArrowType.Int(64, true);
            case REAL -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
            case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
            case DECIMAL -> new ArrowType.Decimal(DIGITS, Math.min(MOST_SCALE, column.scale()), 128);
            case TEXT, VARCHAR, JSON, UUID -> ArrowType.Utf8.INSTANCE;
            case BYTEA -> ArrowType.Binary.INSTANCE;
            case DATE -> new ArrowType.Date(DateUnit.DAY);
            case TIME -> new ArrowType.Time(TimeUnit.MILLISECOND, 32);
            case TIMESTAMP -> new ArrowType.Timestamp(TimeUnit.MILLISECOND, null);
            case TIMESTAMPTZ -> new ArrowType.Timestamp(TimeUnit.MILLISECOND, "UTC");
        };
    }

    /** Writes a row; returns about how many bytes it has. */
    static int write(VectorSchemaRoot root, List<Column> columns, int row, @Nullable Object[] values) {
        int bytes = 0;
        for (int c = 0; c < values.length; c++) {
            Object value = values[c];
            FieldVector vector = root.getVector(c);
            if (value == null) {
                vector.setNull(row);
            } else {
                bytes += write(vector, columns.get(c), row, value);
            }
        }
        return bytes;
    }

    private static int write(FieldVector vector, Column column, int row, Object value) {
        if (vector instanceof VarCharVector texts) {
            boolean plain = value instanceof String && column.type() != ColumnType.TIME;
            byte[] text = (plain ? (String) value : PgText.of(column.type(), value)).getBytes(StandardCharsets.UTF_8);
            texts.setSafe(row, text);
            return text.length;
        } else if (vector instanceof VarBinaryVector binaries) {
            byte[] bytes = ((ByteString) value).getBytes();
            binaries.setSafe(row, bytes);
            return bytes.length;
        } else if (vector instanceof BitVector bits) {
            bits.setSafe(row, (Boolean) value ? 1 : 0);
        } else if (vector instanceof SmallIntVector numbers) {
            numbers.setSafe(row, ((Number) value).shortValue());
        } else if (vector instanceof IntVector numbers) {
            numbers.setSafe(row, ((Number) value).intValue());
        } else if (vector instanceof BigIntVector numbers) {
            numbers.setSafe(row, ((Number) value).longValue());
        } else if (vector instanceof Float4Vector numbers) {
            numbers.setSafe(row, ((Number) value).floatValue());
        } else if (vector instanceof Float8Vector numbers) {
            numbers.setSafe(row, ((Number) value).doubleValue());
        } else if (vector instanceof DecimalVector numbers) {
            var number = value instanceof BigDecimal decimal ? decimal : new BigDecimal(value.toString());
            numbers.setSafe(row, number.setScale(numbers.getScale(), RoundingMode.HALF_UP));
        } else if (vector instanceof DateDayVector days) {
            days.setSafe(row, ((Number) value).intValue());
        } else if (vector instanceof TimeMilliVector times) {
            times.setSafe(row, ((Number) value).intValue());
        } else if (vector instanceof TimeStampVector times) {
            times.setSafe(row, ((Number) value).longValue());
        } else {
            throw new IllegalStateException("no way to write " + vector.getMinorType());
        }
        return Long.BYTES;
    }
}
