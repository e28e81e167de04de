package io.leeway.privoxy.internal.schema;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.testkit.db.DatabaseServer;
import io.leeway.testkit.db.TestDatabase;
import io.leeway.testkit.db.TestDatabases;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A fresh database and its schema as it is read from the catalogue, for the tests of one kind of database. */
abstract class CatalogFixture {

    private final Dialect dialect;

    /** The database of a test. */
    TestDatabase database;

    /** A connection to it that ends with the test. */
    Connection connection;

    CatalogFixture(Dialect dialect) {
        this.dialect = dialect;
    }

    @BeforeEach
    final void open() throws SQLException {
        DatabaseServer server = switch (dialect) {
            case POSTGRESQL -> TestDatabases.postgres();
            case MARIADB -> TestDatabases.mariadb();
            case H2 -> TestDatabases.h2();
        };
        database = server.freshDatabase("schema");
        connection = database.connect();
    }

    @AfterEach
    final void close() throws SQLException {
        connection.close();
        database.close();
    }

    /** A schema of which nothing has been read yet. */
    final LiveSchema schema() throws SQLException {
        return schema(connection);
    }

    /** The same, as another connection sees it. */
    final LiveSchema schema(Connection other) throws SQLException {
        return LiveSchema.open(dialect, other, System::nanoTime);
    }

    final TableSource source() throws SQLException {
        return schema().through(ConnectionSource.of(connection));
    }

    final Relation relation(String... name) throws SQLException {
        TableSource source = source();
        return Objects.requireNonNull(source.find(List.of(name), source.searchPath()));
    }

    final void execute(String... statements) throws SQLException {
        for (String sql : statements) {
            try (var statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }
    }
}
