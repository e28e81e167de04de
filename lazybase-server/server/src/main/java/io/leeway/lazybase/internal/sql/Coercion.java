package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.model.Column;
import java.math.BigDecimal;
import org.apache.calcite.avatica.util.ByteString;

/** Parameters as clients bind them, as the type that a plan expects. */
final class Coercion {

    private Coercion() {}

    static Object to(Column column, Object value) {
        if (value instanceof String text) {
            return number(column, Values.parse(column, text));
        }
        return number(column, value);
    }

    private static Object number(Column column, Object value) {
        if (value instanceof byte[] bytes) {
            return new ByteString(bytes);
        }
        if (!(value instanceof Number number)) {
            return column.type().isText() ? value.toString() : value;
        }
        return switch (column.type()) {
            case SMALLINT -> (short) whole(column, number);
            case INTEGER -> (int) whole(column, number);
            case BIGINT -> whole(column, number);
            case REAL -> number.floatValue();
            case DOUBLE -> number.doubleValue();
            case DECIMAL -> new BigDecimal(number.toString());
            case TEXT, VARCHAR, JSON -> number.toString();
            default -> number;
        };
    }

    private static long whole(Column column, Number number) {
        return Values.stored(column, number);
    }
}
