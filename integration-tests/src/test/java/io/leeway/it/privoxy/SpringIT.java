package io.leeway.it.privoxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.support.TransactionTemplate;

class SpringIT {

    private static final Map<String, Object> BEN = Map.of("MyUId", 2L);

    @ParameterizedTest
    @EnumSource
    void queries(Servers servers) throws Exception {
        asBen(servers, (database, source) -> {
            var template = new JdbcTemplate(source);

            assertThat(template.queryForList("SELECT name FROM users ORDER BY id", String.class))
                    .containsExactly("Ada", "Ben", "Cleo");
            assertThat(template.queryForMap("SELECT * FROM attendances WHERE user_id = ? AND event_id = ?", 2L, 5L))
                    .hasSize(2);
            assertThat(template.queryForObject("SELECT title FROM events WHERE id = ?", String.class, 5L))
                    .isEqualTo("Planning");
        });
    }

    @ParameterizedTest
    @EnumSource
    void namedParametersAndLists(Servers servers) throws Exception {
        asBen(servers, (database, source) -> {
            var template = new NamedParameterJdbcTemplate(source);

            assertThat(template.queryForList(
                            "SELECT name FROM users WHERE id IN (:ids) ORDER BY id",
                            Map.of("ids", List.of(1L, 3L)),
                            String.class))
                    .containsExactly("Ada", "Cleo");
            assertThatThrownBy(() -> template.queryForList(
                            "SELECT text FROM notes WHERE user_id IN (:ids)",
                            Map.of("ids", List.of(2L, 3L)),
                            String.class))
                    .isInstanceOf(DataAccessException.class);
        });
    }

    @ParameterizedTest
    @EnumSource
    void batches(Servers servers) throws Exception {
        asBen(servers, (database, source) -> {
            var template = new JdbcTemplate(source);
            List<Object[]> rows = List.of(
                    new Object[] {41L, 2L, "one"}, new Object[] {42L, 2L, "two"}, new Object[] {43L, 2L, "three"});

            int[] counts = template.batchUpdate("INSERT INTO notes (id, user_id, text) VALUES (?, ?, ?)", rows);

            assertThat(counts).hasSize(3);
            assertThat(template.queryForObject("SELECT COUNT(*) FROM notes WHERE user_id = ?", Integer.class, 2L))
                    .isEqualTo(4);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aRefusalRollsTheTransactionBack(Servers servers) throws Exception {
        asBen(servers, (database, source) -> {
            var template = new JdbcTemplate(source);
            var transaction = new TransactionTemplate(new DataSourceTransactionManager(source));

            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                        template.update("INSERT INTO notes VALUES (51, 2, 'not to stay')");
                        template.queryForList("SELECT text FROM notes WHERE user_id = 3");
                    }))
                    .isInstanceOf(DataAccessException.class);
            assertThat(database.read("SELECT COUNT(*) FROM notes WHERE id = 51"))
                    .isEqualTo("0");

            transaction.executeWithoutResult(status -> template.update("INSERT INTO notes VALUES (52, 2, 'to stay')"));
            assertThat(database.read("SELECT COUNT(*) FROM notes WHERE id = 52"))
                    .isEqualTo("1");
        });
    }

    @ParameterizedTest
    @EnumSource
    void exceptionsAreTranslated(Servers servers) throws Exception {
        asBen(servers, (database, source) -> {
            var template = new JdbcTemplate(source);

            assertThatThrownBy(() -> template.queryForList("SELECT text FROM notes"))
                    .isInstanceOf(BadSqlGrammarException.class)
                    .hasRootCauseInstanceOf(PolicyViolationException.class)
                    .satisfies(e -> assertThat(((SQLException) e.getCause()).getSQLState())
                            .isEqualTo("42501"));
            assertThatThrownBy(() -> template.update("INSERT INTO users VALUES (1, 'Ada again')"))
                    .isInstanceOf(DuplicateKeyException.class);
        });
    }

    /** What an application does with a database. */
    @FunctionalInterface
    private interface Application {
        void run(CheckedDatabase database, DriverManagerDataSource source) throws Exception;
    }

    private static void asBen(Servers servers, Application application) throws Exception {
        try (CheckedDatabase database = servers.calendar();
                PrivoxyRequest request = Privoxy.begin(BEN)) {
            application.run(database, source(database));
            assertThat(request.isOpen()).isTrue();
        }
    }

    private static DriverManagerDataSource source(CheckedDatabase database) {
        return new DriverManagerDataSource(database.url(), database.properties());
    }
}
