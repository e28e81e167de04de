package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rows of which the stored values are equal and look different stand in an order of what they show, not in that of a hidden
 * index: the ninth attacker's R21.
 */
class StoredFormsIT extends Cases {

    /** A column of two values that are equal and look different. */
    private record Forms(String type, String one, String other) {}

    private static List<Forms> forms(On where) {
        return switch (where) {
            case POSTGRESQL ->
                List.of(
                        new Forms("NUMERIC", "1.0", "1.00"),
                        new Forms("INTERVAL", "'1 day'", "'24 hours'"),
                        new Forms("JSONB", "'{\"a\": 1.0}'", "'{\"a\": 1.00}'"),
                        new Forms("FLOAT8", "'0'", "'-0'"),
                        new Forms("TEXT COLLATE ci", "'a'", "'A'"),
                        new Forms("NUMRANGE", "'[1.0,2)'", "'[1.00,2)'"),
                        new Forms("NUMERIC[]", "'{1.0}'", "'{1.00}'"),
                        new Forms("pair", "'(1,1.0)'", "'(1,1.00)'"),
                        new Forms("dom", "1.0", "1.00"));
            case MARIADB ->
                List.of(
                        new Forms("VARCHAR(10)", "'a'", "'A'"),
                        new Forms("CHAR(10)", "'a'", "'A'"),
                        new Forms("TEXT", "'a'", "'a '"),
                        new Forms("DOUBLE", "0e0", "-0e0"));
            case H2 ->
                List.of(
                        new Forms("VARCHAR_IGNORECASE(10)", "'a'", "'A'"),
                        new Forms(
                                "TIMESTAMP WITH TIME ZONE",
                                "TIMESTAMP WITH TIME ZONE '2020-01-01 10:00:00+00'",
                                "TIMESTAMP WITH TIME ZONE '2020-01-01 11:00:00+01'"));
        };
    }

    private static List<String> statements(On where, String x) {
        String rows = "SELECT " + x + " AS c FROM t WHERE v > 1";
        var statements = new ArrayList<>(List.of(
                "WITH w AS (" + rows + ") SELECT c FROM w",
                "SELECT q.c FROM (" + rows + ") q",
                "SELECT q.c FROM (" + rows + ") q ORDER BY 1 LIMIT 1",
                "SELECT q.c FROM (" + rows + ") q ORDER BY q.c DESC LIMIT 1",
                "SELECT (SELECT q.c FROM (" + rows + ") q ORDER BY 1 LIMIT 1)",
                "SELECT q.c, q.k FROM (SELECT " + x + " AS c, 1 AS k FROM t WHERE v > 1) q ORDER BY q.k"));
        if (where == On.POSTGRESQL) {
            statements.add("WITH w AS MATERIALIZED (" + rows + ") SELECT c FROM w");
            statements.add("SELECT ARRAY(SELECT q.c FROM (" + rows + ") q)");
        }
        if (where == On.MARIADB) {
            String all = rows + " UNION ALL SELECT " + x + " FROM t WHERE v = 1";
            statements.add(all);
            statements.add(all + " ORDER BY 1");
            statements.add(all + " ORDER BY c DESC LIMIT 1");
        }
        return statements;
    }

    /**
     * What the two rows show by each statement.
     *
     * @param secrets of rows 2 and 3, which are found in that order
     */
    private List<String> answers(On where, int... secrets) throws SQLException {
        List<Forms> all = forms(where);
        var columns = new StringBuilder();
        var views = new StringBuilder();
        String[] values = {"", "", ""};
        for (int i = 0; i < all.size(); i++) {
            columns.append(", c").append(i).append(' ').append(all.get(i).type());
            views.append(", c").append(i);
            values[0] += ", NULL";
            values[1] += ", " + all.get(i).one();
            values[2] += ", " + all.get(i).other();
        }
        List<String> tables = new ArrayList<>();
        if (where == On.POSTGRESQL) {
            tables.add("CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
            tables.add("CREATE TYPE pair AS (a INT, b NUMERIC)");
            tables.add("CREATE DOMAIN dom AS NUMERIC");
        }
        tables.add("CREATE TABLE t (id INT NOT NULL UNIQUE, v INT" + columns
                + ", secret INT NOT NULL, PRIMARY KEY (secret, id))");
        tables.add("INSERT INTO t VALUES (1, 1" + values[0] + ", 9)");
        int first = secrets[0] < secrets[1] ? 2 : 3;
        for (int id : new int[] {first, 5 - first}) {
            tables.add("INSERT INTO t VALUES (" + id + ", " + id + values[id - 1] + ", " + secrets[id - 2] + ")");
        }
        on(where, "CREATE VIEW shown AS SELECT id, v" + views + " FROM t;\n", tables.toArray(String[]::new));
        Connection connection = connect();
        List<String> answers = new ArrayList<>();
        try (var request = request(1)) {
            assertThat(request.isOpen()).isTrue();
            for (int i = 0; i < all.size(); i++) {
                for (String sql : statements(where, "c" + i)) {
                    answers.add(sql + " -> " + rows(connection, sql));
                }
            }
        }
        return answers;
    }

    @ParameterizedTest
    @EnumSource
    void noHiddenOrderIsThatOfEqualRows(On where) throws SQLException {
        assertThat(answers(where, 1, 2)).isEqualTo(answers(where, 2, 1));
    }

    /** Each type can be written, so nothing ordinary fails that was sorted before. */
    @Test
    void rowsOfAllTypesAreAnswered() throws SQLException {
        for (On where : On.values()) {
            List<String> types = switch (where) {
                case POSTGRESQL ->
                    List.of(
                            "TEXT",
                            "VARCHAR(5)",
                            "CHAR(5)",
                            "INT",
                            "NUMERIC(8,2)",
                            "REAL",
                            "BOOLEAN",
                            "UUID",
                            "BYTEA",
                            "DATE",
                            "TIME",
                            "TIMETZ",
                            "TIMESTAMP",
                            "TIMESTAMPTZ",
                            "INET",
                            "CIDR",
                            "MACADDR",
                            "MONEY",
                            "BIT(3)",
                            "VARBIT",
                            "TSVECTOR",
                            "TSQUERY",
                            "INT[]",
                            "TEXT[]",
                            "INT4RANGE",
                            "NAME",
                            "OID",
                            "REGCLASS",
                            "PG_LSN");
                case MARIADB ->
                    List.of(
                            "VARCHAR(5)",
                            "CHAR(5)",
                            "TEXT",
                            "LONGTEXT",
                            "INT",
                            "BIGINT UNSIGNED",
                            "DECIMAL(8,2)",
                            "FLOAT",
                            "DOUBLE",
                            "BOOLEAN",
                            "BIT(3)",
                            "DATE",
                            "TIME",
                            "DATETIME(3)",
                            "TIMESTAMP NULL",
                            "YEAR",
                            "ENUM('a','b')",
                            "SET('a','b')",
                            "BLOB",
                            "VARBINARY(5)",
                            "BINARY(5)",
                            "JSON",
                            "UUID",
                            "INET6",
                            "INET4",
                            "POINT",
                            "GEOMETRY",
                            "VARCHAR(5) COLLATE utf8mb4_bin");
                case H2 ->
                    List.of(
                            "VARCHAR(5)",
                            "CHAR(5)",
                            "CLOB",
                            "INT",
                            "NUMERIC(8,2)",
                            "REAL",
                            "DOUBLE PRECISION",
                            "DECFLOAT",
                            "BOOLEAN",
                            "DATE",
                            "TIME",
                            "TIME WITH TIME ZONE",
                            "TIMESTAMP",
                            "INTERVAL DAY TO SECOND",
                            "BLOB",
                            "VARBINARY(5)",
                            "UUID",
                            "JSON",
                            "INT ARRAY",
                            "ENUM('a', 'b')",
                            "ROW(a INT, b VARCHAR(5))");
            };
            for (String type : types) {
                on(where, "CREATE VIEW shown AS SELECT v, x FROM t;\n", new String[] {
                    "CREATE TABLE t (v INT PRIMARY KEY, x " + type + ", secret INT)",
                    "INSERT INTO t (v) VALUES (1)",
                    "INSERT INTO t (v) VALUES (2)"
                });
                try (var request = request(1)) {
                    assertThat(request.isOpen()).isTrue();
                    Connection connection = connect();
                    for (String sql : List.of(
                            "SELECT v, x FROM t",
                            "SELECT q.x FROM (SELECT x FROM t) q",
                            "WITH w AS (SELECT x, v FROM t) SELECT * FROM w ORDER BY v",
                            "SELECT x FROM t UNION ALL SELECT x FROM t")) {
                        assertThat(rows(connection, sql))
                                .as("%s %s %s", where, type, sql)
                                .isNotEmpty();
                    }
                }
                database.close();
            }
        }
    }
}
