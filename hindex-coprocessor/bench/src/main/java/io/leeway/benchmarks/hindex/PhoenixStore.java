package io.leeway.benchmarks.hindex;

import io.leeway.testkit.hbase.ProcessCluster;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/** A table of Apache Phoenix, which keeps its own kinds of indexes on HBase. */
final class PhoenixStore implements Store {

    /** What the site file of a server for Phoenix must say. */
    static final Map<String, String> SETTINGS =
            Map.of("hbase.regionserver.wal.codec", "org.apache.hadoop.hbase.regionserver.wal.IndexedWALEditCodec");

    private final ProcessCluster cluster;
    private final String name;
    private final String table;
    private final Connection connection;
    private final PreparedStatement upsert;
    private final PreparedStatement upsertValue;
    private final PreparedStatement byValue;
    private final PreparedStatement byKey;
    private final boolean isOwner;

    private PhoenixStore(ProcessCluster cluster, String name, String table, Connection connection, boolean isOwner)
            throws SQLException {
        this.isOwner = isOwner;
        this.cluster = cluster;
        this.name = name;
        this.table = table;
        this.connection = connection;
        upsert = connection.prepareStatement("UPSERT INTO " + table + " (k, v, payload) VALUES (?, ?, ?)");
        upsertValue = connection.prepareStatement("UPSERT INTO " + table + " (k, v) VALUES (?, ?)");
        byValue = connection.prepareStatement("SELECT k FROM " + table + " WHERE v = ?");
        byKey = connection.prepareStatement("SELECT v, payload FROM " + table + " WHERE k = ?");
    }

    /**
     * A table.
     *
     * @param kind of its index, such as {@code "UNCOVERED"} or nothing; null for no index
     */
    static PhoenixStore create(ProcessCluster cluster, String name, @Nullable String kind) throws SQLException {
        Connection connection = connect(cluster);
        String table = "T" + Long.toString(System.nanoTime(), 36).toUpperCase(Locale.ROOT);
        try (var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + table + " (k VARCHAR PRIMARY KEY, v VARCHAR, payload VARCHAR)");
            if (kind != null) {
                statement.execute("CREATE " + kind + " INDEX " + table + "_V ON " + table + " (v)");
            }
        }
        return new PhoenixStore(cluster, name, table, connection, true);
    }

    private static Connection connect(ProcessCluster cluster) throws SQLException {
        Connection connection = DriverManager.getConnection(
                "jdbc:phoenix:127.0.0.1:" + cluster.configuration().get("hbase.zookeeper.property.clientPort"));
        connection.setAutoCommit(false);
        return connection;
    }

    @Override
    public PhoenixStore session() throws SQLException {
        return new PhoenixStore(cluster, name, table, connect(cluster), false);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Usage usage() {
        return Usage.of(cluster.regionServers().get(0).handle());
    }

    @Override
    public void put(List<Row> rows) throws SQLException {
        for (Row row : rows) {
            PreparedStatement each = row.payload().isEmpty() ? upsertValue : upsert;
            each.setString(1, row.key());
            each.setString(2, row.value());
            if (!row.payload().isEmpty()) {
                each.setString(3, row.payload());
            }
            each.executeUpdate();
        }
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

    private static int count(PreparedStatement query) throws SQLException {
        int found = 0;
        try (ResultSet result = query.executeQuery()) {
            while (result.next()) {
                found++;
            }
        }
        return found;
    }

    /** The plan of a read by value, to see that the index is used. */
    String plan() throws SQLException {
        try (PreparedStatement explain =
                        connection.prepareStatement("EXPLAIN SELECT k FROM " + table + " WHERE v = 'x'");
                ResultSet lines = explain.executeQuery()) {
            var plan = new StringBuilder();
            while (lines.next()) {
                plan.append(lines.getString(1)).append('\n');
            }
            return plan.toString();
        }
    }

    @Override
    public void settle() throws IOException, InterruptedException {
        try (var admin = cluster.connection().getAdmin()) {
            for (TableName each : List.of(rowTable(), indexTable())) {
                if (admin.tableExists(each)) {
                    admin.flush(each);
                    Compactions.run(admin, each);
                }
            }
        }
    }

    /** The table of HBase that has the rows. */
    TableName rowTable() {
        return TableName.valueOf(table);
    }

    /** The table of HBase that has the entries of a global index. */
    TableName indexTable() {
        return TableName.valueOf(table + "_V");
    }

    @Override
    public void close() throws SQLException {
        try (connection;
                var statement = connection.createStatement()) {
            if (isOwner) {
                statement.execute("DROP TABLE " + table);
            }
        }
    }
}
