package io.leeway.hindex.internal.encode;

import io.leeway.hindex.internal.encode.JsonPath.JsonValue;
import io.leeway.hindex.internal.encode.ValueType.JsonKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one document from its beginning to its end and picks out what a path leads to. One pass, without building the
 * document: it is done within a write. All of it is checked, also behind what was found, since whether a cell is
 * malformed must not depend on where in it the value stands. Used once; for one thread.
 */
final class JsonReader {

    /** Not on the path. As a step of a path, the same number stands for all places. */
    private static final int OFF = -1;

    private final String text;
    private final List<Object> steps;
    private final ArrayList<JsonValue> found = new ArrayList<>();
    /** The next character to read. */
    private int at;

    JsonReader(String text, List<Object> steps) {
        this.text = text;
        this.steps = steps;
    }

    /**
     * The values; null if the text is no document.
     *
     * <p>Whatever is wrong anywhere makes all of it wrong.
     */
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

    /**
     * An object or array where a value is wanted: it is of no type.
     *
     * <p>It is noted as of no kind, so that the codec calls the cell malformed; what is inside is read on without a
     * path.
     */
    private int refused() {
        found.add(new JsonValue(JsonKind.NONE, ""));
        return OFF;
    }

    private void add(boolean wanted, JsonKind kind, String content) {
        if (wanted) {
            found.add(new JsonValue(kind, content));
        }
    }

    /** Equal names may come again, and the last counts: what the one before has led to is taken back. */
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

    /** Places are counted from nought. A step for all places follows each of them. */
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

    /** As it is meant, with escapes resolved, since names and values are compared by that. */
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

    /**
     * Halves of surrogate pairs are let through as RFC 8259 has them; the type of text then finds that they are none.
     */
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

    /** As it is written: the column's type makes a value of it, with as many digits as that can hold. */
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

    /** What RFC 8259 allows and nothing else that Java takes for white space. */
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

    /**
     * Ends the reading from any depth; never leaves this class. Without a stack trace, which would cost more than the
     * reading.
     */
    private static final class NotJson extends RuntimeException {
        NotJson() {
            super("not JSON", null, false, false);
        }
    }
}
