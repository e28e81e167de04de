package io.leeway.lazytables.internal.report;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads a JSON object whose values are texts, numbers, truth values or null: a record of a run. No more of JSON is
 * read, since no more is written, and for that the library needs no other. For one line.
 */
final class JsonLine {

    private final String text;
    private int at;

    private JsonLine(String text) {
        this.text = text;
    }

    /**
     * The values by their names; texts as strings, numbers as doubles, null left out.
     *
     * @throws IllegalArgumentException saying what is wrong and where
     */
    static Map<String, Object> parse(String text) {
        var line = new JsonLine(text);
        var values = new LinkedHashMap<String, Object>();
        line.expect('{');
        if (!line.next('}')) {
            do {
                line.blanks();
                String name = line.string();
                line.expect(':');
                line.blanks();
                line.value(name, values);
            } while (line.next(','));
            line.expect('}');
        }
        line.blanks();
        if (line.at < text.length()) {
            throw line.wrong("something follows the object");
        }
        return values;
    }

    private void value(String name, Map<String, Object> values) {
        char first = peek();
        if (first == '"') {
            values.put(name, string());
        } else if (text.startsWith("null", at)) {
            at += 4;
        } else if (text.startsWith("true", at)) {
            at += 4;
            values.put(name, true);
        } else if (text.startsWith("false", at)) {
            at += 5;
            values.put(name, false);
        } else if (first == '-' || Character.isDigit(first)) {
            values.put(name, number());
        } else {
            throw wrong("a text, a number, true, false or null is expected");
        }
    }

    /** Java's own parser decides, so a few forms that JSON does not have are taken, such as a plus in front. */
    private double number() {
        int from = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        try {
            return Double.parseDouble(text.substring(from, at));
        } catch (NumberFormatException e) {
            at = from;
            throw wrong("this is no number");
        }
    }

    private String string() {
        if (peek() != '"') {
            throw wrong("a text in quotes is expected");
        }
        at++;
        var value = new StringBuilder();
        while (peek() != '"') {
            char each = text.charAt(at++);
            value.append(each == '\\' ? escaped() : each);
        }
        at++;
        return value.toString();
    }

    private char escaped() {
        char kind = peek();
        at++;
        return switch (kind) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> hexadecimal();
            case '"', '\\', '/' -> kind;
            default -> throw wrong("there is no escape \\" + kind);
        };
    }

    /** A half of a surrogate pair at a time, which Java's texts are made of anyway. */
    private char hexadecimal() {
        try {
            char value = (char) Integer.parseInt(text.substring(at, Math.min(at + 4, text.length())), 16);
            at += 4;
            return value;
        } catch (NumberFormatException e) {
            throw wrong("four hexadecimal digits are expected");
        }
    }

    private void expect(char wanted) {
        if (!next(wanted)) {
            throw wrong("'" + wanted + "' is expected");
        }
    }

    private boolean next(char wanted) {
        blanks();
        if (at < text.length() && text.charAt(at) == wanted) {
            at++;
            return true;
        }
        return false;
    }

    private void blanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong("it ends too early");
        }
        return text.charAt(at);
    }

    /** Counted from one, as editors count. */
    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("at character " + (at + 1) + ": " + what);
    }
}
