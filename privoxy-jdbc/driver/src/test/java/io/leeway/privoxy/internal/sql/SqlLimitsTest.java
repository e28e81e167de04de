package io.leeway.privoxy.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Texts made to exhaust the reader: too deep ones are refused, long ones are read in a time that grows with their length. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SqlLimitsTest {

    private static final int DEEP = 100_000;

    /** Around an operand; what nests, and how often. */
    private static final List<String[]> NESTS = List.of(
            new String[] {"SELECT ", "(", "1", ")"},
            new String[] {"SELECT ", "- ", "1", ""},
            new String[] {"SELECT ", "NOT ", "1", ""},
            new String[] {"SELECT ", "f(", "1", ")"},
            new String[] {"SELECT ", "coalesce(1, ", "1", ")"},
            new String[] {"SELECT ", "CASE WHEN ", "1", " THEN 1 END"},
            new String[] {"SELECT ", "CAST(", "1", " AS int)"},
            new String[] {"SELECT ", "(SELECT ", "1", ")"},
            new String[] {"SELECT ", "EXISTS (SELECT ", "1", ")"},
            new String[] {"SELECT 1 WHERE ", "1 IN (", "1", ")"},
            new String[] {"SELECT 1 FROM ", "(", "t", ")"},
            new String[] {"SELECT 1 FROM ", "(SELECT 1 FROM ", "t", ") x"},
            new String[] {"SELECT 1 FROM ", "t LEFT JOIN ", "t", " ON 1 = 1"},
            new String[] {"", "(", "SELECT 1", ")"},
            new String[] {"", "WITH x AS (", "SELECT 1", ") SELECT 1"},
            new String[] {"SELECT ", "a BETWEEN 1 AND ", "1", ""},
            new String[] {"SELECT ", "a LIKE ", "'x'", ""},
            new String[] {"SELECT ", "trim(", "s", ")"},
            new String[] {"SELECT ", "ARRAY[", "1", "]"},
            new String[] {"SELECT ", "x[", "1", "]"},
            new String[] {"SELECT ", "{fn f(", "1", ")}"},
            new String[] {"INSERT INTO t VALUES (", "(", "1", "))"},
            new String[] {"SELECT 1 GROUP BY ", "GROUPING SETS (", "a", ")"});

    /** Repeated without nesting; some make a tree as deep as they are long. */
    private static final List<String[]> CHAINS = List.of(
            new String[] {"SELECT 1", " + 1"},
            new String[] {"SELECT 1", " = 1"},
            new String[] {"SELECT 1", " || 1"},
            new String[] {"SELECT 1", "::int"},
            new String[] {"SELECT a", " IS NULL"},
            new String[] {"SELECT a", " COLLATE x"},
            new String[] {"SELECT a", "[1]"},
            new String[] {"SELECT (a)", ".b"},
            new String[] {"SELECT 1", " UNION SELECT 1"},
            new String[] {"SELECT 1", " INTERSECT SELECT 1"},
            new String[] {"SELECT 1 FROM t", " JOIN t ON 1 = 1"},
            new String[] {"SELECT 1 FROM t", " CROSS JOIN t"},
            new String[] {"SELECT 1", " XOR 1"},
            new String[] {"SELECT a", " LIKE 'x'"},
            new String[] {"SELECT a", " AND a"},
            new String[] {"SELECT a", " OR a"},
            new String[] {"SELECT a", ", a"},
            new String[] {"SELECT 1 FROM t", ", t"},
            new String[] {"SELECT a", ".a"},
            new String[] {"INSERT INTO t VALUES (1)", ", (1)"},
            new String[] {"SELECT 1", "; SELECT 1"},
            new String[] {"SELECT 1 WHERE a IN (1", ", 1"},
            new String[] {"SELECT 'a'", "\n'b'"},
            new String[] {"SELECT 'a'", " -- c\n'b'"},
            new String[] {"SELECT 1", " /* c */"},
            new String[] {"SELECT 1", " -- c\n"},
            new String[] {"SELECT ", "/*"},
            new String[] {"SELECT 'x", "''"},
            new String[] {"SELECT E'x", "\\'"},
            new String[] {"SELECT ", "$a$ "},
            new String[] {"SELECT ", "?, "},
            new String[] {"SELECT 1 ", "+-"},
            new String[] {"SELECT ", "{fn f("},
            new String[] {"SELECT 1 FROM ", "((SELECT 1) "},
            new String[] {"SELECT ", "((SELECT 1) "},
            new String[] {"CREATE TABLE t (a int) ", "("},
            new String[] {"SHOW ", "x "},
            new String[] {"SET ", "a = 1, "});

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void deepTextsAreRefused(Dialect dialect) {
        for (String[] nest : NESTS) {
            String sql = nest[0] + nest[1].repeat(DEEP) + nest[2] + nest[3].repeat(DEEP);

            assertThat(catchThrowable(() -> SqlParser.parse(sql, SqlOptions.of(dialect))))
                    .as(nest[1])
                    .isInstanceOf(UnsupportedSqlException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void nestingUpToTheLimitIsRead(Dialect dialect) {
        String sql = "SELECT " + "(".repeat(100) + "1" + ")".repeat(100);

        assertThat(SqlParser.parse(sql, SqlOptions.of(dialect)).statements()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void longTextsAreReadOrRefusedInLinearTime(Dialect dialect) {
        for (String[] chain : CHAINS) {
            // were a step quadratic, this would take hours
            String sql = chain[0] + chain[1].repeat(500_000 / chain[1].length());

            Consistency.check(sql, SqlOptions.of(dialect));
        }
    }
}
