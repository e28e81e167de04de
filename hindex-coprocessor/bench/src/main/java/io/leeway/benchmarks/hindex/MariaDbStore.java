package io.leeway.benchmarks.hindex;

import io.leeway.testkit.db.TestDatabase;
import io.leeway.testkit.db.TestDatabases;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** A table of MariaDB with a B-tree on the value. */
final class MariaDbStore implements Store {

    private final TestDatabase database;
    private final ProcessHandle server;
    private final Connection connection;
    private final PreparedStatement replace;
    private final PreparedStatement byValue;
    private final PreparedStatement byKey;
    private final boolean isOwner;

    private MariaDbStore(TestDatabase database, ProcessHandle server, boolean isOwner) throws SQLException {
        this.database = database;
        this.server = server;
        this.isOwner = isOwner;
        connection = database.connect();
        if (isOwner) {
            try (var statement = connection.createStatement()) {
                statement.execute("CREATE TABLE t (k VARCHAR(40) PRIMARY KEY, v VARCHAR(40), payload VARCHAR(1100),"
                        + " INDEX by_value (v)) CHARACTER SET latin1 COLLATE latin1_bin");
            }
        }
        connection.setAutoCommit(false);
        replace = connection.prepareStatement(
                "INSERT INTO t VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE" + " v = VALUE(v), payload = VALUE(payload)");
        byValue = connection.prepareStatement("SELECT k FROM t WHERE v = ?");
        byKey = connection.prepareStatement("SELECT v, payload FROM t WHERE k = ?");
    }

    static MariaDbStore create() throws SQLException {
        TestDatabase database = TestDatabases.mariadb().freshDatabase("hindex");
        ProcessHandle server = ProcessHandle.current()
                .descendants()
                .filter(process -> process.info().command().orElse("").endsWith("mariadbd"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "MariaDB runs in a container; the benchmark needs the embedded one, to see its CPU time"));
        return new MariaDbStore(database, server, true);
    }

    @Override
    public MariaDbStore session() throws SQLException {
        return new MariaDbStore(database, server, false);
    }

    @Override
    public String name() {
        return "MariaDB, B-tree";
    }

    @Override
    public Usage usage() {
        return Usage.of(server);
    }

    @Override
    public void put(List<Row> rows) throws SQLException {
        for (Row row : rows) {
            replace.setString(1, row.key());
            replace.setString(2, row.value());
            replace.setString(3, row.payload());
            replace.addBatch();
        }
        replace.executeBatch();
        connection.commit();
    }

    @Override
    public int readValue(String value) throws SQLException {
        byValue.setString(1, value);
        return count(byValue);
    }

    @Override
    public boolean readKey(String key) throws SQLException {
        byKey.setString(1, key);
        return count(byKey) > 0;
    }

    private int count(PreparedStatement query) throws SQLException {
        int found = 0;
        try (ResultSet result = query.executeQuery()) {
            while (result.next()) {
                found++;
            }
        }
        connection.commit();
        return found;
    }

    /** It has no such files. */
    @Override
    public void settle() {}

    @Override
    public void close() throws SQLException {
        connection.close();
        if (isOwner) {
            database.close();
        }
    }
}
