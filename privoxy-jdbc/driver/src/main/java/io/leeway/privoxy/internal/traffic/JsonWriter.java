package io.leeway.privoxy.internal.traffic;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON without white space, so that a value is one line. Everything outside ASCII is escaped only where it must
 * be: half surrogate pairs become the replacement character. Not thread-safe.
 */
public final class JsonWriter {

    private static final char REPLACEMENT = '\uFFFD';

    private final StringBuilder out = new StringBuilder(256);
    private boolean first = true;

    /** Begins an object. */
    public JsonWriter object() {
        return open('{');
    }

    /** Begins an array. */
    public JsonWriter array() {
        return open('[');
    }

    /** Ends an object. */
    public JsonWriter endObject() {
        return close('}');
    }

    /** Ends an array. */
    public JsonWriter endArray() {
        return close(']');
    }

    /** The name of the member that follows. */
    public JsonWriter name(String name) {
        separate();
        string(name);
        out.append(':');
        first = true;
        return this;
    }

    /** A string, or {@code null}. */
    public JsonWriter text(@Nullable String text) {
        separate();
        if (text == null) {
            out.append("null");
        } else {
            string(text);
        }
        return this;
    }

    /** A whole number. */
    public JsonWriter number(long number) {
        separate();
        out.append(number);
        return this;
    }

    /** {@code true} or {@code false}. */
    public JsonWriter truth(boolean truth) {
        separate();
        out.append(truth);
        return this;
    }

    /** A member that is a string. */
    public JsonWriter member(String name, @Nullable String text) {
        return name(name).text(text);
    }

    /** A member that is a whole number. */
    public JsonWriter member(String name, long number) {
        return name(name).number(number);
    }

    /** A member that is {@code true} or {@code false}. */
    public JsonWriter member(String name, boolean truth) {
        return name(name).truth(truth);
    }

    /** A member that is an array of strings. */
    public JsonWriter member(String name, List<String> texts) {
        name(name).array();
        texts.forEach(this::text);
        return endArray();
    }

    /** Length of what was written so far. */
    public int length() {
        return out.length();
    }

    /** What was written. */
    @Override
    public String toString() {
        return out.toString();
    }

    private JsonWriter open(char bracket) {
        separate();
        out.append(bracket);
        first = true;
        return this;
    }

    private JsonWriter close(char bracket) {
        out.append(bracket);
        first = false;
        return this;
    }

    /** One flag instead of a stack: what follows a bracket or a name needs no comma. */
    private void separate() {
        if (!first) {
            out.append(',');
        }
        first = false;
    }

    private void string(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
                // The last two end a line for JavaScript and for some editors, and a record is a line.
            } else if (c < ' ' || c == '\u007f' || c == '\u2028' || c == '\u2029') {
                escape(c);
            } else if (Character.isSurrogate(c)) {
                i += surrogate(text, i);
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private void escape(char c) {
        switch (c) {
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> out.append(String.format("\\u%04x", (int) c));
        }
    }

    /** Writes what begins at {@code i}; returns how many more characters it took. */
    private int surrogate(String text, int i) {
        char c = text.charAt(i);
        if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
            out.append(c).append(text.charAt(i + 1));
            return 1;
        }
        // Values with half a pair are written as unknown before (TypedValues); this is for texts of
        // statements, which are for people.
        out.append(REPLACEMENT);
        return 0;
    }
}
