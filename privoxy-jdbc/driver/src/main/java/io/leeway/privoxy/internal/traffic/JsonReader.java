package io.leeway.privoxy.internal.traffic;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON (RFC 8259) and nothing else: no comments, no trailing commas, no name twice in an object, no half
 * surrogate pairs, no depth beyond reason. Used once.
 *
 * <p>Strict, because a recording is replayed to decide: what two readers understand differently must not be understood
 * at all.
 */
public final class JsonReader {

    /** Lists of parameters nest a few levels; a file of a million brackets must not end the process. */
    private static final int MAX_DEPTH = 64;

    private static final int HEX = 16;

    private final String text;
    private int at;
    private int depth;

    private JsonReader(String text) {
        this.text = text;
    }

    /**
     * The value that a text is.
     *
     * @throws JsonException with the column if it is none
     */
    public static Json read(String text) {
        var reader = new JsonReader(text);
        reader.space();
        Json value = reader.value();
        reader.space();
        if (reader.at < text.length()) {
            throw reader.problem("text after the value");
        }
        return value;
    }

    private Json value() {
        return switch (peek()) {
            case '{' -> nested(this::object);
            case '[' -> nested(this::array);
            case '"' -> new Json.Text(string());
            case 't' -> word("true", new Json.Truth(true));
            case 'f' -> word("false", new Json.Truth(false));
            case 'n' -> word("null", new Json.Null());
            default -> number();
        };
    }

    /** The depth is bounded, as each level takes a part of the thread's stack. */
    private Json nested(java.util.function.Supplier<Json> part) {
        if (++depth > MAX_DEPTH) {
            throw problem("nested too deep");
        }
        at++;
        space();
        Json value = part.get();
        depth--;
        return value;
    }

    private Json object() {
        Map<String, Json> members = new LinkedHashMap<>();
        if (take('}')) {
            return new Json.Members(members);
        }
        do {
            space();
            if (peek() != '"') {
                throw problem("a name is expected");
            }
            String name = string();
            space();
            expect(':');
            space();
            // Readers differ in which of the two counts.
            if (members.put(name, value()) != null) {
                throw problem("the name \"" + name + "\" stands twice");
            }
            space();
        } while (take(','));
        expect('}');
        return new Json.Members(members);
    }

    private Json array() {
        List<Json> items = new ArrayList<>();
        if (take(']')) {
            return new Json.Array(items);
        }
        do {
            space();
            items.add(value());
            space();
        } while (take(','));
        expect(']');
        return new Json.Array(items);
    }

    private String string() {
        at++;
        var string = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') {
                return whole(string);
            }
            if (c < ' ') {
                throw problem("a control character in a string");
            }
            string.append(c == '\\' ? escape() : c);
        }
    }

    /** Half a pair has no form in UTF-8 and would be another text in the driver. */
    private String whole(StringBuilder string) {
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            if (Character.isHighSurrogate(c)
                    && i + 1 < string.length()
                    && Character.isLowSurrogate(string.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                throw problem("half a character in a string");
            }
        }
        return string.toString();
    }

    private char escape() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw problem("an unknown escape");
        };
    }

    private char unicode() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(next(), HEX);
            if (digit < 0) {
                throw problem("four hexadecimal digits are expected");
            }
            code = code * HEX + digit;
        }
        return (char) code;
    }

    private Json word(String word, Json value) {
        if (!text.startsWith(word, at)) {
            throw problem("a value is expected");
        }
        at += word.length();
        return value;
    }

    /** Its digits are kept as they are; the grammar is JSON's, so no leading zeros and no plus sign. */
    private Json number() {
        int start = at;
        take('-');
        if (!take('0')) {
            digits();
        }
        if (take('.')) {
            digits();
        }
        if (take('e') || take('E')) {
            if (!take('+')) {
                take('-');
            }
            digits();
        }
        return new Json.Numeral(text.substring(start, at));
    }

    private void digits() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == start) {
            throw problem("a value is expected");
        }
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean take(char c) {
        boolean found = at < text.length() && text.charAt(at) == c;
        at += found ? 1 : 0;
        return found;
    }

    private void expect(char c) {
        if (!take(c)) {
            throw problem("'" + c + "' is expected");
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw problem("the text ends too early");
        }
        return text.charAt(at);
    }

    private char next() {
        char c = peek();
        at++;
        return c;
    }

    private JsonException problem(String what) {
        return new JsonException("column " + (at + 1) + ": " + what);
    }
}
