package io.leeway.lazybase;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The questions of DBeaver when it connects and opens its tree, and those of Grafana's editor, in the forms that their sources have. */
class ToolCatalogueTest {

    @TempDir
    static Path directory;

    private static LazyBaseServer server;
    private static Connection connection;

    @BeforeAll
    static void start() throws SQLException {
        server = LazyBaseServer.start(LazyBaseOptions.of(Map.of(
                "lazybase.directory", directory.toString(), "lazybase.pg.port", "0", "lazybase.web.port", "-1")));
        connection = DriverManager.getConnection(server.jdbcUrl(), "me", "");
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE trips (id bigint PRIMARY KEY, city varchar(40) NOT NULL, at timestamptz, fare numeric(8,2))");
            statement.execute("CREATE INDEX trips_by_city ON trips (city)");
            statement.execute("INSERT INTO trips VALUES (1, 'Rome', '2026-03-01T10:00:00Z', 3.5),"
                    + " (2, 'Oslo', '2026-03-01T10:07:00Z', 4), (3, 'Rome', '2026-03-01T11:00:00Z', 5)");
        }
    }

    @AfterAll
    static void stop() throws SQLException {
        connection.close();
        server.close();
    }

    private static List<String> ask(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return rows(result);
        }
    }

    private static List<String> rows(ResultSet result) throws SQLException {
        var rows = new ArrayList<String>();
        while (result.next()) {
            var row = new ArrayList<String>();
            for (int c = 1; c <= result.getMetaData().getColumnCount(); c++) {
                row.add(String.valueOf(result.getString(c)));
            }
            rows.add(String.join("|", row));
        }
        return rows;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT current_schema(), session_user",
                "SHOW search_path",
                "SELECT version()",
                "SELECT db.oid, db.* FROM pg_catalog.pg_database db WHERE datallowconn AND NOT datistemplate"
                        + " OR db.datname = 'lazybase' ORDER BY db.datname",
                "SELECT r.oid, r.* FROM pg_catalog.pg_roles r ORDER BY r.oid",
                "SELECT n.oid, n.*, d.description FROM pg_catalog.pg_namespace n"
                        + " LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid=n.oid ORDER BY nspname",
                "SELECT n.oid, n.*, d.description FROM pg_catalog.pg_namespace n LEFT OUTER JOIN"
                        + " pg_catalog.pg_description d ON d.objoid=n.oid AND d.objsubid=0 AND"
                        + " d.classoid='pg_namespace'::regclass ORDER BY nspname",
                "SELECT t.oid,t.*,c.relkind,format_type(nullif(t.typbasetype, 0), t.typtypmod) as base, d.description"
                        + " FROM pg_catalog.pg_type t LEFT OUTER JOIN pg_catalog.pg_class c ON c.oid=t.typrelid"
                        + " LEFT OUTER JOIN pg_catalog.pg_description d ON t.oid=d.objoid"
                        + " WHERE t.typname IS NOT NULL AND (c.relkind IS NULL OR c.relkind = 'c')",
                "SELECT c.oid,c.*,d.description,pg_catalog.pg_get_expr(c.relpartbound, c.oid) as bound,"
                        + " pg_catalog.pg_get_partkeydef(c.oid) as partkey FROM pg_catalog.pg_class c LEFT OUTER JOIN"
                        + " pg_catalog.pg_description d ON d.objoid=c.oid AND d.objsubid=0 AND"
                        + " d.classoid='pg_class'::regclass WHERE c.relnamespace=2200 AND c.relkind not in ('i','I','c')",
                "SELECT i.*,i.indkey as keys,c.relname,c.relnamespace,c.relam,c.reltablespace,tc.relname as tabrelname,"
                        + "dsc.description,pg_catalog.pg_get_expr(i.indpred, i.indrelid) as pred,"
                        + "pg_catalog.pg_get_expr(i.indexprs, i.indrelid, true) as expr,"
                        + "pg_catalog.pg_relation_size(i.indexrelid) as size FROM pg_catalog.pg_index i"
                        + " INNER JOIN pg_catalog.pg_class c ON c.oid=i.indexrelid INNER JOIN pg_catalog.pg_class tc ON"
                        + " tc.oid=i.indrelid LEFT OUTER JOIN pg_catalog.pg_description dsc ON i.indexrelid=dsc.objoid"
                        + " WHERE c.relnamespace=2200 ORDER BY tabrelname, c.relname",
                "SELECT c.oid,c.*,t.relname as tabrelname,rt.relnamespace as refnamespace,d.description,"
                        + " case when c.contype='c' then \"substring\"(pg_get_constraintdef(c.oid), 7) else null end text"
                        + " FROM pg_catalog.pg_constraint c INNER JOIN pg_catalog.pg_class t ON t.oid=c.conrelid"
                        + " LEFT OUTER JOIN pg_catalog.pg_class rt ON rt.oid=c.confrelid LEFT OUTER JOIN"
                        + " pg_catalog.pg_description d ON d.objoid=c.oid AND d.objsubid=0 AND"
                        + " d.classoid='pg_constraint'::regclass WHERE t.relnamespace=2200 ORDER BY c.oid",
            })
    void dbeaversQuestionsHaveAnswers(String sql) throws SQLException {
        assertThat(ask(sql)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT m.oid, m.* FROM pg_catalog.pg_am m ORDER BY m.oid",
                "SELECT l.oid, l.* FROM pg_catalog.pg_language l ORDER BY l.oid",
                "SELECT t.oid, t.* FROM pg_catalog.pg_tablespace t ORDER BY t.oid",
                "SELECT c.contoencoding as id,pg_catalog.pg_encoding_to_char(c.contoencoding) as name"
                        + " FROM pg_catalog.pg_conversion c GROUP BY c.contoencoding ORDER BY 2",
                "SELECT w.oid,w.*,p.pronamespace as handler FROM pg_catalog.pg_foreign_data_wrapper w LEFT OUTER JOIN"
                        + " pg_catalog.pg_proc p ON p.oid=w.fdwhandler ORDER BY w.fdwname",
                "SELECT s.oid, s.* FROM pg_catalog.pg_foreign_server s ORDER BY s.srvname",
                "SELECT e.oid,e.extname,n.nspname as schema_name,e.extversion FROM pg_catalog.pg_extension e JOIN"
                        + " pg_namespace n ON n.oid=e.extnamespace ORDER BY e.oid",
                "SELECT p.oid,p.*,d.description FROM pg_catalog.pg_proc p LEFT OUTER JOIN pg_catalog.pg_description d"
                        + " ON d.objoid=p.oid WHERE p.pronamespace=2200 ORDER BY p.proname",
                "SELECT x.oid,x.* FROM pg_catalog.pg_trigger x WHERE x.tgrelid=1 AND NOT x.tgisinternal",
                "SELECT e.oid, e.* FROM pg_catalog.pg_enum e ORDER BY e.enumtypid, e.oid",
                "SELECT i.inhseqno, c.relnamespace, c.oid FROM pg_catalog.pg_inherits i, pg_catalog.pg_class c"
                        + " WHERE i.inhparent=c.oid AND i.inhrelid=5 ORDER BY i.inhseqno",
            })
    void dbeaversQuestionsOfWhatIsNotThereAreNoErrors(String sql) throws SQLException {
        assertThat(ask(sql)).isNotNull();
    }

    @Test
    void dbeaverSeesColumnsOfATable() throws SQLException {
        String sql = "SELECT c.relname,a.*,pg_catalog.pg_get_expr(ad.adbin, ad.adrelid, true) as def_value,"
                + "dsc.description,dep.objid FROM pg_catalog.pg_attribute a INNER JOIN pg_catalog.pg_class c ON"
                + " (a.attrelid=c.oid) LEFT OUTER JOIN pg_catalog.pg_attrdef ad ON (a.attrelid=ad.adrelid AND"
                + " a.attnum = ad.adnum) LEFT OUTER JOIN pg_catalog.pg_description dsc ON (c.oid=dsc.objoid AND"
                + " a.attnum = dsc.objsubid) LEFT OUTER JOIN pg_depend dep on dep.refobjid = a.attrelid AND"
                + " dep.deptype = 'i' and dep.refobjsubid = a.attnum and dep.classid = dep.refclassid WHERE NOT"
                + " a.attisdropped AND c.relkind not in ('i','I','c') AND c.oid=? ORDER BY a.attnum";
        long oid = Long.parseLong(
                ask("SELECT oid FROM pg_class WHERE relname = 'trips'").get(0));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, oid);
            try (ResultSet result = statement.executeQuery()) {
                var names = new ArrayList<String>();
                while (result.next()) {
                    names.add(result.getString("attname") + " " + result.getInt("attnum"));
                }
                assertThat(names).containsExactly("id 1", "city 2", "at 3", "fare 4");
            }
        }
    }

    private static final String SEARCH_PATH = "quote_ident(table_schema) IN (SELECT CASE WHEN trim(s[i]) = '\"$user\"'"
            + " THEN user ELSE trim(s[i]) END FROM generate_series(array_lower(string_to_array(current_setting("
            + "'search_path'),','),1), array_upper(string_to_array(current_setting('search_path'),','),1)) as i,"
            + " string_to_array(current_setting('search_path'),',') s)";

    @Test
    void grafanasEditorFindsTablesAndColumns() throws SQLException {
        assertThat(ask("SELECT current_setting('server_version_num')::int/100 as version"))
                .containsExactly("1500");
        assertThat(ask("SELECT extversion FROM pg_extension WHERE extname = 'timescaledb'"))
                .isEmpty();
        assertThat(ask("SELECT schema_name AS \"name\" FROM information_schema.schemata WHERE schema_name NOT IN"
                        + " ('information_schema', 'pg_catalog', 'pg_toast') ORDER BY schema_name"))
                .containsExactly("public");
        assertThat(ask("SELECT CASE WHEN " + SEARCH_PATH + " THEN quote_ident(table_name) ELSE"
                        + " quote_ident(table_schema) || '.' || quote_ident(table_name) END AS \"table\" FROM"
                        + " information_schema.tables WHERE quote_ident(table_schema) NOT IN ('information_schema',"
                        + " 'pg_catalog') ORDER BY CASE WHEN " + SEARCH_PATH + " THEN 0 ELSE 1 END, 1"))
                .containsExactly("trips");
        assertThat(ask("SELECT quote_ident(table_name) AS \"table\" FROM information_schema.tables WHERE"
                        + " quote_ident(table_schema) = 'public' ORDER BY 1"))
                .containsExactly("trips");
        assertThat(ask("SELECT quote_ident(column_name) AS \"column\", data_type AS \"type\" FROM"
                        + " information_schema.columns WHERE CASE WHEN array_length(parse_ident('trips'),1) = 2 THEN"
                        + " quote_ident(table_schema) = (parse_ident('trips'))[1] AND quote_ident(table_name) ="
                        + " (parse_ident('trips'))[2] ELSE quote_ident(table_name) = 'trips' AND " + SEARCH_PATH
                        + " END"))
                .containsExactlyInAnyOrder(
                        "id|bigint", "city|character varying", "at|timestamp with time zone", "fare|numeric");
    }

    @Test
    void grafanasMacrosAsTheyAreExpanded() throws SQLException {
        assertThat(ask(
                        "SELECT floor(extract(epoch from at)/300)*300 AS \"time\", city AS metric, avg(fare) AS fare FROM"
                                + " trips WHERE at BETWEEN '2026-03-01T09:00:00Z' AND '2026-03-01T12:00:00Z' GROUP BY 1, 2"
                                + " ORDER BY 1, 2"))
                .hasSize(3);
        assertThat(ask("SELECT extract(epoch from at) as \"time\", fare FROM trips WHERE extract(epoch from at) >="
                        + " 1772355600 AND extract(epoch from at) <= 1772366400 ORDER BY 1 LIMIT 50"))
                .hasSize(3);
    }
}
