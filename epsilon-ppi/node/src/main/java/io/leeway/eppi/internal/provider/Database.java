package io.leeway.eppi.internal.provider;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Token;
import io.leeway.eppi.internal.config.Settings;
import io.leeway.eppi.node.EppiOptions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The provider's own database, through JDBC. Only reads. */
final class Database {

    /**
     * Records of a person.
     *
     * @param columns names
     * @param rows values as text
     */
    record Records(List<String> columns, List<List<String>> rows) {}

    private final String url;
    private final String user;
    private final String password;
    private final String members;
    private final String records;
    private final Duration timeout;
    private final byte[] networkKey;
    private final int mostRows;

    Database(Settings settings, byte[] networkKey) {
        url = settings.required(EppiOptions.DATABASE_URL);
        user = settings.get(EppiOptions.DATABASE_USER);
        password = settings.get(EppiOptions.DATABASE_PASSWORD);
        members = settings.required(EppiOptions.DATABASE_MEMBERS);
        records = settings.required(EppiOptions.DATABASE_RECORDS);
        timeout = settings.get(EppiOptions.DATABASE_TIMEOUT);
        mostRows = settings.get(EppiOptions.ROWS);
        this.networkKey = networkKey;
        if (records.indexOf('?') < 0) {
            throw EppiException.of(
                    Code.CONFIGURATION, EppiOptions.DATABASE_RECORDS + " has no ? where the identity goes");
        }
    }

    /** Everybody with records: pseudonym and identity as it is written here. */
    Map<Token, String> members() {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(members)) {
            statement.setQueryTimeout(Math.toIntExact(Math.max(1, timeout.toSeconds())));
            Map<Token, String> found = new HashMap<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String identity = rows.getString(1);
                    if (identity != null && !identity.isBlank()) {
                        found.put(Token.of(identity, networkKey), identity);
                    }
                }
            }
            return found;
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** The records of an identity as it is written here. */
    Records records(String identity) {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(records)) {
            statement.setQueryTimeout(Math.toIntExact(Math.max(1, timeout.toSeconds())));
            statement.setMaxRows(mostRows);
            statement.setString(1, identity);
            try (ResultSet rows = statement.executeQuery()) {
                return read(rows);
            }
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private static Records read(ResultSet rows) throws SQLException {
        ResultSetMetaData meta = rows.getMetaData();
        var columns = new ArrayList<String>();
        for (int c = 1; c <= meta.getColumnCount(); c++) {
            columns.add(meta.getColumnLabel(c));
        }
        var all = new ArrayList<List<String>>();
        while (rows.next()) {
            var row = new ArrayList<String>();
            for (int c = 1; c <= columns.size(); c++) {
                String value = rows.getString(c);
                row.add(value == null ? "" : value);
            }
            all.add(row);
        }
        return new Records(columns, all);
    }

    private Connection connect() throws SQLException {
        Connection connection = DriverManager.getConnection(url, user, password);
        connection.setReadOnly(true);
        return connection;
    }

    /** The driver's words may have data in them, so they stay in the cause. */
    private static EppiException failed(SQLException e) {
        return EppiException.of(Code.DATABASE, "the database refused (SQL state " + e.getSQLState() + ")", e);
    }
}
