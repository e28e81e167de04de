package io.leeway.privoxy.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.sql.ast.Statement;
import org.jspecify.annotations.Nullable;

/** What holds for any text whatever. */
final class Consistency {

    private Consistency() {}

    /** The text is read or refused at a place in it; what was read is printed such that it is read again as the same. */
    static void check(String sql, SqlOptions options) {
        ParsedSql parsed;
        try {
            parsed = SqlParser.parse(sql, options);
        } catch (UnsupportedSqlException refusal) {
            assertThat(refusal.offset()).isBetween(0, sql.length());
            assertThat(refusal.line()).isPositive();
            assertThat(refusal.column()).isPositive();
            assertThat(refusal.construct()).isNotBlank();
            return;
        }
        Skeleton skeleton = Skeleton.of(sql, options);
        assertThat(skeleton.key()).isEqualTo(Skeleton.of(sql, options).key());
        assertThat(skeleton.parse().statements()).hasSameSizeAs(parsed.statements());
        for (Statement statement : parsed.statements()) {
            if (isReadInFull(statement)) {
                checkPrint(statement, options);
            }
        }
    }

    private static boolean isReadInFull(Statement statement) {
        return statement instanceof Statement.Select
                || statement instanceof Statement.Insert
                || statement instanceof Statement.Update
                || statement instanceof Statement.Delete
                || statement instanceof Statement.Merge;
    }

    private static void checkPrint(Statement statement, SqlOptions options) {
        String printed = SqlPrinter.print(statement, options);
        Statement again = parsePrint(printed, options);
        if (again != null) {
            // the first print may have the names of functions as they were written
            String second = SqlPrinter.print(again, options);
            Statement third = parsePrint(second, options);
            assertThat(third == null ? second : SqlPrinter.print(third, options))
                    .isEqualTo(second);
        }
    }

    /** The statement, or null if its print, which has more parentheses, nests too deep. */
    private static @Nullable Statement parsePrint(String printed, SqlOptions options) {
        try {
            ParsedSql parsed = SqlParser.parse(printed, options);
            assertThat(parsed.statements()).as(printed).hasSize(1);
            return parsed.statements().get(0);
        } catch (UnsupportedSqlException refusal) {
            assertThat(refusal.construct()).as("refusal of %s", printed).contains("deep");
            return null;
        }
    }
}
