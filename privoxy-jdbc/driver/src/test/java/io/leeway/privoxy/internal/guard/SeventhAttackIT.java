package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Ways past the policy that a seventh attacker found, and their relatives: a table of which a hidden column says in which
 * order its rows stand.
 */
class SeventhAttackIT extends Cases {

    private static final String SHOWN =
            "CREATE VIEW tt AS SELECT id, v FROM t;\nCREATE VIEW nn AS SELECT id, i, d, f, b, s%s FROM n;\n";
    private static final String BIG = "100000000000000000000";
    private static final String SWING = "CASE v WHEN 1 THEN " + BIG + " WHEN 2 THEN 1 ELSE -" + BIG + " END";

    private Connection shown(On where) throws SQLException {
        on(where, SHOWN.formatted(where == On.POSTGRESQL ? ", m, g, p" : ""), tables(where));
        Connection connection = connect();
        request(1);
        return connection;
    }

    /** Of numbers of each kind one column. */
    private static String[] tables(On where) {
        String numbers = "i INT, d DECIMAL(10, 2), f DOUBLE PRECISION, b BOOLEAN, s VARCHAR(20)"
                + (where == On.POSTGRESQL ? ", m MONEY, g LSEG, p PATH" : "");
        String values =
                "1, 1.5, 1.5, TRUE, '1'" + (where == On.POSTGRESQL ? ", '3', '[(0,0),(1,1)]', '[(0,0),(1,1)]'" : "");
        return new String[] {
            "CREATE TABLE t (id VARCHAR(10) PRIMARY KEY, v INT NOT NULL, secret INT NOT NULL)",
            "CREATE INDEX hid ON t (secret, v)",
            "INSERT INTO t VALUES ('a', 1, 1), ('b', 2, 2), ('c', 3, 3)",
            "CREATE TABLE n (id INT PRIMARY KEY, secret INT NOT NULL, " + numbers + ")",
            "INSERT INTO n VALUES (1, 1, " + values + ")"
        };
    }

    // --- sums
    // ------------------------------------------------------------------------------------------------------

    @Test
    void noSumIsOfFloatingPointByAnotherThanItsFirstArgument() throws SQLException {
        Connection connection = shown(On.POSTGRESQL);
        String length = "length(CASE v WHEN 1 THEN lseg '[(0,0),(1e20,0)]' ELSE lseg '[(0,0),(1,0)]' END)";
        for (String sum : List.of(
                "SUM(NULLIF(" + SWING + ", 5::float8))",
                "AVG(NULLIF(" + SWING + ", 5::float8))",
                "SUM(NULLIF(" + SWING + ", 5::float8)) OVER ()",
                "SUM(" + length + " * CASE v WHEN 3 THEN -1 ELSE 1 END)",
                "SUM(m / m)",
                "SUM(CASE WHEN m / m > 1 THEN m / m ELSE 1 END)")) {
            assertRefused(connection, "SELECT " + sum + " FROM " + (sum.contains("m /") ? "n" : "t"));
        }
        assertRefused(connection, "SELECT SUM(x) FROM (SELECT NULLIF(" + SWING + ", 5::float8) AS x FROM t) d");
        assertRefused(connection, "SELECT SUM(x) FROM (SELECT lag(v, 0, 5::float8) OVER (ORDER BY id) AS x FROM t) d");
        assertThat(rows(connection, "SELECT SUM(NULLIF(v, 0)), SUM(length(id)), SUM(char_length(id)) FROM t"))
                .hasSize(1);
        assertThat(rows(connection, "SELECT SUM(m), SUM(m * 2), SUM(m / 2), SUM(d / i) FROM n"))
                .hasSize(1);
        assertThat(rows(connection, "SELECT SUM(x) FROM (SELECT lag(v, 1, 0) OVER (ORDER BY id) AS x FROM t) d"))
                .hasSize(1);
    }

    @Test
    void noRestIsOfFloatingPoint() throws SQLException {
        Connection connection = shown(On.MARIADB);
        assertRefused(connection, "SELECT SUM(MOD(" + SWING + ", 1e30)) FROM t");
        assertRefused(connection, "SELECT SUM((" + SWING + ") % 1e30) FROM t");
        assertThat(rows(connection, "SELECT SUM(MOD(v, 2)), SUM(v % 1.5) FROM t"))
                .hasSize(1);
    }

    /** MariaDB has 81 digits while it adds up, of which 65 come out; more are cut to the greatest number. */
    @Test
    void noSumOfDecimalsIsCut() throws SQLException {
        Connection connection = shown(On.MARIADB);
        String nines = "9".repeat(65);
        String swing = "CASE v WHEN 3 THEN -" + nines + " ELSE " + nines + " END";
        for (String sum : List.of(
                "SUM((" + swing + ") * 9999999999999999)",
                "SUM(" + swing + ")",
                "AVG(" + swing + ")",
                "SUM(CAST(v AS DECIMAL(65, 0)))",
                "SUM(ROUND(CASE v WHEN 1 THEN " + "9".repeat(47) + " ELSE 1 END, 38))",
                "SUM(ROUND(CASE v WHEN 1 THEN " + "9".repeat(47) + " ELSE 1 END, v))",
                "SUM(TRUNCATE(CASE v WHEN 1 THEN " + "9".repeat(47) + " ELSE 1 END, 38))",
                "SUM(CASE v WHEN 2 THEN 0." + "1".repeat(38) + " ELSE " + "9".repeat(40) + " END)",
                "SUM(v * 0.00000000000000000001 * 0.00000000000000000001)")) {
            assertRefused(connection, "SELECT " + sum + " FROM t");
            assertRefused(connection, "SELECT MAX(x) FROM (SELECT " + sum + " AS x FROM t GROUP BY v < 5) d");
        }
        String times = "SELECT SUM(x * x * x * x) FROM ";
        assertRefused(connection, times + "(SELECT CAST(v AS DECIMAL(20, 0)) AS x FROM t) d");
        assertRefused(connection, times + "(SELECT DISTINCT CAST(v AS DECIMAL(20, 0)) AS x FROM t) d");
        assertThat(rows(
                        connection,
                        "SELECT SUM(v), AVG(v), SUM(v * 1.5), SUM(v * v * v), SUM(v / 3), SUM(CASE WHEN v = 1 THEN 1 ELSE 0 END),"
                                + " SUM(CAST(v AS DECIMAL(40, 10))), SUM(v > 1) FROM t"))
                .hasSize(1);
        assertThat(rows(connection, "SELECT SUM(d), AVG(d * i), SUM(d * i / 100), SUM(ROUND(d * 1.19, 2)) FROM n"))
                .hasSize(1);
        assertThat(rows(connection, "SELECT SUM(x) FROM (SELECT SUM(v) AS x FROM t GROUP BY id) d"))
                .hasSize(1);
    }

    private static final Map<On, List<String>> CALLS = Map.of(
            On.POSTGRESQL,
            List.of(
                    "length",
                    "char_length",
                    "octet_length",
                    "bit_length",
                    "ascii",
                    "abs",
                    "sign",
                    "round",
                    "trunc",
                    "floor",
                    "ceil",
                    "mod",
                    "nullif",
                    "coalesce",
                    "greatest",
                    "least",
                    "min",
                    "max",
                    "sum",
                    "avg",
                    "any_value",
                    "bit_count",
                    "cardinality",
                    "strpos",
                    "position"),
            On.MARIADB,
            List.of(
                    "length",
                    "char_length",
                    "octet_length",
                    "bit_length",
                    "ascii",
                    "abs",
                    "sign",
                    "round",
                    "truncate",
                    "floor",
                    "ceil",
                    "mod",
                    "nullif",
                    "coalesce",
                    "ifnull",
                    "nvl",
                    "greatest",
                    "least",
                    "min",
                    "max",
                    "sum",
                    "avg",
                    "bit_count",
                    "locate",
                    "instr",
                    "datediff",
                    "year",
                    "month",
                    "second",
                    "week",
                    "quarter",
                    "if",
                    "nvl2"),
            On.H2,
            List.of(
                    "length",
                    "char_length",
                    "octet_length",
                    "bit_length",
                    "ascii",
                    "abs",
                    "sign",
                    "round",
                    "trunc",
                    "floor",
                    "ceil",
                    "mod",
                    "nullif",
                    "coalesce",
                    "greatest",
                    "least",
                    "min",
                    "max",
                    "sum",
                    "avg",
                    "any_value",
                    "bitcount",
                    "locate",
                    "instr",
                    "year",
                    "month",
                    "second",
                    "week",
                    "quarter",
                    "casewhen",
                    "nvl2"));

    /** Whatever a call or an operator is given: what is summed up is no floating point to the database. */
    @ParameterizedTest
    @EnumSource(On.class)
    void whatIsSummedUpIsOfNoFloatingPoint(On where) throws SQLException {
        Connection connection = shown(where);
        int accepted = 0;
        for (String expression : expressions(where)) {
            String sum = "SELECT SUM(x) FROM (SELECT " + expression + " AS x FROM n) z";
            // The sum of constants has no order.
            if (!expression.matches(".*\\b[idfbsmgp]\\b.*") || !isAccepted(connection, sum)) {
                continue;
            }
            accepted++;
            assertThat(typeOf(where, expression)).as(expression).doesNotContain("double", "float", "real");
        }
        assertThat(accepted).isGreaterThan(60);
    }

    private static List<String> expressions(On where) {
        List<String> values = new ArrayList<>(List.of(
                "i", "d", "f", "b", "s", "1", "1.5", "1e1", "'2'", "CAST(2 AS REAL)", "CAST(2 AS DECIMAL(10, 2))"));
        if (where == On.POSTGRESQL) {
            values.addAll(List.of("m", "g", "p"));
        }
        List<String> all = new ArrayList<>();
        for (String call : CALLS.get(where)) {
            for (String one : values) {
                all.add(call + "(" + one + ")");
                for (String two : values) {
                    all.add(call + "(" + one + ", " + two + ")");
                    if (List.of("if", "nvl2", "casewhen", "coalesce").contains(call)) {
                        all.add(call + "(TRUE, " + one + ", " + two + ")");
                    }
                }
            }
        }
        for (String one : values) {
            for (String two : values) {
                for (String operator : List.of("+", "-", "*", "/", "%", "DIV", "&")) {
                    all.add(one + " " + operator + " " + two);
                }
                all.add("CASE WHEN i = 1 THEN " + one + " ELSE " + two + " END");
            }
        }
        return all;
    }

    private static boolean isAccepted(Connection connection, String sql) {
        try {
            rows(connection, sql);
            return true;
        } catch (SQLException refusedOrNotOfTheDatabase) {
            return false;
        }
    }

    /** The database's own name for it. */
    private String typeOf(On where, String expression) throws SQLException {
        if (where == On.POSTGRESQL) {
            return plain("SELECT pg_typeof((SELECT " + expression + " FROM n))");
        }
        elsewhere(
                "DROP TABLE IF EXISTS typed",
                "CREATE TABLE typed AS SELECT " + expression + " AS x FROM n WHERE id < 0");
        return plain("SELECT data_type FROM information_schema.columns WHERE lower(table_name) = 'typed'"
                + (where == On.MARIADB ? " AND table_schema = DATABASE()" : ""));
    }

    private String plain(String sql) throws SQLException {
        try (Connection plain = database.plain()) {
            return rows(plain, sql).get(0).toLowerCase(Locale.ROOT);
        }
    }

    /** A domain may be called like a type, with other letters. */
    @Test
    void aDomainIsNoNumberByItsName() throws SQLException {
        Connection connection = shown(On.POSTGRESQL);
        elsewhere("CREATE DOMAIN \"INTEGER\" AS float8", "CREATE DOMAIN \"int\" AS float8");
        for (String type : List.of("\"INTEGER\"", "\"int\"")) {
            assertRefused(connection, "SELECT SUM(CAST(" + SWING + " AS " + type + ")) FROM t");
            assertRefused(connection, "SELECT SUM((" + SWING + ")::" + type + ") FROM t");
        }
    }

    // --- changes of the schema
    // ------------------------------------------------------------------------------------------------------

    private Connection owned(On where) throws SQLException {
        on(where, """
                CREATE CONTEXT MyUId BIGINT;
                CREATE VIEW tt AS SELECT * FROM t WHERE owner = 0;
                CREATE VIEW ids AS SELECT id FROM t;
                """, new String[] {
            "CREATE TABLE t (id INT PRIMARY KEY, owner INT, secret VARCHAR(20), begun DATE, ended DATE,"
                    + " sure INT NOT NULL)",
            "INSERT INTO t VALUES (1, NULL, 'SECRET', NULL, NULL, 1), (2, 0, 'seen', NULL, NULL, 2)",
            "CREATE SEQUENCE sq"
        });
        Connection connection = connect();
        request(1);
        return connection;
    }

    /** Without strict mode MariaDB makes 0 of it. */
    @Test
    void aNullIsMadeNothingElse() throws SQLException {
        Connection connection = owned(On.MARIADB);
        for (String mode : List.of("", "STRICT_ALL_TABLES")) {
            run(connection, "SET sql_mode = '" + mode + "'");
            for (String change : List.of(
                    "MODIFY owner INT NOT NULL",
                    "MODIFY COLUMN owner BIGINT NOT NULL DEFAULT 0",
                    "MODIFY owner INT DEFAULT 5 COMMENT 'x' NOT NULL",
                    "MODIFY `owner` INT PRIMARY KEY",
                    "MODIFY owner INT KEY",
                    "CHANGE owner owner INT NOT NULL",
                    "DROP PRIMARY KEY, ADD PRIMARY KEY (id, owner)",
                    "DROP PRIMARY KEY, ADD PRIMARY KEY USING BTREE (sure, `owner`)",
                    "DROP PRIMARY KEY, ADD CONSTRAINT pk PRIMARY KEY (OWNER DESC, id)",
                    "DROP PRIMARY KEY, ADD CONSTRAINT PRIMARY KEY (secret(3), id)",
                    "ADD COLUMN x INT, DROP PRIMARY KEY, ADD PRIMARY KEY (id, x, owner)",
                    "ADD PERIOD FOR p (begun, ended)",
                    "MODIFY begun DATE NOT NULL")) {
                assertRefusedWrite(connection, "ALTER TABLE t " + change);
            }
            assertThat(rows(connection, "SELECT secret FROM t WHERE owner = 0")).containsExactly("seen");
        }
        run(
                connection,
                "ALTER TABLE t MODIFY owner BIGINT",
                "ALTER TABLE t MODIFY owner BIGINT NULL UNIQUE KEY",
                "ALTER TABLE t MODIFY sure BIGINT NOT NULL",
                "ALTER TABLE t DROP PRIMARY KEY, ADD PRIMARY KEY (id, sure)",
                "ALTER TABLE t ADD COLUMN fresh INT NOT NULL, DROP PRIMARY KEY, ADD PRIMARY KEY (id, fresh)");
    }

    @Test
    void aNewColumnIsNotNumberedByTheNameOfASequence() throws SQLException {
        Connection connection = owned(On.H2);
        for (String sql : List.of(
                "ALTER TABLE t ADD COLUMN zz INT SEQUENCE sq",
                "ALTER TABLE t ADD zz INT DEFAULT 5 SEQUENCE sq",
                "ALTER TABLE t ADD COLUMN (zz INT DEFAULT 5 SEQUENCE sq, y INT)",
                "ALTER TABLE t ADD COLUMN zz INT DEFAULT 5 NULL_TO_DEFAULT SEQUENCE sq")) {
            assertRefusedWrite(connection, sql);
        }
    }

    @Test
    void noDefaultTakesThePlaceOfNull() throws SQLException {
        Connection connection = owned(On.H2);
        run(connection, "ALTER TABLE t ALTER COLUMN owner SET DEFAULT 0");
        for (String sql : List.of(
                "ALTER TABLE t ALTER COLUMN owner SET DEFAULT ON NULL",
                "ALTER TABLE IF EXISTS t ALTER owner SET DEFAULT ON NULL",
                "ALTER TABLE t ALTER COLUMN owner INT DEFAULT 0 DEFAULT ON NULL",
                "ALTER TABLE t ALTER COLUMN owner INT DEFAULT 0 NULL_TO_DEFAULT",
                "ALTER TABLE t ALTER COLUMN owner INT NOT NULL NULL_TO_DEFAULT",
                "ALTER TABLE t ADD COLUMN z INT DEFAULT 0 DEFAULT ON NULL",
                "CREATE TABLE u (id INT PRIMARY KEY, z INT DEFAULT NEXT VALUE FOR sq DEFAULT ON NULL)",
                "CREATE TABLE u (id INT PRIMARY KEY, z INT DEFAULT 3 NULL_TO_DEFAULT)",
                "CREATE CACHED TABLE u (id INT PRIMARY KEY, z INT DEFAULT 3 DEFAULT ON NULL)",
                "CREATE MEMORY TABLE IF NOT EXISTS u (id INT PRIMARY KEY, z INT DEFAULT ON NULL)")) {
            assertRefusedWrite(connection, sql);
        }
        run(connection, "ALTER TABLE t ADD COLUMN zz INT");
        assertThat(rows(connection, "SELECT secret FROM t WHERE owner = 0")).containsExactly("seen");
    }

    /** Where a NULL is to be none, the others fail and change nothing. */
    @ParameterizedTest
    @EnumSource(
            value = On.class,
            names = {"POSTGRESQL", "H2"})
    void aNullThatIsToBeNoneFails(On where) throws SQLException {
        Connection connection = owned(where);
        String type =
                where == On.H2 ? "ALTER COLUMN owner BIGINT DEFAULT 0 NOT NULL" : "ALTER COLUMN owner SET NOT NULL";
        for (String change : List.of(
                type, "ALTER COLUMN owner SET NOT NULL", "DROP CONSTRAINT t_pkey, ADD PRIMARY KEY (id, owner)")) {
            assertThat(isAccepted(connection, "ALTER TABLE t " + change))
                    .as(change)
                    .isFalse();
        }
        assertThat(rows(connection, "SELECT secret FROM t WHERE owner = 0")).containsExactly("seen");
    }

    /** Of the types' names the schema was read, and of the actions only those right behind the table's name. */
    @ParameterizedTest
    @EnumSource(On.class)
    void whatIsNotUnderstoodOfAChangeOfATableIsRefused(On where) throws SQLException {
        Connection connection = owned(where);
        List<String> before = switch (where) {
            case POSTGRESQL ->
                List.of(
                        "CREATE SCHEMA int8",
                        "CREATE SCHEMA text",
                        "CREATE DOMAIN int8.x AS numeric(10,-3)",
                        "CREATE DOMAIN text.x AS text");
            case MARIADB -> List.of();
            case H2 ->
                List.of(
                        "CREATE SCHEMA int8",
                        "CREATE DOMAIN int8.x AS REAL",
                        "CREATE DOMAIN reset AS REAL",
                        "CREATE DOMAIN \"ADD\" AS REAL",
                        "CREATE DOMAIN restart AS REAL");
        };
        elsewhere(before.toArray(String[]::new));
        List<String> changes = switch (where) {
            case POSTGRESQL ->
                List.of(
                        "t ALTER COLUMN owner TYPE int8.x",
                        "t ALTER COLUMN owner SET DATA TYPE int8 . x",
                        "t ALTER owner TYPE \"int8\".x",
                        "t ALTER COLUMN owner TYPE int8[]",
                        "t ALTER COLUMN secret TYPE text.x",
                        "t ALTER COLUMN owner TYPE owner%TYPE",
                        "t * ALTER COLUMN owner TYPE numeric(10,-3)",
                        "t* ALTER COLUMN owner TYPE int8",
                        "ONLY (t) ALTER COLUMN owner TYPE numeric(10,-3)",
                        "t * ADD COLUMN fresh INT",
                        "ONLY (t) ADD COLUMN fresh INT");
            case MARIADB ->
                List.of(
                        "t WAIT 5 MODIFY secret VARCHAR(20) COLLATE utf8mb4_general_ci",
                        "t NOWAIT MODIFY owner DECIMAL(3)",
                        "t NOWAIT MODIFY owner SMALLINT UNSIGNED",
                        "t WAIT 1 ADD COLUMN (n1 INT AUTO_INCREMENT UNIQUE)",
                        "t FRESH, MODIFY owner DECIMAL(3)",
                        "t `x`='y', MODIFY owner DECIMAL(3)");
            case H2 ->
                List.of(
                        "t ALTER COLUMN owner int8.x",
                        "t ALTER COLUMN owner SET DATA TYPE int8.x",
                        "t ALTER COLUMN owner reset",
                        "t ALTER COLUMN owner restart",
                        "t ALTER COLUMN owner \"ADD\"",
                        "t ALTER COLUMN owner add",
                        "t ALTER COLUMN owner BIGINT ARRAY");
        };
        for (String change : changes) {
            assertRefusedWrite(connection, "ALTER TABLE " + change);
        }
        List<String> plain = switch (where) {
            case POSTGRESQL ->
                List.of(
                        "ALTER COLUMN owner TYPE int8",
                        "ALTER COLUMN owner SET DATA TYPE bigint, ALTER secret SET DEFAULT 'x'",
                        "ALTER COLUMN owner SET STATISTICS 100",
                        "ALTER COLUMN owner RESET (n_distinct)",
                        "SET (fillfactor = 70, autovacuum_enabled = false)",
                        "ADD COLUMN fresh INT, DROP COLUMN fresh2",
                        "CLUSTER ON t_pkey");
            case MARIADB ->
                List.of(
                        "WAIT 5 MODIFY owner BIGINT",
                        "NOWAIT ADD COLUMN fresh INT",
                        "ENGINE=InnoDB ROW_FORMAT=DYNAMIC, COMMENT 'x', ADD INDEX (sure)",
                        "FORCE, ALGORITHM=COPY");
            case H2 ->
                List.of(
                        "ALTER COLUMN owner BIGINT",
                        "ALTER COLUMN owner SET DATA TYPE BIGINT",
                        "ALTER COLUMN owner SELECTIVITY 10",
                        "ADD COLUMN (fresh INT, fresh2 INT)",
                        "DROP COLUMN fresh, fresh2");
        };
        elsewhere(where == On.POSTGRESQL ? "ALTER TABLE t ADD COLUMN fresh2 INT" : "CREATE TABLE unused (id INT)");
        for (String change : plain) {
            run(connection, "ALTER TABLE t " + change);
        }
    }

    /** The same where a column that is added takes the place of one that the policy compares. */
    @ParameterizedTest
    @EnumSource(On.class)
    void noColumnThatThePolicyComparesIsMadeAnewBehindSomethingElse(On where) throws SQLException {
        Connection connection = owned(where);
        elsewhere("ALTER TABLE t DROP COLUMN owner");
        for (String between : List.of("", "* ", "WAIT 1 ", "NOWAIT ")) {
            assertThat(isAccepted(connection, "ALTER TABLE t " + between + "ADD COLUMN owner INT DEFAULT 0"))
                    .as(between)
                    .isFalse();
        }
    }

    @Test
    void triggersThatEnforceAreNotSwitchedOff() throws SQLException {
        Connection connection = owned(On.POSTGRESQL);
        for (String sql : List.of(
                "ALTER TABLE t DISABLE TRIGGER ALL",
                "ALTER TABLE t DISABLE TRIGGER \"RI_ConstraintTrigger_c_16400\"",
                "ALTER TABLE t ADD COLUMN x INT, DISABLE TRIGGER ALL",
                "ALTER TABLE t ENABLE REPLICA TRIGGER \"RI_ConstraintTrigger_c_16400\"",
                "CREATE STATISTICS s ON (10 / (owner - 2)) FROM t",
                "CREATE STATISTICS s (ndistinct) ON owner, (10 / owner) FROM t",
                "CREATE STATISTICS s ON lower(secret) FROM t")) {
            assertRefusedWrite(connection, sql);
        }
        run(
                connection,
                "ALTER TABLE t DISABLE TRIGGER USER",
                "ALTER TABLE t ENABLE TRIGGER USER",
                "CREATE STATISTICS s (ndistinct) ON owner, secret FROM t");
    }

    /** MariaDB 11.4.5 ended at it. */
    @Test
    void noTableIsMadeOfRowsThatASequenceNumbers() throws SQLException {
        Connection connection = owned(On.MARIADB);
        for (String value : List.of("(NEXT VALUE FOR sq)", "nextval(sq)", "(1 + NEXT VALUE FOR sq)")) {
            assertRefusedWrite(connection, "CREATE TABLE made (n BIGINT DEFAULT " + value + ") SELECT id FROM t");
            assertRefusedWrite(connection, "CREATE TABLE made (n BIGINT DEFAULT " + value + ") AS SELECT id FROM t");
        }
        run(connection, "CREATE TABLE made (n BIGINT DEFAULT 3) SELECT id FROM t");
    }

    /** What stands between the table's name and its query was not looked at. */
    @Test
    void noTableIsMadeThatShowsAnothersRows() throws SQLException {
        Connection connection = owned(On.MARIADB);
        elsewhere(
                "CREATE TABLE hidden (id INT, secret VARCHAR(20)) ENGINE=MyISAM",
                "INSERT INTO hidden VALUES (1, 'SECRET')");
        for (String options : List.of(
                "ENGINE=MERGE UNION=(hidden)",
                "ENGINE MRG_MYISAM UNION (hidden) INSERT_METHOD=LAST",
                "UNION=(hidden) ENGINE=MERGE",
                "ENGINE=CSV")) {
            String table = "CREATE TABLE shown (id INT, secret VARCHAR(20)) " + options;
            assertRefusedWrite(connection, table);
            assertRefusedWrite(connection, table + " SELECT 1 AS id");
            assertRefusedWrite(connection, table + " AS SELECT 1 AS id");
            assertRefusedWrite(connection, "CREATE TABLE shown " + options + " IGNORE SELECT 1 AS id");
        }
        run(connection, "CREATE TABLE own (id INT, PRIMARY KEY (id)) ENGINE=InnoDB COMMENT='x' SELECT id FROM t");
    }

    @Test
    void theHistoryOfATableIsNoTable() throws SQLException {
        Connection connection = owned(On.MARIADB);
        elsewhere("ALTER TABLE t ADD SYSTEM VERSIONING", "UPDATE t SET secret = 'x' WHERE id = 1");
        for (String sql : List.of(
                "DELETE HISTORY FROM t",
                "DELETE LOW_PRIORITY QUICK HISTORY FROM t",
                "delete /* x */ history\nFROM t")) {
            assertRefusedWrite(connection, sql);
        }
    }

    // --- false refusals
    // ------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(On.class)
    void aColumnIsGroupedByUnderItsPlainName(On where) throws SQLException {
        Connection connection = shown(where);
        for (String sql : List.of(
                "SELECT v, COUNT(*) FROM t GROUP BY v",
                "SELECT id, COUNT(*) FROM t GROUP BY id HAVING COUNT(*) > 0 ORDER BY id",
                "SELECT v, COUNT(*) FROM t GROUP BY v ORDER BY v DESC",
                "SELECT v + 1, COUNT(*) FROM t GROUP BY v",
                "SELECT v AS x, COUNT(*) FROM t GROUP BY v")) {
            assertThat(rows(connection, sql)).as(sql).hasSize(3);
        }
    }

    /** The length of a segment has a fraction, so that more than 1 is not at least 2. */
    @Test
    void aLengthOfGeometryIsNoWholeNumber() throws SQLException {
        on(On.POSTGRESQL, "CREATE VIEW far AS SELECT * FROM places WHERE length(g) >= 2;", new String[] {
            "CREATE TABLE places (id INT PRIMARY KEY, g LSEG)",
            "INSERT INTO places VALUES (1, '[(0,0),(1.5,0)]'), (2, '[(0,0),(2,0)]')"
        });
        Connection connection = connect();
        request(1);
        assertRefused(connection, "SELECT id FROM places WHERE length(g) > 1");
    }

    // --- work that grows faster than the text
    // ------------------------------------------------------------------------------------------------------

    /** Each took minutes; the limit is far above what they take now on a busy machine. */
    @Test
    @Timeout(120)
    void namesThatDoubleTheirRowsAreRefusedSoon() throws SQLException {
        Connection connection = shown(On.H2);
        for (int levels = 7; levels <= 10; levels++) {
            var sql = new StringBuilder("WITH a0 AS (SELECT id, secret FROM n)");
            for (int i = 1; i <= levels; i++) {
                sql.append(", a")
                        .append(i)
                        .append(" AS (SELECT x.id, x.secret FROM a")
                        .append(i - 1);
                sql.append(" x JOIN a").append(i - 1).append(" y ON x.id = y.secret)");
            }
            assertRefused(connection, sql + " SELECT * FROM a" + levels);
        }
    }
}
