package io.leeway.approx;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The fields of a JSON object without objects or arrays in it: what reports are, so that no jar needs a parser for them. */
final class FlatJson {

    private static final Pattern FIELD = Pattern.compile(
            "\\G[{,]\\s*\"((?:[^\"\\\\]|\\\\.)*)\"\\s*:\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\"|([^\",{}\\[\\]]+))\\s*");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(u[0-9a-fA-F]{4}|.)");

    private final Map<String, String> fields = new LinkedHashMap<>();

    private FlatJson() {}

    static FlatJson parse(String json) {
        FlatJson parsed = new FlatJson();
        Matcher matcher = FIELD.matcher(json);
        int end = 0;
        while (matcher.find()) {
            String text = matcher.group(2);
            parsed.fields.put(
                    plain(matcher.group(1)), text == null ? matcher.group(3).strip() : plain(text));
            end = matcher.end();
        }
        if (!json.substring(end).strip().equals("}")) {
            throw new IllegalArgumentException("not a flat JSON object from character " + end + " on");
        }
        return parsed;
    }

    private static String plain(String escaped) {
        return ESCAPE.matcher(escaped).replaceAll(match -> {
            String what = match.group(1);
            String meant = what.length() == 5 ? String.valueOf((char) Integer.parseInt(what.substring(1), 16)) : what;
            return Matcher.quoteReplacement(meant);
        });
    }

    String text(String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("there is no field " + name);
        }
        return value;
    }

    long whole(String name) {
        return Long.parseLong(text(name));
    }

    double real(String name) {
        String value = text(name);
        return value.equals("null") ? Double.NaN : Double.parseDouble(value);
    }
}
