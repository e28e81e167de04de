package io.leeway.privoxy.internal.driver;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is known of an application's own settings in a session ({@code SET app.tenant = 5}), for which views of the
 * database may ask: the texts that set them. Where a value is not certain it is taken for one that no other session
 * has, so that nothing is shared. Not thread-safe.
 *
 * <p>A database's view over {@code current_setting('app.tenant')} shows each tenant other rows: a fact read as one
 * tenant must not open rows of another one ({@code SettingsCasesIT}).
 */
final class OwnSettings {

    private static final AtomicLong UNLIKE_ALL = new AtomicLong();
    /** Only one setting, one plain value; whatever is written otherwise is unlike all. */
    private static final Pattern PLAIN = Pattern.compile(
            "\\s*set\\s+(?:(session|local)\\s+)?(\\w+(?:\\.\\w+)+)\\s*(?:=|\\bto\\b)\\s*('[^'\\\\]*'|\\w+)\\s*;?\\s*",
            Pattern.CASE_INSENSITIVE);

    /** A name that no setting has: stands for those that are not known. */
    private static final String ANY = "";

    private final Map<String, String> values = new TreeMap<>();
    /** Values until the end of the transaction. */
    private final Map<String, String> locals = new TreeMap<>();
    /** What was set in the transaction. */
    private final Set<String> changed = new TreeSet<>();

    private String text = "";

    /**
     * A text has set one, or several.
     *
     * @param within whether in a transaction that can take it back
     */
    void set(String sql, boolean within) {
        Matcher plain = PLAIN.matcher(sql);
        // What the default is, nobody here knows.
        if (!plain.matches() || plain.group(3).equalsIgnoreCase("default")) {
            values.put(ANY, unlikeAll());
        } else {
            String name = plain.group(2).toLowerCase(Locale.ROOT);
            if (!"local".equalsIgnoreCase(plain.group(1))) {
                values.put(name, plain.group(3));
                if (within) {
                    changed.add(name);
                }
            } else if (within) {
                locals.put(name, plain.group(3));
            }
        }
        renew();
    }

    /** What was set in the transaction may be what it was before. */
    void takenBack() {
        // What they were before is not kept, so they are unlike all others.
        changed.forEach(name -> values.put(name, unlikeAll()));
        locals.replaceAll((name, value) -> unlikeAll());
        renew();
    }

    /** The transaction is over, and what was set in it stays or was taken back before. */
    void ended() {
        changed.clear();
        locals.clear();
        renew();
    }

    /** All are as at the beginning of the session, and nothing takes that back. */
    void reset() {
        values.clear();
        ended();
    }

    /**
     * Nothing is known of them: another session, or a text that may have set or reset them.
     *
     * <p>Values may be anything, so they are unlike those of every other session.
     */
    void forget() {
        values.put(ANY, unlikeAll());
        ended();
    }

    /** Made when something changes and not when it is asked for, which is with each statement. */
    private void renew() {
        text = values.isEmpty() && locals.isEmpty() ? "" : values.toString() + locals;
    }

    /** Equal for sessions in which they are known to be equal. */
    String text() {
        return text;
    }

    private static String unlikeAll() {
        return Long.toString(UNLIKE_ALL.incrementAndGet());
    }
}
