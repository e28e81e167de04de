package io.leeway.privoxy.internal.policy;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ValueKind;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * SQL types of context parameters: the usual names of all dialects.
 *
 * <p>One list for all databases, so that a policy can be read without asking one. A parameter is compared as a value of
 * exactly this kind, so there is no type here whose equality is a collation's or is rounded: no CHAR, no FLOAT.
 */
final class ContextTypes {

    /** What can be used, for messages. */
    static final String EXAMPLES =
            "Use BIGINT, INTEGER, NUMERIC, BOOLEAN, VARCHAR, TEXT, UUID, DATE, TIME, TIMESTAMP or TIMESTAMP WITH TIME ZONE.";

    private static final Pattern FORM = Pattern.compile(
            "([a-z][a-z0-9 ]*?) ?(?:\\( ?(\\d{1,4}) ?(?:, ?(\\d{1,4}) ?)?\\))?( with(?:out)? time zone)?");

    private static final Map<String, ColumnType> TYPES = Map.ofEntries(
            whole("tinyint"),
            whole("smallint"),
            whole("mediumint"),
            whole("int"),
            whole("integer"),
            whole("bigint"),
            whole("int2"),
            whole("int4"),
            whole("int8"),
            type("boolean", ValueKind.BOOLEAN),
            type("bool", ValueKind.BOOLEAN),
            type("varchar", ValueKind.TEXT),
            type("character varying", ValueKind.TEXT),
            type("text", ValueKind.TEXT),
            type("uuid", ValueKind.UUID),
            type("date", ValueKind.DATE),
            type("time", ValueKind.TIME),
            type("time without time zone", ValueKind.TIME),
            type("timestamp", ValueKind.TIMESTAMP),
            type("timestamp without time zone", ValueKind.TIMESTAMP),
            type("datetime", ValueKind.TIMESTAMP),
            type("timestamptz", ValueKind.INSTANT),
            type("timestamp with time zone", ValueKind.INSTANT));

    private ContextTypes() {}

    /** The type of that name, or null if a parameter cannot have it. */
    static @Nullable ColumnType of(String written) {
        String text = written.toLowerCase(Locale.ROOT).replaceAll("\\s+", " ").strip();
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        String zone = matcher.group(4);
        // TIMESTAMP(3) WITH TIME ZONE: the precision stands in the middle of the type's name.
        String name = matcher.group(1) + (zone == null ? "" : zone);
        if (name.equals("numeric") || name.equals("decimal")) {
            return decimal(matcher, written);
        }
        ColumnType known = TYPES.get(name);
        return known == null ? null : new ColumnType(known.kind(), "", known.whole(), written);
    }

    private static ColumnType decimal(Matcher matcher, String written) {
        String scale = matcher.group(3);
        // Without precision PostgreSQL's NUMERIC has fractions, MariaDB's DECIMAL has none. Not whole is the safe
        // reading, as it concludes less from an order.
        boolean whole = matcher.group(2) != null && (scale == null || Integer.parseInt(scale) == 0);
        return new ColumnType(ValueKind.NUMBER, "", whole, written);
    }

    private static Map.Entry<String, ColumnType> whole(String name) {
        return Map.entry(name, ColumnType.integer(name));
    }

    private static Map.Entry<String, ColumnType> type(String name, ValueKind kind) {
        return Map.entry(name, ColumnType.exact(kind, name));
    }
}
