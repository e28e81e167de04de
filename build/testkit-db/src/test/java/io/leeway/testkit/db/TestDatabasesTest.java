package io.leeway.testkit.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class TestDatabasesTest {

    @ParameterizedTest
    @MethodSource("servers")
    void aFreshDatabaseIsEmptyAndKeepsWhatIsWritten(DatabaseServer server) throws SQLException {
        try (TestDatabase database = server.freshDatabase("Kept")) {
            database.execute("CREATE TABLE t (id INT PRIMARY KEY, s VARCHAR(20))", "INSERT INTO t VALUES (1, 'grün')");

            assertThat(single(database, "SELECT s FROM t")).isEqualTo("grün");
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void twoDatabasesOfTheSameNameDoNotSeeEachOther(DatabaseServer server) throws SQLException {
        try (TestDatabase one = server.freshDatabase("same");
                TestDatabase two = server.freshDatabase("same")) {
            one.execute("CREATE TABLE only_in_one (id INT)");

            assertThat(two.name()).isNotEqualTo(one.name());
            assertThatThrownBy(() -> two.execute("SELECT * FROM only_in_one")).isInstanceOf(SQLException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void closingDropsTheDatabaseAlthoughATransactionIsOpenInIt(DatabaseServer server) throws SQLException {
        TestDatabase database = server.freshDatabase("dropped").execute("CREATE TABLE t (id INT)");
        var left = database.connect();
        left.setAutoCommit(false);
        left.createStatement().execute("INSERT INTO t VALUES (1)");

        database.close();

        assertThatThrownBy(() -> left.createStatement().execute("SELECT * FROM t"))
                .isInstanceOf(SQLException.class);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void aNameThatIsNotPlainIsRefused(DatabaseServer server) {
        assertThatThrownBy(() -> server.freshDatabase("a; DROP DATABASE b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a plain database name");
    }

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void theServerOfAKindIsSharedAndSaysWhatItIs(ServerKind kind) {
        DatabaseServer server = kind == ServerKind.POSTGRESQL ? TestDatabases.postgres() : TestDatabases.mariadb();
        DatabaseServer again = kind == ServerKind.POSTGRESQL ? TestDatabases.postgres() : TestDatabases.mariadb();

        assertThat(again).isSameAs(server);
        assertThat(server.description()).startsWith(kind.title());
    }

    @Test
    void postgresOrdersStringsAlikeOnEveryMachine() throws SQLException {
        try (TestDatabase database = TestDatabases.postgres().freshDatabase("collation")) {
            assertThat(single(database, "SELECT string_agg(c, '' ORDER BY c) FROM (VALUES ('a'), ('B'), ('é')) v(c)"))
                    .isEqualTo("Baé");
        }
    }

    @Test
    void theDataSourceAndTheTextDoNotShowThePassword() {
        var database = new TestDatabase("d", "jdbc:none:d", "u", "secret", () -> {});

        assertThat(database.toString() + database.dataSource()).doesNotContain("secret");
    }

    static List<DatabaseServer> servers() {
        return List.of(
                TestDatabases.postgres(), TestDatabases.mariadb(), TestDatabases.h2(), TestDatabases.h2("PostgreSQL"));
    }

    private static String single(TestDatabase database, String sql) throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var rows = connection.createStatement().executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
