package io.leeway.privoxy.internal.fuzz.oracle;

import io.leeway.privoxy.internal.sql.Dialect;
import java.util.ArrayList;
import java.util.List;

/**
 * A type of a column, with values at its edges.
 *
 * @param declaration as it stands in a CREATE TABLE
 * @param rows literals of values that the column gets
 * @param literals literals that it is compared with, of its own type and of others
 */
record ColumnType(String declaration, Family family, List<String> rows, List<String> literals) {

    /** What can be done with it. */
    enum Family {
        WHOLE,
        DECIMAL,
        TEXT,
        CHOICE,
        TRUTH,
        DATE,
        MOMENT,
        TIME,
        IDENTITY,
        OTHER;

        boolean isNumber() {
            return this == WHOLE || this == DECIMAL;
        }
    }

    private static final List<String> WHOLE = List.of("-1", "0", "1", "5", "199", "200", "2147483647");
    private static final List<String> WHOLE_LIKE = List.of(
            "5",
            "200",
            "199",
            "1",
            "0",
            "-1",
            "'5'",
            "'05'",
            "5.0",
            "199.6",
            "200.4",
            "'200'",
            "5e0",
            "2e2",
            "+5",
            "TRUE",
            "FALSE",
            "0.5",
            "4.5",
            "4.9999999999999999999",
            "199.99999999999999999",
            "NULL");
    private static final List<String> BIG_LIKE = List.of(
            "5",
            "9007199254740992",
            "9007199254740993",
            "9007199254740993.0",
            "9007199254740992.5",
            "'9007199254740993'",
            "9007199254740993e0",
            "9223372036854775807",
            "9223372036854775808",
            "1",
            "'5'");
    private static final List<String> DECIMALS = List.of("1.40", "1.50", "5.00", "5.40", "199.60", "0.00", "-1.00");
    private static final List<String> DECIMAL_LIKE = List.of(
            "1.4",
            "1.5",
            "1.50",
            "5",
            "5.0",
            "5.4",
            "5.404",
            "1.404",
            "1.405",
            "'1.4'",
            "'5'",
            "199.6",
            "'5.004'",
            "1.4e0",
            "140e-2",
            "0",
            "-1",
            "-0.0",
            "1.4000000000000000001",
            "5.00");
    private static final List<String> FLOATS = List.of("0.1", "0.3", "5", "0.30000000000000004", "1.4", "-0.0", "0");
    private static final List<String> FLOAT_LIKE = List.of(
            "0.1",
            "0.3",
            "0.1e0",
            "5",
            "5.0",
            "'0.1'",
            "0.30000000000000004",
            "1.4",
            "0",
            "-0.0",
            "0.10000000149011612");
    private static final List<String> TEXTS =
            List.of("'a'", "'A'", "'a '", "'ab'", "'5'", "'05'", "'é'", "'e'", "''", "'b'", "'Z'", "'true'");
    private static final List<String> TEXT_LIKE = List.of(
            "'a'", "'A'", "'a '", "'a  '", "'b'", "''", "' '", "'5'", "5", "'m'", "'M'", "'é'", "'e'", "N'a'",
            "'true'");
    private static final List<String> MOMENTS = List.of(
            "'2020-01-01 00:00:00'", "'2020-01-01 10:00:00'", "'2020-01-02 00:00:00'", "'2020-01-01 10:00:00.4'");
    private static final List<String> MOMENT_LIKE = List.of(
            "'2020-01-01'",
            "'2020-01-01 10:00:00'",
            "TIMESTAMP '2020-01-01 10:00:00'",
            "'2020-01-01 10:00:00.4'",
            "DATE '2020-01-01'",
            "'2020-01-01T10:00:00'",
            "'2020-01-01 10:00'",
            "TIMESTAMP '2020-01-01 00:00:00'",
            "'2020-01-02'",
            "'2020-01-01 00:00:00'");

    /** What must be there before the tables. */
    static List<String> before(Dialect dialect) {
        return dialect != Dialect.POSTGRESQL
                ? List.of()
                : List.of(
                        "CREATE EXTENSION IF NOT EXISTS citext",
                        "CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
                        "CREATE TYPE en AS ENUM ('a', 'b', '5')",
                        "CREATE DOMAIN dom AS INT",
                        "CREATE DOMAIN domt AS VARCHAR(9)");
    }

    static List<ColumnType> all(Dialect dialect) {
        var all = new ArrayList<ColumnType>();
        add(all, Family.WHOLE, WHOLE, WHOLE_LIKE, "INT");
        add(
                all,
                Family.WHOLE,
                List.of("-1", "0", "1", "5", "9007199254740992", "9007199254740993", "9223372036854775807"),
                BIG_LIKE,
                "BIGINT");
        add(all, Family.WHOLE, List.of("-1", "0", "5", "200"), WHOLE_LIKE, "SMALLINT");
        add(all, Family.DECIMAL, DECIMALS, DECIMAL_LIKE, "NUMERIC(10,2)");
        add(all, Family.DECIMAL, List.of("1.4", "1.40000000000000000001", "5", "0"), DECIMAL_LIKE, "NUMERIC(30,20)");
        add(all, Family.DECIMAL, FLOATS, FLOAT_LIKE, "DOUBLE PRECISION", dialect == Dialect.MARIADB ? "FLOAT" : "REAL");
        add(all, Family.TRUTH, List.of("TRUE", "FALSE"), truths(), "BOOLEAN");
        add(
                all,
                Family.DATE,
                List.of("'2020-01-01'", "'2020-01-02'", "'2019-12-31'"),
                List.of(
                        "'2020-01-01'",
                        "DATE '2020-01-01'",
                        "'2020-01-01 10:00:00'",
                        "TIMESTAMP '2020-01-01 10:00:00'",
                        "TIMESTAMP '2020-01-01 00:00:00'",
                        "'2020-1-1'",
                        "20200101",
                        "'20200101'",
                        "'2020-01-02'",
                        "'2020-01-01 00:00:00'"),
                "DATE");
        add(
                all,
                Family.TIME,
                List.of("'10:00:00'", "'00:00:00'", "'10:00:01'"),
                List.of(
                        "'10:00:00'",
                        "TIME '10:00:00'",
                        "'10:00'",
                        "'10:00:00.0'",
                        "'10:00:00.4'",
                        "100000",
                        "'00:00:00'"),
                "TIME");
        add(
                all,
                Family.IDENTITY,
                List.of("'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", "'b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'"),
                List.of(
                        "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'",
                        "'a0eebc999c0b4ef8bb6d6bb9bd380a11'", "'b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'"),
                "UUID");
        switch (dialect) {
            case POSTGRESQL -> postgres(all);
            case MARIADB -> mariaDb(all);
            case H2 -> h2(all);
        }
        return List.copyOf(all);
    }

    private static List<String> truths() {
        return List.of("TRUE", "FALSE", "1", "0", "2", "'t'", "'true'", "'1'", "'yes'", "'f'", "0.4");
    }

    private static void postgres(List<ColumnType> all) {
        add(all, Family.DECIMAL, List.of("1.5", "1.50", "5", "'NaN'"), DECIMAL_LIKE, "NUMERIC");
        add(
                all,
                Family.TEXT,
                TEXTS,
                TEXT_LIKE,
                "VARCHAR(9)",
                "TEXT",
                "CHAR(5)",
                "CITEXT",
                "TEXT COLLATE ci",
                "VARCHAR(9) COLLATE \"C\"",
                "NAME",
                "TEXT COLLATE \"und-x-icu\"",
                "domt");
        add(all, Family.TEXT, List.of("'a'", "'A'", "'b'"), TEXT_LIKE, "\"char\"");
        add(all, Family.CHOICE, List.of("'a'", "'b'", "'5'"), choices(), "en");
        add(all, Family.MOMENT, MOMENTS, MOMENT_LIKE, "TIMESTAMP", "TIMESTAMP(0)", "TIMESTAMP WITH TIME ZONE");
        add(
                all,
                Family.OTHER,
                List.of("'10.0.0.1'", "'10.0.0.0/8'"),
                List.of("'10.0.0.1'", "'10.0.0.1/32'", "'10.0.0.0/8'"),
                "INET");
        add(
                all,
                Family.OTHER,
                List.of("'{1,2}'", "'{1}'"),
                List.of("'{1,2}'", "'{ 1, 2 }'", "ARRAY[1,2]", "'{1}'"),
                "INT[]");
        add(all, Family.OTHER, List.of("'1'", "'1.0'", "'{}'"), List.of("'1'", "'1.0'", "'{}'"), "JSONB");
        add(
                all,
                Family.OTHER,
                List.of("'1 day'", "'24 hours'"),
                List.of("'1 day'", "'24 hours'", "INTERVAL '1 day'"),
                "INTERVAL");
        add(all, Family.OTHER, List.of("'a'", "'b'"), List.of("'a'", "'\\x61'"), "BYTEA");
        add(all, Family.OTHER, List.of("'[1,3)'", "'[1,2]'", "'empty'"), List.of("'[1,3)'", "'[1,2]'"), "int4range");
        add(all, Family.WHOLE, List.of("5", "4294967295"), List.of("5", "-1", "4294967295", "'5'"), "OID");
        add(all, Family.OTHER, List.of("'5'", "'1.4'"), List.of("'5'", "'$5.00'", "'1.4'"), "MONEY");
        add(all, Family.WHOLE, List.of("5", "200"), WHOLE_LIKE, "dom");
    }

    private static void mariaDb(List<ColumnType> all) {
        add(
                all,
                Family.TEXT,
                TEXTS,
                TEXT_LIKE,
                "VARCHAR(9)",
                "VARCHAR(9) COLLATE utf8mb4_bin",
                "VARCHAR(9) COLLATE utf8mb4_nopad_bin",
                "VARCHAR(9) COLLATE utf8mb4_general_nopad_ci",
                "VARCHAR(9) CHARACTER SET latin1 COLLATE latin1_bin",
                "VARCHAR(9) CHARACTER SET latin1 COLLATE latin1_swedish_ci",
                "CHAR(5)",
                "CHAR(5) COLLATE utf8mb4_nopad_bin",
                "CHAR(5) CHARACTER SET ascii COLLATE ascii_bin",
                "TEXT",
                "VARBINARY(9)",
                "BINARY(5)");
        add(all, Family.CHOICE, List.of("'a'", "'b'", "'5'"), choices(), "ENUM('a','b','5')");
        add(
                all,
                Family.CHOICE,
                List.of("'a'", "'b'", "'a,b'", "''"),
                List.of("'a'", "'a,b'", "'b,a'", "1", "3", "''"),
                "SET('a','b')");
        add(all, Family.MOMENT, MOMENTS, MOMENT_LIKE, "DATETIME", "DATETIME(6)", "TIMESTAMP");
        add(
                all,
                Family.WHOLE,
                List.of("0", "1", "5", "4294967295"),
                List.of("-1", "5", "4294967295", "4294967296", "'5'", "0"),
                "INT UNSIGNED");
        add(
                all,
                Family.WHOLE,
                List.of("0", "5", "18446744073709551615", "9223372036854775808"),
                List.of("-1", "5", "18446744073709551615", "9223372036854775808", "'5'", "18446744073709551614.5"),
                "BIGINT UNSIGNED");
        add(all, Family.WHOLE, List.of("2020", "1999", "2005"), List.of("2020", "20", "'2020'", "99", "5"), "YEAR");
        add(all, Family.WHOLE, List.of("5", "1", "65"), List.of("5", "b'101'", "'A'", "65", "x'05'"), "BIT(8)");
    }

    private static void h2(List<ColumnType> all) {
        add(all, Family.DECIMAL, FLOATS, FLOAT_LIKE, "DECFLOAT");
        add(all, Family.TEXT, TEXTS, TEXT_LIKE, "VARCHAR(9)", "CHAR(5)", "VARCHAR_IGNORECASE(9)", "CLOB");
        add(all, Family.CHOICE, List.of("'a'", "'b'", "'5'"), choices(), "ENUM('a','b','5')");
        add(all, Family.MOMENT, MOMENTS, MOMENT_LIKE, "TIMESTAMP", "TIMESTAMP(0)", "TIMESTAMP WITH TIME ZONE");
    }

    private static List<String> choices() {
        return List.of("'a'", "'b'", "'5'", "'A'", "1", "2", "'1'", "'a '", "0", "'x'");
    }

    private static void add(
            List<ColumnType> all, Family family, List<String> rows, List<String> literals, String... declarations) {
        for (String declaration : declarations) {
            all.add(new ColumnType(declaration, family, rows, literals));
        }
    }

    /** With one literal only. */
    ColumnType with(String literal) {
        return new ColumnType(declaration, family, rows, List.of(literal));
    }
}
