package io.leeway.lazybase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What tools ask before they show anything: the statements of psql 15 and SQLAlchemy 2 as PostgreSQL 15 got them, and pgjdbc's metadata. */
class CatalogueTest {

    private static final Pattern PARAMETER = Pattern.compile("-- \\$(\\d+) = '(.*)'");

    @TempDir
    static Path directory;

    private static LazyBaseServer server;
    private static Connection connection;

    @BeforeAll
    static void start() throws Exception {
        server = LazyBaseServer.start(LazyBaseOptions.of(Map.of(
                "lazybase.directory", directory.resolve("data").toString(),
                "lazybase.pg.port", "0",
                "lazybase.web.port", "-1")));
        var properties = new Properties();
        properties.setProperty("user", "me");
        connection = DriverManager.getConnection(server.jdbcUrl(), properties);
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE tweets (id int8 PRIMARY KEY, author int4 NOT NULL, said varchar(140),"
                    + " cost numeric(10,2), at timestamptz)");
            statement.execute("CREATE INDEX tweets_by_author ON tweets (author)");
            statement.execute("CREATE TABLE pairs (a int4, b text, v float8, PRIMARY KEY (a, b))");
            statement.execute("INSERT INTO tweets VALUES (1, 2, 'x', 3.5, '2026-03-01T10:00:00Z'),"
                    + " (2, 2, 'y', 1.25, '2026-03-01T11:10:00Z'), (3, 1, NULL, NULL, NULL)");
        }
    }

    @AfterAll
    static void stop() throws SQLException {
        connection.close();
        server.close();
    }

    private static List<String> rows(ResultSet result, String... columns) throws SQLException {
        var rows = new ArrayList<String>();
        while (result.next()) {
            var row = new ArrayList<String>();
            for (String column : columns) {
                row.add(result.getString(column));
            }
            rows.add(String.join("|", row));
        }
        result.close();
        return rows;
    }

    private static List<String> query(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            var names = new ArrayList<String>();
            for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                names.add(result.getMetaData().getColumnLabel(i));
            }
            List<String> rows = rows(result, names.toArray(String[]::new));
            rows.add(0, String.join("|", names));
            return rows;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"psql.sql", "sqlalchemy.sql"})
    void everyStatementThatAClientSendsIsAnswered(String recorded) throws Exception {
        String tweets = query("SELECT 'tweets'::regclass::oid").get(1);
        String index = query("SELECT 'tweets_by_author'::regclass::oid").get(1);
        var refused = new ArrayList<String>();
        for (String each : resource(recorded).split("\n====\n")) {
            String text = each.replace("16385", tweets).replace("16390", index).replace("16391", tweets);
            var values = new ArrayList<String>();
            Matcher matcher = PARAMETER.matcher(text);
            while (matcher.find()) {
                values.add(matcher.group(2).replace("''", "'"));
            }
            var order = new ArrayList<Integer>();
            Matcher places = Pattern.compile("\\$(\\d+)").matcher(text.replaceAll("(?m)^-- .*\n", ""));
            String sql = places.replaceAll(place -> {
                order.add(Integer.parseInt(place.group(1)));
                return "?";
            });
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < order.size(); i++) {
                    statement.setObject(i + 1, values.get(order.get(i) - 1), Types.OTHER);
                }
                statement.executeQuery().close();
            } catch (SQLException e) {
                refused.add(e.getMessage() + " " + sql);
            }
        }
        assertThat(refused).isEmpty();
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = CatalogueTest.class.getResourceAsStream(name)) {
            assertThat(in).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void theDriverTellsOfTablesColumnsAndKeys() throws SQLException {
        DatabaseMetaData meta = connection.getMetaData();
        assertThat(rows(meta.getTables(null, "public", "%", new String[] {"TABLE"}), "TABLE_NAME", "TABLE_TYPE"))
                .containsExactly("pairs|TABLE", "tweets|TABLE");
        assertThat(rows(
                        meta.getColumns(null, null, "tweets", "%"),
                        "COLUMN_NAME",
                        "TYPE_NAME",
                        "COLUMN_SIZE",
                        "DECIMAL_DIGITS",
                        "IS_NULLABLE"))
                .containsExactly(
                        "id|int8|19|0|NO",
                        "author|int4|10|0|NO",
                        "said|varchar|140|0|YES",
                        "cost|numeric|10|2|YES",
                        "at|timestamptz|35|6|YES");
        assertThat(rows(meta.getPrimaryKeys(null, "public", "pairs"), "COLUMN_NAME", "KEY_SEQ", "PK_NAME"))
                .containsExactly("a|1|pairs_pkey", "b|2|pairs_pkey");
        assertThat(rows(
                        meta.getIndexInfo(null, "public", "tweets", false, false),
                        "INDEX_NAME",
                        "ORDINAL_POSITION",
                        "COLUMN_NAME",
                        "NON_UNIQUE"))
                .containsExactly("tweets_pkey|1|id|f", "tweets_by_author|1|author|t", "tweets_by_author|2|id|t");
        assertThat(rows(meta.getSchemas(), "TABLE_SCHEM"))
                .containsExactly("information_schema", "pg_catalog", "public");
        assertThat(rows(meta.getCatalogs(), "TABLE_CAT")).containsExactly("lazybase");
        assertThat(rows(meta.getImportedKeys(null, "public", "tweets"), "FK_NAME"))
                .isEmpty();
        assertThat(rows(meta.getBestRowIdentifier(null, "public", "tweets", 2, true), "COLUMN_NAME"))
                .containsExactly("id");
        assertThat(rows(meta.getTypeInfo(), "TYPE_NAME")).contains("int8", "numeric", "timestamptz", "uuid");
        assertThat(meta.getSQLKeywords()).isNotEmpty();
    }

    @Test
    void aResultSaysWhichColumnItComesFrom() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT array_agg(id ORDER BY id DESC) FROM tweets")) {
            assertThat(result.next()).isTrue();
            assertThat((Object[]) result.getArray(1).getArray()).containsExactly(3L, 2L, 1L);
        }
    }

    /** Forms that Grafana, Metabase, Superset and people at dashboards use. */
    @Test
    void dashboardsGetTheirFormsOfSql() throws SQLException {
        assertThat(query("SELECT date_trunc('hour', at) AS t, count(*) FROM tweets WHERE at IS NOT NULL GROUP BY 1"
                        + " ORDER BY 1"))
                .containsExactly("t|count", "2026-03-01 10:00:00|1", "2026-03-01 11:00:00|1");
        assertThat(query("SELECT date_trunc('week', at) FROM tweets WHERE id = 1"))
                .contains("2026-02-23 00:00:00");
        assertThat(query("SELECT id FROM tweets WHERE at BETWEEN '2026-03-01T09:00:00Z' AND '2026-03-01T12:30:00+02:00'"
                        + " ORDER BY 1"))
                .containsExactly("id", "1");
        assertThat(query("SELECT at + interval '1 day 2 hours' AS later FROM tweets WHERE id = 1"))
                .containsExactly("later", "2026-03-02 12:00:00");
        assertThat(query(
                        "SELECT CASE WHEN cost > 1 THEN 'big' ELSE 'small' END AS size, count(*) FROM tweets GROUP BY 1"
                                + " ORDER BY 1"))
                .containsExactly("size|count", "big|2", "small|1");
        assertThat(query("SELECT id, sum(id) OVER (ORDER BY id) FROM tweets ORDER BY 1"))
                .containsExactly("id|sum", "1|1", "2|3", "3|6");
        assertThat(query("SELECT avg(cost)::numeric(10,2), to_char(max(at), 'YYYY-MM-DD') FROM tweets"))
                .containsExactly("avg|to_char", "2.38|2026-03-01");
        assertThat(query("SELECT g FROM generate_series(1, 3) g")).containsExactly("g", "1", "2", "3");
        assertThat(query("SELECT count(*) FROM tweets WHERE id = ANY('{1,3}')")).containsExactly("count", "2");
        assertThat(query("SELECT count(*) FROM tweets WHERE id <> ALL(ARRAY[1,3])"))
                .containsExactly("count", "1");
        assertThat(query("SELECT bool_and(id > 0), bool_or(id > 2) FROM tweets"))
                .contains("t|t");
    }

    @Test
    void aSavepointTakesBackWhatCameAfterIt() throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO pairs VALUES (1, 'kept', 1)");
            Savepoint point = connection.setSavepoint("here");
            statement.execute("INSERT INTO pairs VALUES (2, 'taken back', 2)");
            assertThat(org.assertj.core.api.Assertions.catchThrowable(
                            () -> statement.execute("INSERT INTO nowhere VALUES (1)")))
                    .isNotNull();
            connection.rollback(point);
            statement.execute("INSERT INTO pairs VALUES (3, 'kept', 3)");
            connection.commit();
        } finally {
            connection.setAutoCommit(true);
        }
        assertThat(query("SELECT a, b FROM pairs ORDER BY a")).containsExactly("a|b", "1|kept", "3|kept");
    }
}
