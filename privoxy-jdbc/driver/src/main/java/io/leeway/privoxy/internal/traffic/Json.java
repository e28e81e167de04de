package io.leeway.privoxy.internal.traffic;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value. Immutable.
 *
 * <p>A reader and writer of our own, since the driver is dropped into applications' class paths and brings no library
 * that could meet another version there.
 */
public sealed interface Json {

    /** {@code null}. */
    record Null() implements Json {}

    /** {@code true} or {@code false}. */
    record Truth(boolean value) implements Json {}

    /**
     * A number, as it was written: which Java type it is, is for those to say who know.
     *
     * <p>To read it as a double would lose digits of a BIGINT.
     */
    record Numeral(String digits) implements Json {}

    /** A string. */
    record Text(String value) implements Json {}

    /** An array. */
    record Array(List<Json> items) implements Json {
        public Array {
            items = Collections.unmodifiableList(new ArrayList<>(items));
        }
    }

    /** An object; names keep their order. */
    record Members(Map<String, Json> members) implements Json {
        public Members {
            members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        }

        /** A member, or null if there is none or it is {@code null}. */
        public @Nullable Json get(String name) {
            Json member = members.get(name);
            return member instanceof Null ? null : member;
        }

        /** A member that must be there. */
        public Json need(String name) {
            Json member = get(name);
            if (member == null) {
                throw new JsonException("\"" + name + "\" is missing");
            }
            return member;
        }
    }

    /** The text of a string. */
    default String text() {
        if (this instanceof Text text) {
            return text.value;
        }
        throw new JsonException("a string is expected");
    }

    /** The value of a whole number. */
    default long whole() {
        if (this instanceof Numeral number) {
            try {
                return Long.parseLong(number.digits);
            } catch (NumberFormatException notWhole) {
                throw new JsonException("a whole number is expected, not " + number.digits);
            }
        }
        throw new JsonException("a number is expected");
    }

    /** The value of {@code true} or {@code false}. */
    default boolean truth() {
        if (this instanceof Truth truth) {
            return truth.value;
        }
        throw new JsonException("true or false is expected");
    }

    /** The items of an array. */
    default List<Json> items() {
        if (this instanceof Array array) {
            return array.items;
        }
        throw new JsonException("an array is expected");
    }

    /** The value as an object. */
    default Json.Members object() {
        if (this instanceof Json.Members object) {
            return object;
        }
        throw new JsonException("an object is expected");
    }

    /** The strings of an array of strings. */
    default List<String> texts() {
        return items().stream().map(Json::text).toList();
    }
}
