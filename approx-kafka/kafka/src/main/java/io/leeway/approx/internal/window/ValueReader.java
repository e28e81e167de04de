package io.leeway.approx.internal.window;

import io.leeway.approx.internal.wire.RecordData;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The number in a record. */
@FunctionalInterface
public interface ValueReader {

    /** The number, if the record has one. */
    OptionalDouble read(RecordData record);

    /** A reader as the option {@code approx.value} names it; the text was checked. */
    static ValueReader of(String text) {
        if (text.isEmpty()) {
            return record -> OptionalDouble.empty();
        }
        int colon = text.indexOf(':');
        String kind = colon < 0 ? text : text.substring(0, colon);
        String argument = text.substring(colon + 1);
        return switch (kind) {
            case "size" -> record -> OptionalDouble.of(record.value() == null ? 0 : record.value().length);
            case "double" -> record -> fixed(record, true);
            case "long" -> record -> fixed(record, false);
            case "csv" -> csv(Integer.parseInt(argument));
            default -> json(argument);
        };
    }

    private static OptionalDouble fixed(RecordData record, boolean real) {
        byte[] value = record.value();
        if (value == null || value.length != Long.BYTES) {
            return OptionalDouble.empty();
        }
        ByteBuffer bytes = ByteBuffer.wrap(value);
        return finite(real ? bytes.getDouble() : (double) bytes.getLong());
    }

    private static ValueReader csv(int column) {
        return record -> {
            String[] columns = text(record).split(",", column + 2);
            return columns.length > column ? parse(columns[column]) : OptionalDouble.empty();
        };
    }

    /** The first field of this name, wherever it is: enough for flat objects, without a parser on the way of every record. */
    private static ValueReader json(String field) {
        Pattern pattern =
                Pattern.compile("\"" + Pattern.quote(field) + "\"\\s*:\\s*(-?\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?)");
        return record -> {
            Matcher matcher = pattern.matcher(text(record));
            return matcher.find() ? parse(matcher.group(1)) : OptionalDouble.empty();
        };
    }

    private static String text(RecordData record) {
        return record.value() == null ? "" : new String(record.value(), StandardCharsets.UTF_8);
    }

    private static OptionalDouble parse(String text) {
        try {
            return finite(Double.parseDouble(text.strip()));
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    private static OptionalDouble finite(double value) {
        return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    }
}
