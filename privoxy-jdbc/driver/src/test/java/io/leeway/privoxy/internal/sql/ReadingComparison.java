package io.leeway.privoxy.internal.sql;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks a database whether it reads a text as we do: the text as written and our print of it, which leaves nothing to
 * precedence, must mean the same to it.
 */
final class ReadingComparison {

    /** What a text means to a database. */
    interface Meaning {

        /** Something with value equality, or null if the database does not accept the text. */
        @Nullable
        Object of(String sql);
    }

    /** So often that rows which a LIMIT takes from equal ones by chance (H2 does) do not look like another meaning. */
    private static final int AGAIN = 12;

    private final Meaning meaning;
    private final SqlOptions options;
    private final List<String> refusals = new ArrayList<>();
    private int compared;

    ReadingComparison(Meaning meaning, SqlOptions options) {
        this.meaning = meaning;
        this.options = options;
    }

    /** Number of texts that the database accepted and we read. */
    int compared() {
        return compared;
    }

    /** Texts that the database accepted and we refused. */
    List<String> refusals() {
        return refusals;
    }

    /** What is wrong with our reading of the text, or null. Texts that the database does not accept are not looked at. */
    @Nullable
    String difference(String sql) {
        Object expected = meaning.of(sql);
        ParsedSql parsed;
        try {
            parsed = SqlParser.parse(sql, options);
        } catch (UnsupportedSqlException refusal) {
            if (expected != null) {
                refusals.add(refusal.getMessage() + ": " + sql);
            }
            return null;
        }
        if (expected == null) {
            return null;
        }
        if (parsed.statements().size() != 1) {
            return sql + "\nread as " + parsed.statements().size() + " statements";
        }
        String printed = SqlPrinter.print(parsed.statements().get(0), options);
        Object actual = meaning.of(printed);
        if (expected.equals(actual)) {
            compared++;
            return null;
        }
        return isSteady(sql, expected, printed)
                ? sql + "\nread as\n" + printed + "\nmeans\n" + expected + "\nand\n" + actual
                : null;
    }

    /** Of a text whose meaning is another one each time, as the time of day, nothing can be said. */
    private boolean isSteady(String sql, Object expected, String printed) {
        for (int i = 0; i < AGAIN; i++) {
            if (!expected.equals(meaning.of(sql)) || expected.equals(meaning.of(printed))) {
                return false;
            }
        }
        return true;
    }
}
