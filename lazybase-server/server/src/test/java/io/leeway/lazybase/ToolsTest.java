package io.leeway.lazybase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.table;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** jOOQ and Hibernate as their users have them, told that this is PostgreSQL. */
class ToolsTest {

    @TempDir
    static Path directory;

    private static LazyBaseServer server;

    @BeforeAll
    static void start() {
        server = LazyBaseServer.start(LazyBaseOptions.of(Map.of(
                "lazybase.directory", directory.toString(),
                "lazybase.pg.port", "0",
                "lazybase.web.port", "-1")));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** An entity. */
    @Entity(name = "Book")
    @Table(name = "books")
    static class Book {
        @Id
        long id;

        @Column(length = 200)
        String title;

        @Column(precision = 10, scale = 2)
        BigDecimal price;

        LocalDateTime bought;

        boolean lent;

        protected Book() {}

        Book(long id, String title, BigDecimal price, LocalDateTime bought) {
            this.id = id;
            this.title = title;
            this.price = price;
            this.bought = bought;
        }
    }

    private static Configuration hibernate(String schemaAction) {
        return new Configuration()
                .addAnnotatedClass(Book.class)
                .setProperty("hibernate.connection.url", server.jdbcUrl())
                .setProperty("hibernate.connection.username", "me")
                .setProperty("hibernate.connection.password", "")
                .setProperty("hibernate.jdbc.batch_size", "50")
                .setProperty("hibernate.hbm2ddl.auto", schemaAction);
    }

    @Test
    void hibernateMakesItsTablesWritesAndAsks() {
        try (SessionFactory factory = hibernate("update").buildSessionFactory()) {
            factory.inTransaction(session -> {
                for (int i = 0; i < 120; i++) {
                    session.persist(new Book(
                            i,
                            "title " + i,
                            new BigDecimal("1.25").multiply(BigDecimal.valueOf(i)),
                            LocalDateTime.of(2026, 1, 1 + i % 28, 12, 0)));
                }
            });
            factory.inTransaction(session -> {
                Book book = session.find(Book.class, 7L);
                assertThat(book.title).isEqualTo("title 7");
                assertThat(book.price).isEqualByComparingTo("8.75");
                book.lent = true;
                session.remove(session.find(Book.class, 8L));
            });
            factory.inTransaction(session -> {
                assertThat(session.createSelectionQuery(
                                        "select count(b) from Book b where b.price > :least", Long.class)
                                .setParameter("least", new BigDecimal("100"))
                                .getSingleResult())
                        .isEqualTo(39);
                assertThat(session.createSelectionQuery("from Book b where b.lent order by b.title", Book.class)
                                .setMaxResults(5)
                                .getResultList())
                        .hasSize(1);
                assertThat(session.createSelectionQuery(
                                        "select year(b.bought), sum(b.price) from Book b where b.title like 'title 1%'"
                                                + " group by year(b.bought)",
                                        Object[].class)
                                .getResultList())
                        .hasSize(1);
                assertThat(session.find(Book.class, 8L)).isNull();
                assertThat(session.createMutationQuery("update Book b set b.lent = true where b.id < 5")
                                .executeUpdate())
                        .isEqualTo(5);
            });
        }
        try (SessionFactory factory = hibernate("validate").buildSessionFactory()) {
            factory.inTransaction(session -> assertThat(
                            session.createSelectionQuery("select count(b) from Book b where b.lent", Long.class)
                                    .getSingleResult())
                    .isEqualTo(6));
        }
    }

    @Test
    void jooqMakesTablesWritesAsksAndLooksAtTheCatalogue() throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), "me", "")) {
            DSLContext jooq = DSL.using(connection, SQLDialect.POSTGRES);
            var trips = table(name("trips"));
            var id = field(name("id"), SQLDataType.BIGINT);
            var city = field(name("city"), SQLDataType.VARCHAR(40));
            var fare = field(name("fare"), SQLDataType.DECIMAL(10, 2));
            jooq.createTable("trips")
                    .column("id", SQLDataType.BIGINT.notNull())
                    .column("city", SQLDataType.VARCHAR(40))
                    .column("fare", SQLDataType.DECIMAL(10, 2))
                    .primaryKey("id")
                    .execute();
            var insert = jooq.insertInto(trips, id, city, fare);
            for (int i = 0; i < 100; i++) {
                insert = insert.values((long) i, i % 3 == 0 ? "Rome" : "Oslo", BigDecimal.valueOf(i));
            }
            assertThat(insert.execute()).isEqualTo(100);
            assertThat(jooq.insertInto(trips, id, city, fare)
                            .values(1L, "Bern", BigDecimal.TEN)
                            .onConflict(id)
                            .doUpdate()
                            .setAllToExcluded()
                            .execute())
                    .isEqualTo(1);
            assertThat(jooq.update(trips).set(city, "Paris").where(id.eq(2L)).execute())
                    .isEqualTo(1);
            assertThat(jooq.deleteFrom(trips).where(id.ge(98L)).execute()).isEqualTo(2);
            assertThat(jooq.select(city, count(), sum(fare))
                            .from(trips)
                            .where(fare.gt(BigDecimal.ONE))
                            .groupBy(city)
                            .having(count().gt(1))
                            .orderBy(city)
                            .fetch())
                    .hasSize(2);
            assertThat(jooq.selectFrom(trips)
                            .where(city.in("Rome", "Paris"))
                            .orderBy(id.desc())
                            .limit(3)
                            .offset(1)
                            .fetch(id))
                    .hasSize(3);
            assertThat(jooq.select(city, id)
                            .distinctOn(city)
                            .from(trips)
                            .orderBy(city, id.desc())
                            .fetch(id))
                    .containsExactly(1L, 97L, 2L, 96L);
            assertThat(jooq.meta().getTables("trips")).hasSize(1);
            assertThat(jooq.meta().getTables("trips").get(0).getPrimaryKey()).isNotNull();
            jooq.transaction(inner ->
                    inner.dsl().insertInto(trips, id, city).values(500L, "Kyiv").execute());
            assertThat(jooq.fetchCount(trips, city.eq("Kyiv"))).isEqualTo(1);
        }
    }

    @Test
    void theFirstOfEachIsThatOfItsOrder() throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), "me", "");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE seen (k int PRIMARY KEY, host text, at int, up boolean)");
            statement.execute("INSERT INTO seen VALUES (1,'a',1,true),(2,'a',3,false),(3,'b',2,true),(4,'b',1,false)");
            try (var rows = statement.executeQuery(
                    "SELECT DISTINCT ON (host) host, at, up FROM seen WHERE k < 9 ORDER BY host, at DESC LIMIT 5")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(2)).isEqualTo(3);
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(2)).isEqualTo(2);
                assertThat(rows.next()).isFalse();
            }
            try (var rows = statement.executeQuery(
                    "SELECT sum(at) FROM (SELECT DISTINCT ON (1) host AS h, at FROM seen ORDER BY 1, 2) AS first")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isEqualTo(2);
            }
        }
    }

    @Test
    void wordsOfSqlAreNamesWherePostgresTakesThem() throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), "me", "");
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE measures (k int PRIMARY KEY, value int, year int, rows text, at timestamp)");
            statement.execute("INSERT INTO measures (k, value, year, rows, at) VALUES"
                    + " (1, 10, 2026, 'r', '2026-02-03 04:05:06'), (2, 20, 2025, 's', '2025-02-03 04:05:06')");
            statement.execute("UPDATE measures SET value = value * 2 WHERE year = 2025");
            try (var rows = statement.executeQuery("SELECT year, m.value, rows AS row, extract(year from at) AS date"
                    + " FROM measures m WHERE value > 5 AND at > now() - interval '9 years' ORDER BY year")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(2)).isEqualTo(40);
                assertThat(rows.getInt("date")).isEqualTo(2025);
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(3)).isEqualTo("r");
            }
        }
    }

    @Test
    void whatPostgresMeansByASignIsWhatItMeansHere() throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), "me", "");
                Statement statement = connection.createStatement();
                var rows = statement.executeQuery(
                        "SELECT 2 ^ 3 * 2, 2 ^ 3 ^ 2, (1 + 1) ^ -1, abs(-3) ^ 2, 'a^b' FROM (VALUES (1)) AS t(x)")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getDouble(1)).isEqualTo(16);
            assertThat(rows.getDouble(2)).isEqualTo(64);
            assertThat(rows.getDouble(3)).isEqualTo(0.5);
            assertThat(rows.getDouble(4)).isEqualTo(9);
            assertThat(rows.getString(5)).isEqualTo("a^b");
        }
    }

    @Test
    void mistakesAreNamed() throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), "me", "");
                Statement statement = connection.createStatement()) {
            for (String[] mistake : new String[][] {
                {"SELEC 1", "did you mean SELECT?"},
                {"GRANT SELECT ON x TO y", "GRANT is not there"},
                {"CREATE TABLE x (k int PRIMARY KEY, c int DEFAULT 0)", "DEFAULT of a column is not there"},
                {"SET lazybase.freshnes = 'any'", "did you mean lazybase.freshness?"},
                {"SELECT 'hello'::text::int FROM (VALUES (1)) AS t(x)", "'hello' is no number"},
                {"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM (VALUES (1)) AS t(x)", "can execute"}
            }) {
                assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> statement.execute(mistake[0])))
                        .as(mistake[0])
                        .hasMessageContaining(mistake[1]);
            }
        }
    }
}
