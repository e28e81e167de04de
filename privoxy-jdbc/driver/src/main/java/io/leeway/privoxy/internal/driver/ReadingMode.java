package io.leeway.privoxy.internal.driver;

import java.util.List;

/**
 * How JDBC changes the meaning of a text.
 *
 * @param parameters whether {@code ?} is a parameter, as in a prepared statement
 * @param escapes whether JDBC escapes in braces are translated
 * @param generatedKeys columns of written rows that are asked back: names, or {@code *} for whatever there is
 */
record ReadingMode(boolean parameters, boolean escapes, List<String> generatedKeys) {

    static final ReadingMode PREPARED = new ReadingMode(true, true, List.of());
    static final ReadingMode PLAIN = new ReadingMode(false, true, List.of());

    private static final List<String> ALL_KEYS = List.of("*");

    static ReadingMode plain(boolean escapes) {
        return escapes ? PLAIN : new ReadingMode(false, false, List.of());
    }

    ReadingMode returning(List<String> columns) {
        return new ReadingMode(parameters, escapes, columns);
    }

    ReadingMode returningAll() {
        return returning(ALL_KEYS);
    }
}
