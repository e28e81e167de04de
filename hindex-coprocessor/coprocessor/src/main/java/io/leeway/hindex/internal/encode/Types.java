package io.leeway.hindex.internal.encode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The types by their names in definitions. Names are stored in attributes of tables, so none may ever mean something
 * else. Immutable.
 */
final class Types {

    /** Bytes. A key has to fit into a row of the store, with other columns and the base row. */
    private static final int MAX_WIDTH = 4096;

    private static final String FIXED = "fixed";

    private static final Map<String, ValueType> BY_NAME = byName();

    private Types() {}

    static ValueType of(CodecText.Word word) {
        String argument = word.argument();
        if (word.name().equals(FIXED) && argument != null && argument.matches("[0-9]{1,4}")) {
            int width = Integer.parseInt(argument);
            if (width >= 1 && width <= MAX_WIDTH) {
                return new FixedBytesType(width);
            }
        }
        ValueType type = argument == null ? BY_NAME.get(word.name()) : null;
        if (type == null) {
            throw new IllegalArgumentException("unknown type '" + word + "'; known are " + String.join(", ", names()));
        }
        return type;
    }

    static List<String> names() {
        var names = new ArrayList<>(BY_NAME.keySet());
        names.add(FIXED + "(1 to " + MAX_WIDTH + ")");
        return names;
    }

    /** In the order in which an error names them. */
    private static Map<String, ValueType> byName() {
        var types = new LinkedHashMap<String, ValueType>();
        for (ValueType type : List.of(
                new TextType(false),
                new TextType(true),
                new BytesType(),
                IntegerType.ofLong(),
                IntegerType.ofInt(),
                IntegerType.ofShort(),
                IntegerType.ofByte(),
                FloatingType.ofDouble(),
                FloatingType.ofFloat(),
                new DecimalType(),
                new BooleanType(),
                TimeType.date(),
                TimeType.time(),
                TimeType.dateTime(),
                TimeType.millis(),
                new UuidType())) {
            types.put(type.name(), type);
        }
        return types;
    }
}
