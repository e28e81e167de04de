package io.leeway.approx;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The fields of a JSON object without objects or arrays in it: what reports are, so that no jar needs a parser for them. By
 * hand and without recursion, since a report's sketches are long, and a topic of reports may have been written by anybody.
 */
final class FlatJson {

    private final Map<String, String> fields = new LinkedHashMap<>();
    private final String json;
    private int at;

    private FlatJson(String json) {
        this.json = json;
    }

    /**
     * Reads an object.
     *
     * @throws IllegalArgumentException if it is none, or not flat
     */
    static FlatJson parse(String json) {
        FlatJson parsed = new FlatJson(json.strip());
        parsed.object();
        return parsed;
    }

    private void object() {
        expect('{');
        boolean more = peek() != '}';
        while (more) {
            String name = string();
            expect(':');
            fields.put(name, peek() == '"' ? string() : scalar());
            more = peek() == ',';
            if (more) {
                at++;
            }
        }
        expect('}');
        if (at < json.length()) {
            throw wrong();
        }
    }

    private char peek() {
        while (at < json.length() && Character.isWhitespace(json.charAt(at))) {
            at++;
        }
        if (at == json.length()) {
            throw wrong();
        }
        return json.charAt(at);
    }

    private void expect(char c) {
        if (peek() != c) {
            throw wrong();
        }
        at++;
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("not a flat JSON object from character " + at + " on");
    }

    private String string() {
        expect('"');
        StringBuilder text = new StringBuilder();
        while (at < json.length() && json.charAt(at) != '"') {
            text.append(json.charAt(at) == '\\' ? escaped() : json.charAt(at));
            at++;
        }
        if (at == json.length()) {
            throw wrong();
        }
        at++;
        return text.toString();
    }

    /** What a backslash at this place means; afterwards the place is that of the last character that belongs to it. */
    private char escaped() {
        at++;
        if (at == json.length()) {
            throw wrong();
        }
        char c = json.charAt(at);
        if (c != 'u') {
            return switch (c) {
                case 'n' -> '\n';
                case 'r' -> '\r';
                case 't' -> '\t';
                default -> c;
            };
        }
        at += 4;
        if (at >= json.length()) {
            throw wrong();
        }
        return (char) Integer.parseInt(json, at - 3, at + 1, 16);
    }

    private String scalar() {
        int begin = at;
        while (at < json.length() && "\",{}[]".indexOf(json.charAt(at)) < 0) {
            at++;
        }
        String text = json.substring(begin, at).strip();
        if (text.isEmpty()) {
            throw wrong();
        }
        return text;
    }

    String text(String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("there is no field " + name);
        }
        return value;
    }

    String textOr(String name, String fallback) {
        return fields.getOrDefault(name, fallback);
    }

    long whole(String name) {
        return Long.parseLong(text(name));
    }

    double real(String name) {
        String value = text(name);
        return value.equals("null") ? Double.NaN : Double.parseDouble(value);
    }
}
