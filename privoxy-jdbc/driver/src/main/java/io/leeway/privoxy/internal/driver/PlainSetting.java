package io.leeway.privoxy.internal.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One setting that a text gives a plain value. Not a reader of SQL: the guard has read the text, and what is written
 * otherwise than here is taken for anything ({@link OwnSettings}).
 *
 * @param isLocal whether it says LOCAL
 * @param name in lower case
 * @param value as it is written; null for the default
 */
record PlainSetting(boolean isLocal, String name, @Nullable String value) {

    /** Under this name stand those that say how transactions begin, which have several names and a phrase. */
    static final String TRANSACTIONS = "session characteristics";

    private static final String OF_TRANSACTIONS = "default_transaction_";
    private static final String DEFAULT = "default";
    private static final String VALUE = "('[^'\\\\]*'|[-+]?[\\w.]+)";

    private static final Pattern FIRST = pattern("\\s*(?:set\\s+"
            + "(?:(session|local)\\s+|@@(?:(session|local)\\.)?)?(\\w+(?:\\.\\w+)*)\\s*(?::?=|\\s+to\\b|(?<=\\s))\\s*"
            + VALUE
            + "|reset\\s+(\\w+(?:\\.\\w+)*)|set\\s+session\\s+characteristics\\s+as\\s+transaction\\s+([\\w\\s,]+))"
            + "\\s*(,|;|$)");
    /** Behind a comma, on MariaDB. */
    private static final Pattern NEXT = pattern(
            "\\s*(?:(session|local)\\s+|@@(?:(session|local)\\.)?)?(\\w+)\\s*:?=\\s*" + VALUE + "()()\\s*(,|;|$)");

    private static final int SCOPE = 1;
    private static final int VARIABLES_SCOPE = 2;
    private static final int NAME = 3;
    private static final int VALUE_GROUP = 4;
    private static final int RESET = 5;
    private static final int CHARACTERISTICS = 6;
    private static final int END = 7;

    /** All that a text sets, in their order; nothing if it is not certain what these are. */
    static List<PlainSetting> in(String sql) {
        List<PlainSetting> found = new ArrayList<>();
        int at = 0;
        boolean isNext = false;
        while (at < sql.length() && !sql.substring(at).isBlank()) {
            Matcher one = (isNext ? NEXT : FIRST).matcher(sql).region(at, sql.length());
            if (!one.lookingAt()) {
                return List.of();
            }
            found.add(of(one));
            isNext = ",".equals(one.group(END));
            at = one.end();
        }
        return isNext ? List.of() : found;
    }

    /** What is set to a text by a method. */
    static PlainSetting of(String name, String text) {
        return new PlainSetting(false, name, "'" + text.replace("'", "''") + "'");
    }

    private static PlainSetting of(Matcher one) {
        String phrase = one.group(CHARACTERISTICS);
        if (phrase != null && !phrase.isEmpty()) {
            return new PlainSetting(
                    false, TRANSACTIONS, phrase.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT));
        }
        boolean resets = one.group(NAME) == null;
        String name = (resets ? one.group(RESET) : one.group(NAME)).toLowerCase(Locale.ROOT);
        boolean isLocal =
                "local".equalsIgnoreCase(one.group(SCOPE)) || "local".equalsIgnoreCase(one.group(VARIABLES_SCOPE));
        String value = resets || one.group(VALUE_GROUP).equalsIgnoreCase(DEFAULT) ? null : one.group(VALUE_GROUP);
        if (name.startsWith(OF_TRANSACTIONS)) {
            return new PlainSetting(isLocal, TRANSACTIONS, name + "=" + (value == null ? DEFAULT : value));
        }
        return new PlainSetting(isLocal, name, value);
    }

    private static Pattern pattern(String text) {
        return Pattern.compile(text, Pattern.CASE_INSENSITIVE);
    }
}
