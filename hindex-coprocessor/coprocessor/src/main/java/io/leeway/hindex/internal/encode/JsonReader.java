package io.leeway.hindex.internal.encode;

import io.leeway.hindex.internal.encode.JsonPath.JsonValue;
import io.leeway.hindex.internal.encode.ValueType.JsonKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads one document from its beginning to its end and picks out what a path leads to. Used once. */
final class JsonReader {

    /** Not on the path. */
    private static final int OFF = -1;

    private final String text;
    private final List<Object> steps;
    private final ArrayList<JsonValue> found = new ArrayList<>();
    private int at;

    JsonReader(String text, List<Object> steps) {
        this.text = text;
        this.steps = steps;
    }

    /** The values; null if the text is no document. */
    @Nullable
    List<JsonValue> read() {
        try {
            space();
            value(0, 0);
            space();
            return at == text.length() ? found : null;
        } catch (NotJson e) {
            return null;
        }
    }

    /** Reads a value; {@code step} is the number of steps of the path that led here, or {@link #OFF}. */
    private void value(int step, int depth) {
        if (depth > JsonPath.MAX_DEPTH) {
            throw new NotJson();
        }
        boolean wanted = step == steps.size();
        switch (peek()) {
            case '{' -> object(wanted ? refused() : step, depth);
            case '[' -> array(wanted ? refused() : step, depth);
            case '"' -> add(wanted, JsonKind.STRING, string());
            case 't' -> add(wanted, JsonKind.BOOLEAN, word("true"));
            case 'f' -> add(wanted, JsonKind.BOOLEAN, word("false"));
            case 'n' -> word("null");
            default -> add(wanted, JsonKind.NUMBER, number());
        }
    }

    /** An object or array where a value is wanted: it is of no type. */
    private int refused() {
        found.add(new JsonValue(JsonKind.NONE, ""));
        return OFF;
    }

    private void add(boolean wanted, JsonKind kind, String content) {
        if (wanted) {
            found.add(new JsonValue(kind, content));
        }
    }

    private void object(int step, int depth) {
        at++;
        space();
        if (skip('}')) {
            return;
        }
        int before = found.size();
        do {
            space();
            if (peek() != '"') {
                throw new NotJson();
            }
            String name = string();
            boolean follows = step != OFF && name.equals(steps.get(step));
            space();
            expect(':');
            space();
            if (follows) {
                found.subList(before, found.size()).clear();
            }
            value(follows ? step + 1 : OFF, depth + 1);
            space();
        } while (skip(','));
        expect('}');
    }

    private void array(int step, int depth) {
        at++;
        space();
        if (skip(']')) {
            return;
        }
        int place = 0;
        do {
            space();
            boolean follows = step != OFF
                    && (steps.get(step).equals(place) || steps.get(step).equals(OFF));
            value(follows ? step + 1 : OFF, depth + 1);
            place++;
            space();
        } while (skip(','));
        expect(']');
    }

    private String string() {
        at++;
        var content = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') {
                return content.toString();
            }
            if (c < ' ') {
                throw new NotJson();
            }
            content.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> (char) (hex() << 12 | hex() << 8 | hex() << 4 | hex());
            default -> throw new NotJson();
        };
    }

    private int hex() {
        char c = next();
        int digit = c < 128 ? Character.digit(c, 16) : -1;
        if (digit < 0) {
            throw new NotJson();
        }
        return digit;
    }

    private String number() {
        int start = at;
        skip('-');
        if (!skip('0')) {
            digits();
        }
        if (skip('.')) {
            digits();
        }
        if (skip('e') || skip('E')) {
            if (!skip('+')) {
                skip('-');
            }
            digits();
        }
        return text.substring(start, at);
    }

    private void digits() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == start) {
            throw new NotJson();
        }
    }

    private String word(String word) {
        if (!text.startsWith(word, at)) {
            throw new NotJson();
        }
        at += word.length();
        return word;
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at == text.length()) {
            throw new NotJson();
        }
        return text.charAt(at);
    }

    private char next() {
        char c = peek();
        at++;
        return c;
    }

    private boolean skip(char c) {
        boolean there = at < text.length() && text.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private void expect(char c) {
        if (!skip(c)) {
            throw new NotJson();
        }
    }

    /** Ends the reading; never leaves this class. */
    private static final class NotJson extends RuntimeException {
        NotJson() {
            super("not JSON", null, false, false);
        }
    }
}
