package io.leeway.eppi.internal.json;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes JSON. */
public final class Json {

    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u([0-9a-f]{4})|(.))");

    private Json() {}

    /** A map, list, text, number, truth value or nothing as JSON. */
    public static String of(@Nullable Object value) {
        var out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    /** A text as it was before {@link #of} wrote it; without the quotes around it. */
    public static String unescaped(String text) {
        return ESCAPE.matcher(text).replaceAll(found -> {
            String digits = found.group(1);
            String character =
                    digits == null ? found.group(2) : Character.toString((char) Integer.parseInt(digits, 16));
            return Matcher.quoteReplacement(character);
        });
    }

    private static void write(@Nullable Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            String before = "{";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(before);
                text(String.valueOf(entry.getKey()), out);
                out.append(':');
                write(entry.getValue(), out);
                before = ",";
            }
            out.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> list) {
            String before = "[";
            for (Object each : list) {
                out.append(before);
                write(each, out);
                before = ",";
            }
            out.append(list.isEmpty() ? "[]" : "]");
        } else if (value instanceof Number || value instanceof Boolean || value == null) {
            out.append(value);
        } else {
            text(value.toString(), out);
        }
    }

    private static void text(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
