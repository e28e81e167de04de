package io.leeway.privoxy.internal.traffic;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Java objects, as JDBC takes and gives them, as JSON that names their type: {@code {"long":"5"}}. SQL's null is
 * {@code null}; what has no plain form, or is too long, is {@link #UNKNOWN}. Numbers are strings, so that no reader of
 * JSON rounds them.
 *
 * <p>A value is written with its Java type, since the type decides how it is read as a value of a column: 5 as a Long,
 * as a BigDecimal and as a text are three things.
 */
@SuppressWarnings("JavaUtilDate") // applications bind them
public final class TypedValues {

    /** Stands for a value that was not recorded. It equals nothing that was. */
    public static final Object UNKNOWN = new Object() {
        @Override
        public String toString() {
            return "unknown";
        }
    };

    /**
     * Longest text or bytes that are kept; what is longer hardly decides anything.
     *
     * <p>Such a value counts as not known in a replay.
     */
    static final int MAX_LENGTH = 8_192;

    private static final String UNKNOWN_TYPE = "unknown";
    private static final String LIST_TYPE = "list";
    private static final Map<Class<?>, Form> BY_CLASS = new LinkedHashMap<>();
    private static final Map<String, Form> BY_NAME = new LinkedHashMap<>();

    static {
        form("text", String.class, Function.identity(), Function.identity());
        form("char", Character.class, Object::toString, TypedValues::character);
        form("boolean", Boolean.class, Object::toString, TypedValues::truth);
        form("byte", Byte.class, Object::toString, Byte::valueOf);
        form("short", Short.class, Object::toString, Short::valueOf);
        form("int", Integer.class, Object::toString, Integer::valueOf);
        form("long", Long.class, Object::toString, Long::valueOf);
        form("integer", BigInteger.class, Object::toString, BigInteger::new);
        form("decimal", BigDecimal.class, Object::toString, BigDecimal::new);
        form("float", Float.class, Object::toString, Float::valueOf);
        form("double", Double.class, Object::toString, Double::valueOf);
        form("uuid", UUID.class, Object::toString, TypedValues::uuid);
        form("bytes", byte[].class, HexFormat.of()::formatHex, HexFormat.of()::parseHex);
        form("date", LocalDate.class, Object::toString, LocalDate::parse);
        form("time", LocalTime.class, Object::toString, LocalTime::parse);
        form("timestamp", LocalDateTime.class, Object::toString, LocalDateTime::parse);
        form("instant", Instant.class, Object::toString, Instant::parse);
        form("offset-time", OffsetTime.class, Object::toString, OffsetTime::parse);
        form("offset-timestamp", OffsetDateTime.class, Object::toString, OffsetDateTime::parse);
        form("zoned-timestamp", ZonedDateTime.class, Object::toString, ZonedDateTime::parse);
        form("sql-date", java.sql.Date.class, date -> date.toLocalDate().toString(), TypedValues::sqlDate);
        form("sql-time", java.sql.Time.class, time -> time.toLocalTime().toString(), TypedValues::sqlTime);
        form(
                "sql-timestamp",
                java.sql.Timestamp.class,
                time -> time.toLocalDateTime().toString(),
                TypedValues::sqlTimestamp);
    }

    private TypedValues() {}

    /** A type of Java object and its text. */
    private record Form(String name, Function<Object, String> writer, Function<String, Object> reader) {}

    @SuppressWarnings("unchecked")
    private static <T> void form(
            String name, Class<T> type, Function<? super T, String> writer, Function<String, ? extends T> reader) {
        var form = new Form(name, object -> writer.apply((T) object), reader::apply);
        BY_CLASS.put(type, form);
        BY_NAME.put(name, form);
    }

    /** Writes an object. */
    static void write(JsonWriter json, @Nullable Object object) {
        if (object == null) {
            json.text(null);
        } else if (object instanceof Object[] || object instanceof Collection<?>) {
            list(json, object instanceof Object[] array ? Arrays.asList(array) : (Collection<?>) object);
        } else {
            // By the exact class: a subclass may have an own toString.
            Form form = BY_CLASS.get(object.getClass());
            String text = form == null || isTooLong(object) ? null : form.writer.apply(object);
            json.object();
            if (form == null || text == null || !isPlain(text)) {
                json.member(UNKNOWN_TYPE, true);
            } else {
                json.member(form.name, text);
            }
            json.endObject();
        }
    }

    /** Elements with their types, too, as an array may hold objects of several. */
    private static void list(JsonWriter json, Collection<?> elements) {
        json.object().name(LIST_TYPE).array();
        elements.forEach(element -> write(json, element));
        json.endArray().endObject();
    }

    private static boolean isTooLong(Object object) {
        return (object instanceof String text && text.length() > MAX_LENGTH)
                || (object instanceof byte[] bytes && bytes.length > MAX_LENGTH);
    }

    /** Half a character has no form in UTF-8, so a text with one could not be read back as it is. */
    private static boolean isPlain(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    /**
     * Reads an object.
     *
     * @throws JsonException if it is none
     */
    static @Nullable Object read(Json json) {
        if (json instanceof Json.Null) {
            return null;
        }
        Map<String, Json> members = json.object().members();
        if (members.size() != 1) {
            throw new JsonException("a value has one type");
        }
        String type = members.keySet().iterator().next();
        Json value = json.object().need(type);
        if (type.equals(UNKNOWN_TYPE)) {
            return UNKNOWN;
        }
        if (type.equals(LIST_TYPE)) {
            return readAll(value).toArray();
        }
        Form form = BY_NAME.get(type);
        if (form == null) {
            throw new JsonException("the type \"" + type + "\" is not known");
        }
        return read(form, value.text());
    }

    /** Only what would be written so is read. */
    private static Object read(Form form, String text) {
        try {
            Object value = form.reader.apply(text);
            // There is one written form for each value, so a file that was edited cannot smuggle in another, as a
            // UUID with short groups.
            if (form.writer.apply(value).equals(text)) {
                return value;
            }
        } catch (RuntimeException notOfThisType) {
            // Falls through: the reason would show the value.
        }
        throw new JsonException("this is no value of type " + form.name);
    }

    /** Reads an array of objects. */
    static List<@Nullable Object> readAll(Json json) {
        return json.items().stream().<@Nullable Object>map(TypedValues::read).toList();
    }

    private static Character character(String text) {
        if (text.length() != 1) {
            throw new IllegalArgumentException("one character");
        }
        return text.charAt(0);
    }

    private static Boolean truth(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("true or false");
        };
    }

    /** Java reads shorter groups as well. */
    private static UUID uuid(String text) {
        UUID uuid = UUID.fromString(text);
        if (!uuid.toString().equals(text)) {
            throw new IllegalArgumentException("a UUID in its usual form");
        }
        return uuid;
    }

    private static java.sql.Date sqlDate(String text) {
        return java.sql.Date.valueOf(LocalDate.parse(text));
    }

    private static java.sql.Time sqlTime(String text) {
        return java.sql.Time.valueOf(LocalTime.parse(text));
    }

    private static java.sql.Timestamp sqlTimestamp(String text) {
        return java.sql.Timestamp.valueOf(LocalDateTime.parse(text));
    }
}
