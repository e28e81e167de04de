package io.leeway.testkit.db;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/** Names of databases: safe to put into SQL unquoted, and never used twice. */
final class DatabaseNames {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,39}");

    private DatabaseNames() {}

    static String numbered(String name, AtomicInteger counter) {
        if (!PLAIN.matcher(name).matches()) {
            throw new IllegalArgumentException("not a plain database name (letters, digits, _): " + name);
        }
        return name.toLowerCase(Locale.ROOT) + "_" + counter.incrementAndGet();
    }
}
