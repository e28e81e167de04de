package io.leeway.lazybase.internal.web;

import org.jspecify.annotations.Nullable;

/** Writes JSON, a piece after the other. For one thread. */
final class Json {

    private final StringBuilder out = new StringBuilder();
    private boolean first = true;

    private void comma() {
        if (!first) {
            out.append(',');
        }
        first = true;
    }

    Json open(char bracket) {
        comma();
        out.append(bracket);
        return this;
    }

    Json close(char bracket) {
        out.append(bracket);
        first = false;
        return this;
    }

    Json key(String name) {
        comma();
        quote(name);
        out.append(':');
        return this;
    }

    Json number(String name, long value) {
        key(name);
        out.append(value);
        first = false;
        return this;
    }

    Json text(String name, String value) {
        key(name);
        quote(value);
        first = false;
        return this;
    }

    /** An element of an array; null is null. */
    Json element(@Nullable String value) {
        comma();
        if (value == null) {
            out.append("null");
        } else {
            quote(value);
        }
        first = false;
        return this;
    }

    private void quote(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format(java.util.Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
