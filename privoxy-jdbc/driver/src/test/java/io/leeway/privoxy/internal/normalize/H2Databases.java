package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Value;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Several small databases of one schema in H2, each in a schema of its own, to run the same text on. */
final class H2Databases implements AutoCloseable {

    private final Connection connection;
    private final List<Rows> contents;

    H2Databases(RandomSchema schema, List<Rows> contents) throws SQLException {
        this.connection = DriverManager.getConnection("jdbc:h2:mem:");
        this.contents = contents;
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            for (int i = 0; i < contents.size(); i++) {
                statement.execute("CREATE SCHEMA D" + i);
                for (String ddl : schema.ddl("D" + i)) {
                    statement.execute(ddl);
                }
                for (Table table : schema.tables()) {
                    insert(
                            statement,
                            "D" + i + "." + RandomSchema.simpleName(table),
                            contents.get(i).of(table.name()));
                }
            }
        }
        connection.commit();
    }

    private static void insert(Statement statement, String table, List<List<Value>> rows) throws SQLException {
        for (List<Value> row : rows) {
            String values = String.join(", ", row.stream().map(Value::toString).toList());
            statement.execute("INSERT INTO " + table + " VALUES (" + values + ")");
        }
    }

    int count() {
        return contents.size();
    }

    Rows contents(int database) {
        return contents.get(database);
    }

    /** The rows of a query, in the order in which they come. */
    List<List<Value>> query(int database, RandomQuery.Statement text) throws SQLException {
        try (PreparedStatement statement = prepare(database, text);
                ResultSet result = statement.executeQuery()) {
            List<List<Value>> rows = new ArrayList<>();
            int width = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<Value> row = new ArrayList<>();
                for (int i = 1; i <= width; i++) {
                    row.add(value(result.getObject(i)));
                }
                rows.add(row);
            }
            return rows;
        }
    }

    /** The count that a statement returns; what it did is taken back. */
    int update(int database, RandomQuery.Statement text) throws SQLException {
        try (PreparedStatement statement = prepare(database, text)) {
            return statement.executeUpdate();
        } finally {
            connection.rollback();
        }
    }

    /** Runs a statement that writes, for good; one that the database does not take does nothing. */
    void write(int database, RandomQuery.Statement text) throws SQLException {
        try (PreparedStatement statement = prepare(database, text)) {
            statement.executeUpdate();
            connection.commit();
        } catch (SQLException refused) {
            connection.rollback();
        }
    }

    /** What is in the tables by now. */
    Rows present(int database, RandomSchema schema) throws SQLException {
        Map<String, List<List<Value>>> tables = new LinkedHashMap<>();
        for (Table table : schema.tables()) {
            String all = "SELECT * FROM " + RandomSchema.simpleName(table);
            tables.put(table.name(), query(database, new RandomQuery.Statement(all, List.of())));
        }
        return new Rows(tables);
    }

    private PreparedStatement prepare(int database, RandomQuery.Statement text) throws SQLException {
        connection.setSchema("D" + database);
        PreparedStatement statement = connection.prepareStatement(text.sql());
        for (int i = 0; i < text.parameters().size(); i++) {
            statement.setObject(i + 1, object(text.parameters().get(i)));
        }
        return statement;
    }

    private static Object object(Object parameter) {
        if (parameter instanceof Value value) {
            return value.isNull() ? null : value.raw();
        }
        return ((List<?>) parameter).stream().map(H2Databases::object).toArray();
    }

    private static Value value(Object raw) {
        if (raw == null) {
            return Value.NULL;
        }
        if (raw instanceof Number number) {
            return Value.of(new BigDecimal(number.toString()));
        }
        return raw instanceof Boolean truth ? Value.of(truth) : Value.of(raw.toString());
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
