package io.leeway.privoxy.internal.driver;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is known of an application's own settings in a session ({@code SET app.tenant = 5}), for which views of the
 * database may ask: the texts that set them. Where a value is not certain it is taken for one that no other session has,
 * so that nothing is shared. Not thread-safe.
 */
final class OwnSettings {

    private static final AtomicLong UNLIKE_ALL = new AtomicLong();
    private static final Pattern PLAIN = Pattern.compile(
            "\\s*set\\s+(?:session\\s+)?(\\w+(?:\\.\\w+)+)\\s*(?:=|\\bto\\b)\\s*('[^'\\\\]*'|\\w+)\\s*;?\\s*",
            Pattern.CASE_INSENSITIVE);

    private final Map<String, String> values = new TreeMap<>();
    private String text = "";

    /** A text has set one, or several. */
    void set(String sql) {
        Matcher plain = PLAIN.matcher(sql);
        if (plain.matches() && !plain.group(2).equalsIgnoreCase("default")) {
            values.put(plain.group(1).toLowerCase(Locale.ROOT), plain.group(2));
        } else {
            values.put("", unlikeAll());
        }
        text = values.toString();
    }

    /** Some may be what they were before. */
    void takenBack() {
        if (!values.isEmpty()) {
            values.put("", unlikeAll());
            text = values.toString();
        }
    }

    /** Equal for sessions in which they are known to be equal. */
    String text() {
        return text;
    }

    private static String unlikeAll() {
        return Long.toString(UNLIKE_ALL.incrementAndGet());
    }
}
