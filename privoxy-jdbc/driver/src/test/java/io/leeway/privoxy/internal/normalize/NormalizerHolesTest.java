package io.leeway.privoxy.internal.normalize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.UnsupportedSqlException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ways around a checker that were found open in a peer, and others like them: each asks for what it tells, or is refused. */
class NormalizerHolesTest {

    private final Fixture postgres = Fixture.social(Dialect.POSTGRESQL);
    private final Fixture mariadb = Fixture.social(Dialect.MARIADB);
    private final Fixture h2 = Fixture.social(Dialect.H2);

    private void asks(String sql, String... obligations) {
        assertThat(postgres.obligations(sql)).as(sql).containsExactly(obligations);
    }

    private static void refuses(Fixture fixture, String... statements) {
        for (String sql : statements) {
            assertThatThrownBy(() -> fixture.plan(sql)).as(sql).isInstanceOf(UnsupportedSqlException.class);
        }
    }

    // --- found in the peer -------------------------------------------------------------------------------------------

    @Test
    void withIsChecked() {
        asks("WITH p AS (SELECT * FROM posts) SELECT title FROM p", "SELECT a.id, a.title FROM posts a");
    }

    @Test
    void exceptIsChecked() {
        asks(
                "SELECT id FROM posts EXCEPT SELECT id FROM comments",
                "SELECT a.id FROM posts a",
                "SELECT a.id FROM comments a");
    }

    @Test
    void theNameOfTheCatalogueInAStringChangesNothing() {
        asks(
                "SELECT title FROM posts WHERE title <> 'INFORMATION_SCHEMA.TABLES' -- pg_catalog",
                "SELECT a.id, a.title FROM posts a WHERE a.title <> 'INFORMATION_SCHEMA.TABLES'");
    }

    @Test
    void insertSelectReadsWhatItCopies() {
        asks(
                "INSERT INTO logs SELECT title, title FROM posts WHERE id = 3",
                "SELECT a.title FROM posts a WHERE a.id = 3");
    }

    @Test
    void rowCountsAreRevealed() {
        asks("SELECT 1 FROM posts LIMIT 1", "SELECT () FROM posts a");
        asks("SELECT 1 FROM posts", "SELECT a.id FROM posts a");
        asks("SELECT users.id FROM users, posts", "SELECT b.id, a.id FROM users a, posts b");
    }

    @Test
    void conditionsOfSubqueriesAreRevealed() {
        asks(
                "SELECT id FROM users WHERE EXISTS (SELECT 1 FROM posts WHERE author_id = users.id AND NOT public)",
                "SELECT a.id FROM users a, posts b WHERE b.author_id = a.id AND b.public = false");
        asks(
                "SELECT id FROM users WHERE id IN (SELECT author_id FROM posts WHERE public = false)",
                "SELECT a.id FROM users a, posts b WHERE b.public = false AND a.id = b.author_id");
    }

    // --- functions ---------------------------------------------------------------------------------------------------

    @Test
    void functionsThatDoOrReadAnythingAreRefused() {
        refuses(
                postgres,
                "SELECT pg_sleep(1)",
                "SELECT pg_read_file('x')",
                "SELECT query_to_xml('SELECT 1', true, true, '')",
                "SELECT dblink('', 'SELECT 1')",
                "SELECT lo_get(1)",
                "SELECT set_config('row_security', 'off', false)",
                "SELECT currval('s'), lastval()",
                "SELECT random()",
                "SELECT id FROM users WHERE id = my_function(id)",
                "SELECT public.lower(name) FROM users",
                "SELECT * FROM my_rows()",
                "SELECT pg_total_relation_size('posts')",
                "SELECT title FROM posts LIMIT my_limit()",
                "SELECT id FROM users WHERE false AND pg_sleep(1) IS NULL",
                "SELECT id FROM (SELECT id, pg_sleep(1) FROM users) s",
                "SELECT id FROM users LIMIT 0 OFFSET pg_sleep(1)",
                "WITH unused AS (SELECT pg_sleep(1)) SELECT 1");
        refuses(
                mariadb,
                "SELECT sleep(1)",
                "SELECT benchmark(1, 1)",
                "SELECT load_file('x')",
                "SELECT name FROM users WHERE get_lock('x', 1)",
                "SELECT found_rows()",
                "SELECT rand()",
                "SELECT @x",
                "SELECT @@datadir");
        refuses(
                h2,
                "SELECT FILE_READ('x')",
                "SELECT * FROM CSVREAD('x')",
                "CALL LINK_SCHEMA('a', 'b', 'c', 'd', 'e', 'f')",
                "SELECT MY_ALIAS()",
                "SELECT RAND()");
    }

    @Test
    void operatorsOfUsersAreRefused() {
        refuses(postgres, "SELECT id FROM users WHERE id OPERATOR(public.=) 3", "SELECT 1 *+* 2");
        asks(
                "SELECT id FROM users WHERE id OPERATOR(pg_catalog.+) 1 = 3",
                "SELECT a.id FROM users a WHERE cmp:=(fn:OPERATOR(\"pg_catalog\".+)(bigint,INTEGER),INTEGER)"
                        + "(fn:OPERATOR(\"pg_catalog\".+)(bigint,INTEGER)(a.id, 1), 3) = true");
    }

    @Test
    void aFieldOfARowMayBeAFunction() {
        refuses(postgres, "SELECT (u).name FROM users u", "SELECT u.my_function FROM users u");
    }

    @Test
    void newValuesOfSequencesAreForWritesAndAlone() {
        asks("SELECT nextval('s')");
        asks("INSERT INTO logs VALUES (nextval('s'), 'x')");
        refuses(postgres, "SELECT nextval('s') FROM users", "SELECT id FROM users WHERE nextval('s') > 0");
        assertThat(h2.obligations("SELECT NEXT VALUE FOR s")).isEmpty();
        refuses(h2, "SELECT CURRENT VALUE FOR s");
    }

    @Test
    void locksAreForStatementsWithoutTables() {
        asks("SELECT pg_try_advisory_lock(1)");
        refuses(postgres, "SELECT pg_advisory_lock(id) FROM users");
        assertThat(mariadb.obligations("SELECT get_lock('flyway', 10)")).isEmpty();
    }

    // --- statements --------------------------------------------------------------------------------------------------

    @Test
    void statementsThatHideOtherSqlAreRefused() {
        refuses(
                postgres,
                "PREPARE p AS SELECT * FROM posts",
                "EXECUTE p",
                "DECLARE c CURSOR FOR SELECT * FROM posts",
                "FETCH ALL FROM c",
                "DO $$ BEGIN PERFORM 1; END $$",
                "CALL p()",
                "COPY posts TO STDOUT",
                "COPY (SELECT * FROM posts) TO STDOUT",
                "COPY posts FROM STDIN",
                "LOCK TABLE posts",
                "LISTEN x",
                "EXPLAIN SELECT * FROM posts",
                "EXPLAIN ANALYZE SELECT * FROM posts",
                "CREATE VIEW v AS SELECT * FROM posts",
                "CREATE MATERIALIZED VIEW v AS SELECT * FROM posts",
                "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                "CREATE RULE r AS ON INSERT TO logs DO ALSO SELECT * FROM posts",
                "CREATE TRIGGER t AFTER INSERT ON logs EXECUTE FUNCTION f()",
                "CREATE EXTENSION dblink",
                "GRANT ALL ON posts TO public",
                "REFRESH MATERIALIZED VIEW v",
                "VACUUM posts");
        refuses(
                mariadb,
                "HANDLER posts OPEN",
                "LOAD DATA INFILE 'x' INTO TABLE logs",
                "LOCK TABLES posts READ",
                "SHOW TABLE STATUS",
                "SHOW WARNINGS",
                "SHOW INDEX FROM posts",
                "SHOW PROCESSLIST",
                "KILL 1",
                "DO sleep(1)");
        refuses(h2, "RUNSCRIPT FROM 'x'", "SCRIPT TO 'x'", "CREATE ALIAS x FOR 'y'", "SHUTDOWN");
    }

    @Test
    void aTableMadeOfAQueryAsksForTheQuery() {
        asks("CREATE TABLE copy AS SELECT id FROM posts", "SELECT a.id FROM posts a");
        asks("SELECT id INTO copy FROM posts", "SELECT a.id FROM posts a");
    }

    @Test
    void aLimitThatIsAQueryIsRefused() {
        refuses(
                postgres,
                "SELECT id FROM users LIMIT (SELECT count(*) FROM posts)",
                "SELECT id FROM users OFFSET (SELECT count(*) FROM posts)",
                "SELECT id FROM users WHERE id IN (SELECT id FROM users LIMIT 1 + (SELECT count(*) FROM posts))");
    }

    @Test
    void changesOfTheSchemaThatMoveRowsOrRunFunctionsAreRefused() {
        refuses(
                postgres,
                "ALTER TABLE posts RENAME TO logs",
                "ALTER TABLE posts RENAME COLUMN title TO shown",
                "ALTER TABLE posts SET SCHEMA other",
                "ALTER TABLE posts INHERIT logs",
                "ALTER TABLE logs ATTACH PARTITION posts DEFAULT",
                "CREATE FOREIGN TABLE x (id BIGINT) SERVER loop",
                "ALTER TABLE logs ADD COLUMN x TEXT DEFAULT my_function()",
                "ALTER TABLE logs ADD COLUMN x TEXT DEFAULT \"my_function\"()",
                "ALTER TABLE logs ADD COLUMN x XML DEFAULT query_to_xml('SELECT 1', true, true, '')",
                "ALTER TABLE logs ALTER x TYPE TEXT USING public.lower(x)",
                "CREATE INDEX ON logs ((my_function(x)))",
                "CREATE TABLE t (id BIGINT CHECK (my_function(id)))");
        refuses(mariadb, "RENAME TABLE posts TO logs", "ALTER TABLE posts CHANGE title shown TEXT");
        asks("CREATE TABLE t (id BIGINT DEFAULT nextval('s'), n NUMERIC(10, 2) CHECK (abs(n) IN (1, 2)),"
                + " t VARCHAR(10) DEFAULT 'x'::varchar(10) REFERENCES u (n), PRIMARY KEY (id), UNIQUE (n, t),"
                + " EXCLUDE USING gist (t WITH =))");
        asks("CREATE UNIQUE INDEX i ON t USING btree (lower(n), id) WHERE n IS NOT NULL");
        asks("ALTER TABLE t RENAME CONSTRAINT a TO b");
        assertThat(mariadb.obligations("CREATE TABLE t (id BIGINT AUTO_INCREMENT, n VARCHAR(20), PRIMARY KEY (id),"
                        + " UNIQUE KEY k (n(10)), INDEX (n(5)), FULLTEXT KEY f (n)) ENGINE=InnoDB"))
                .isEmpty();
    }

    // --- the catalogue -----------------------------------------------------------------------------------------------

    @Test
    void theCatalogueIsPublicAsFarAsItDescribesTheSchema() {
        asks("SELECT c.relname, n.nspname FROM pg_catalog.pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                + " WHERE pg_table_is_visible(c.oid)");
        asks("SELECT table_name FROM information_schema.tables");
        asks("WITH t AS (SELECT relname AS r FROM pg_class) SELECT r FROM t");
        assertThat(mariadb.obligations("SELECT column_name FROM information_schema.columns"))
                .isEmpty();
    }

    @Test
    void tablesOfDataSamplesSizesAndSecretsAreNotPublic() {
        refuses(
                postgres,
                "SELECT * FROM pg_stats",
                "SELECT * FROM pg_statistic",
                "SELECT * FROM pg_stat_user_tables",
                "SELECT * FROM pg_authid",
                "SELECT * FROM pg_shadow",
                "SELECT reltuples FROM pg_class",
                "SELECT * FROM pg_class",
                "SELECT c.r FROM pg_class c(a, b, r)",
                "SELECT last_value FROM pg_sequences",
                "SELECT * FROM pg_largeobject",
                "SELECT * FROM pg_user_mappings");
        refuses(
                mariadb,
                "SELECT table_rows FROM information_schema.tables",
                "SELECT * FROM information_schema.tables",
                "SELECT * FROM information_schema.processlist",
                "SELECT * FROM mysql.user",
                "SELECT cardinality FROM information_schema.statistics");
    }

    @Test
    void sizesInTheCatalogueAreNotPublicByOtherNamesEither() {
        refuses(
                postgres,
                "SELECT c FROM pg_class c WHERE relname = 'users'",
                "SELECT pg_class FROM pg_class",
                "SELECT (c).reltuples FROM pg_class c",
                "SELECT (c.*)::text FROM pg_class c",
                "SELECT c.* FROM pg_class c",
                "SELECT to_jsonb(c) FROM pg_class c",
                "SELECT c::text FROM pg_class c",
                "SELECT max(c) FROM pg_class c",
                "SELECT relname FROM pg_class c ORDER BY c",
                "SELECT s FROM (SELECT c FROM pg_class c) s",
                "TABLE pg_class",
                "WITH t AS (TABLE pg_class) SELECT relname FROM t",
                "SELECT relname FROM pg_class JOIN (VALUES (3::real)) v(reltuples) USING (reltuples)",
                "SELECT relname FROM pg_class NATURAL JOIN (VALUES (3::real)) v(reltuples)");
        refuses(
                mariadb,
                "SELECT table_name FROM information_schema.tables NATURAL JOIN (SELECT 3 AS table_rows) v",
                "SELECT table_name FROM information_schema.tables JOIN (SELECT 3 AS table_rows) v USING (table_rows)",
                "TABLE information_schema.tables");
        asks("SELECT c.relname, t.typname FROM pg_class c JOIN pg_type t USING (oid)");
        asks("SELECT t FROM pg_type t");
    }

    @Test
    void aNameOfWithMeansSomethingOnlyWhereItIsKnown() {
        for (Fixture fixture : List.of(postgres, mariadb, h2)) {
            refuses(
                    fixture,
                    "SELECT * FROM sy WHERE 1 IN (WITH sy AS (SELECT 1 AS id) SELECT id FROM sy)",
                    "SELECT * FROM sy WHERE EXISTS (WITH sy(x) AS (SELECT 1) SELECT 1 FROM sy)",
                    "WITH sy AS (SELECT * FROM sy) SELECT * FROM sy",
                    "WITH a AS (SELECT * FROM sy), sy AS (SELECT 1 AS id) SELECT * FROM a",
                    "SELECT * FROM (WITH sy AS (SELECT 1 AS id) SELECT id FROM sy) t, sy",
                    "SELECT table_name FROM information_schema.columns WHERE EXISTS (SELECT 1 FROM sy) AND 1 IN"
                            + " (WITH sy AS (SELECT 1 AS id) SELECT id FROM sy)");
            assertThat(fixture.obligations("WITH sy AS (SELECT 1 AS id) SELECT * FROM sy"))
                    .isEmpty();
        }
    }

    @Test
    void theCatalogueDoesNotMixWithTables() {
        refuses(
                postgres,
                "SELECT relname FROM pg_class WHERE EXISTS (SELECT 1 FROM posts)",
                "SELECT u.id FROM users u JOIN pg_class c ON c.oid = u.id",
                "SELECT relname FROM pg_class UNION SELECT title FROM posts",
                "WITH posts AS (SELECT relname FROM pg_class) SELECT * FROM posts");
    }

    // --- shape -------------------------------------------------------------------------------------------------------

    @Test
    void tooMuchIsRefusedInGoodTime() {
        String sub = "EXISTS (SELECT 1 FROM posts WHERE author_id = u.id AND NOT ";
        String deep = "SELECT id FROM users u WHERE " + sub.repeat(25) + "public" + ")".repeat(25);
        var wide = new StringBuilder("SELECT id FROM users WHERE false");
        for (int i = 0; i < 300; i++) {
            wide.append(" OR NOT EXISTS (SELECT 1 FROM posts WHERE score = ")
                    .append(i)
                    .append(')');
        }

        assertThat(postgres.plan(deep).obligations()).hasSizeLessThan(60);
        refuses(postgres, wide.toString());
    }

    // --- texts that were read otherwise than the database reads them ------------------------------------------------

    @Test
    void collateBeforeFromIsAnAliasToPostgres() {
        refuses(postgres, "SELECT 1 COLLATE FROM posts", "SELECT text COLLATE FROM comments");
    }

    @Test
    void aTableMayBeCalledDualInH2() {
        Fixture fixture = new Fixture(Dialect.H2).table("dual", "id! text:text", "id");

        assertThat(fixture.obligations("SELECT text FROM dual")).containsExactly("SELECT a.ID, a.TEXT FROM DUAL a");
        assertThat(h2.obligations("SELECT 1 FROM dual")).isEmpty();
        assertThat(h2.obligations("WITH dual AS (SELECT text FROM comments) SELECT text FROM dual"))
                .containsExactly("SELECT a.ID, a.TEXT FROM COMMENTS a");
    }

    @Test
    void topIsNoNameInH2() {
        refuses(h2, "SELECT TOP + 1 FROM posts", "SELECT TOP 1 title FROM posts", "SELECT TOP FROM posts");
    }
}
