package io.leeway.lazybase;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/**
 * The same statements on LazyBase and on DuckDB, with the same answers, while stages run. A stale answer is compared with what DuckDB had after
 * the last commit that the answer says it has.
 */
class DuckDbTest {

    private static final List<String> BOUNDS = List.of("any", "100 ms", "1 s", "freshest within 5 ms");

    private static final List<String> QUERIES = List.of(
            "SELECT k, a, s FROM t WHERE k BETWEEN %1$d AND %1$d + 20",
            "SELECT count(*), count(a), sum(a), min(a), max(a) FROM t WHERE a > %1$d",
            "SELECT s, count(*), sum(a) FROM t GROUP BY s HAVING count(*) > 2",
            "SELECT count(*) FROM t WHERE s = 'w%2$d' OR a IS NULL",
            "SELECT x.k, y.s FROM t x JOIN t y ON x.k = y.k + 1 WHERE x.a < %1$d",
            "SELECT k FROM t WHERE k IN (%1$d, %1$d + 3, %2$d) AND s IS NOT NULL",
            "SELECT k, s FROM t WHERE s LIKE 'w%2$d%%' ORDER BY k LIMIT 7",
            "SELECT count(DISTINCT s) FROM t",
            "SELECT k, row_number() OVER (PARTITION BY s ORDER BY k) FROM t WHERE a > %1$d",
            "SELECT k FROM t WHERE a = (SELECT max(a) FROM t)",
            "SELECT c, count(*) FROM (SELECT CASE WHEN a > %1$d THEN 'high' ELSE 'low' END AS c FROM t"
                    + " WHERE a IS NOT NULL) q GROUP BY c");

    @Test
    void answersAreThoseOfDuckDb(@TempDir Path directory) throws SQLException {
        RandomGenerator random = Seeds.random("duckdb");
        var options = Map.of(
                "lazybase.directory", directory.toString(),
                "lazybase.pg.port", "0",
                "lazybase.web.port", "-1",
                "lazybase.scu.age", "50ms",
                "lazybase.merge.fan-out", "2",
                "lazybase.authority.interval", "100ms");
        try (LazyBaseServer server = LazyBaseServer.start(LazyBaseOptions.of(options));
                Connection lazy = DriverManager.getConnection(server.jdbcUrl(), "me", "");
                Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement lazyStatement = lazy.createStatement();
                Statement duckStatement = duck.createStatement()) {
            for (Statement each : List.of(lazyStatement, duckStatement)) {
                each.execute("CREATE TABLE t (k bigint PRIMARY KEY, a bigint, s varchar)");
            }
            lazyStatement.execute("CREATE INDEX t_by_s ON t (s)");
            lazyStatement.execute("SET lazybase.monotonic = off");
            var versions = new TreeMap<CommitToken, String>();
            remember(versions, CommitToken.NONE, duckStatement);
            for (int round = 0; round < Depth.of(12, 500); round++) {
                for (String[] change : changes(random)) {
                    lazyStatement.execute(change[0]);
                    duckStatement.execute(change[1]);
                    remember(versions, token(lazy, "lazybase.commit_token"), duckStatement);
                }
                for (String query : QUERIES) {
                    String sql = String.format(java.util.Locale.ROOT, query, random.nextInt(100), random.nextInt(6));
                    assertThat(rows(lazyStatement, sql)).as(sql).isEqualTo(rows(duckStatement, sql));
                    String bound = BOUNDS.get(random.nextInt(BOUNDS.size()));
                    List<String> stale = rows(lazyStatement, "/*+ freshness('" + bound + "') */ " + sql);
                    String then = versions.floorEntry(token(lazy, "lazybase.snapshot"))
                            .getValue();
                    assertThat(stale)
                            .as(bound + ": " + sql)
                            .isEqualTo(rows(duckStatement, sql.replaceAll("(FROM|JOIN) t\\b", "$1 " + then)));
                }
            }
        }
    }

    private static CommitToken token(Connection connection, String name) throws SQLException {
        String text = connection.unwrap(PGConnection.class).getParameterStatus(name);
        String[] parts = String.valueOf(text).split("\\.");
        return new CommitToken(Long.parseLong(parts[0]), Integer.parseInt(parts[1]));
    }

    /** Keeps what DuckDB has after a commit. */
    private static void remember(Map<CommitToken, String> versions, CommitToken token, Statement duck)
            throws SQLException {
        String name = "t_" + versions.size() + "_" + token.scu();
        String before = versions.put(token, name);
        if (before != null) {
            // It changed nothing, so it was no commit.
            versions.put(token, before);
        } else {
            duck.execute("CREATE TABLE " + name + " AS SELECT * FROM t");
        }
    }

    /** Statements for LazyBase and for DuckDB. */
    private static List<String[]> changes(RandomGenerator random) {
        var values = new ArrayList<String>();
        for (int i = 0; i < 20; i++) {
            long key = (long) i * 5 + random.nextInt(5);
            String a = random.nextInt(6) == 0 ? "NULL" : Integer.toString(random.nextInt(100));
            String s = random.nextInt(6) == 0 ? "NULL" : "'w" + random.nextInt(6) + "'";
            values.add("(" + key + ", " + a + ", " + s + ")");
        }
        String rows = "INTO t VALUES " + String.join(",", values);
        String update = "UPDATE t SET a = a + 1, s = 'w" + random.nextInt(6) + "' WHERE k % 7 = " + random.nextInt(7);
        String delete = "DELETE FROM t WHERE k = " + random.nextInt(100);
        return List.of(
                new String[] {"INSERT " + rows, "INSERT OR REPLACE " + rows},
                new String[] {update.replace("k % 7", "mod(k, 7)"), update},
                new String[] {delete, delete});
    }

    private static List<String> rows(Statement statement, String sql) throws SQLException {
        var rows = new ArrayList<String>();
        try (ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                var row = new ArrayList<String>();
                for (int c = 1; c <= result.getMetaData().getColumnCount(); c++) {
                    row.add(result.getString(c));
                }
                rows.add(row.toString());
            }
        }
        Collections.sort(rows);
        return rows;
    }
}
