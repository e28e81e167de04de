package io.leeway.lazybase.internal.pg;

import io.leeway.lazybase.internal.model.ColumnType;
import io.leeway.lazybase.internal.sql.Values;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.HexFormat;
import java.util.List;
import org.apache.calcite.avatica.util.ByteString;

/** Values as PostgreSQL writes them in text. Stateless. */
public final class PgText {

    private PgText() {}

    /** A value that Calcite has. */
    public static String of(ColumnType type, Object value) {
        return value instanceof List<?> elements ? array(elements) : scalar(type, value);
    }

    private static String array(List<?> elements) {
        var text = new StringBuilder("{");
        for (Object element : elements) {
            text.append(text.length() > 1 ? "," : "");
            if (element == null) {
                text.append("NULL");
            } else if (element instanceof Boolean bool) {
                text.append(bool ? 't' : 'f');
            } else if (element instanceof Number) {
                text.append(element);
            } else {
                text.append('"');
                text.append(element.toString().replace("\\", "\\\\").replace("\"", "\\\""));
                text.append('"');
            }
        }
        return text.append('}').toString();
    }

    private static String scalar(ColumnType type, Object value) {
        return switch (type) {
            case BOOLEAN -> (Boolean) value ? "t" : "f";
            case REAL -> floating(((Number) value).floatValue());
            case DOUBLE -> floating(((Number) value).doubleValue());
            case DECIMAL -> value instanceof BigDecimal decimal ? decimal.toPlainString() : value.toString();
            case BYTEA -> "\\x" + HexFormat.of().formatHex(((ByteString) value).getBytes());
            case DATE -> LocalDate.ofEpochDay(((Number) value).longValue()).toString();
            case TIME -> Values.timeText(LocalTime.ofNanoOfDay(((Number) value).longValue() * 1_000_000L));
            case TIMESTAMP -> Values.timestampText(((Number) value).longValue(), false);
            case TIMESTAMPTZ -> Values.timestampText(((Number) value).longValue(), true);
            default -> value.toString();
        };
    }

    private static String floating(float value) {
        return Float.isInfinite(value) || Float.isNaN(value) ? special(value) : shortest(Float.toString(value));
    }

    private static String floating(double value) {
        return Double.isInfinite(value) || Double.isNaN(value) ? special(value) : shortest(Double.toString(value));
    }

    private static String special(double value) {
        return Double.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
    }

    private static String shortest(String text) {
        String plain = text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
        int exponent = plain.indexOf('E');
        if (exponent < 0) {
            return plain;
        }
        String digits = plain.substring(0, exponent);
        digits = digits.endsWith(".0") ? digits.substring(0, digits.length() - 2) : digits;
        int power = Integer.parseInt(plain.substring(exponent + 1));
        String sign = power < 0 ? "-" : "+";
        return digits + "e" + sign + (Math.abs(power) < 10 ? "0" : "") + Math.abs(power);
    }
}
