package io.leeway.privoxy.internal.driver;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.CallableStatement;
import java.sql.ClientInfoStatus;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Date;
import java.sql.JDBCType;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Calendar;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TimeZone;

/**
 * A broad use of JDBC, written down call by call. The journals of a plain connection and of a checked one, on equal
 * databases, have to be equal.
 */
final class RecordedExercise {

    /** Calls that differ by design, or by nature: the URL, statistics, process numbers. */
    private static final Set<String> NOT_COMPARED = Set.of("getURL", "hashCode", "toString", "notify", "notifyAll");

    private final Connection connection;
    private final ExerciseSql sql;
    private final Journal journal = new Journal();

    private RecordedExercise(Connection connection, ExerciseSql sql) {
        this.connection = connection;
        this.sql = sql;
    }

    /** Runs all of it on an empty database, and closes the connection. */
    static List<String> run(Connection connection, ExerciseSql sql) throws SQLException {
        return run(connection, sql, false);
    }

    /** The same on a database that may have the procedures: to make one is refused, as it may do anything. */
    static List<String> run(Connection connection, ExerciseSql sql, boolean proceduresExist) throws SQLException {
        var exercise = new RecordedExercise(connection, sql);
        exercise.tables();
        exercise.connectionSettings();
        exercise.plainStatements();
        exercise.statementSettings();
        exercise.preparedStatements();
        exercise.parameters();
        exercise.getters();
        exercise.cellsAgain();
        exercise.scrolling();
        exercise.streaming();
        exercise.updatable();
        exercise.batches();
        exercise.generatedKeys();
        exercise.transactions();
        exercise.metaData();
        exercise.calls(proceduresExist);
        exercise.misuse();
        exercise.closing();
        return exercise.journal.lines();
    }

    private void tables() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String ddl : sql.tables()) {
                journal.step(ddl, () -> statement.execute(ddl));
            }
            journal.step(
                    "fill",
                    () -> statement.executeUpdate("INSERT INTO people (id, name, born, height, active)"
                            + " VALUES (1, 'Ada', DATE '1815-12-10', 1.65, TRUE), (2, NULL, NULL, NULL, NULL),"
                            + " (3, 'Cy', DATE '2000-01-31', 0, FALSE)"));
            journal.step(
                    "large fill",
                    () -> statement.executeLargeUpdate("INSERT INTO posts (id, author, text)"
                            + " VALUES (10, 1, 'one'), (11, 1, 'two'), (12, 3, 'three')"));
        }
    }

    private void connectionSettings() {
        journal.allWithoutArguments(
                "connection",
                Connection.class,
                connection,
                Set.of(
                        "close",
                        "commit",
                        "rollback",
                        "getMetaData",
                        "setSavepoint",
                        "createStatement",
                        "getClientInfo",
                        "hashCode",
                        "toString",
                        "notify",
                        "notifyAll"));
        journal.act("readOnly", () -> connection.setReadOnly(false));
        journal.act("isolation", () -> connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED));
        journal.step("isolation", connection::getTransactionIsolation);
        journal.act("holdability", () -> connection.setHoldability(ResultSet.HOLD_CURSORS_OVER_COMMIT));
        journal.act("bad holdability", () -> connection.setHoldability(-7));
        journal.act("typeMap", () -> connection.setTypeMap(Map.of()));
        journal.step("typeMap", connection::getTypeMap);
        journal.act("schema", () -> connection.setSchema(connection.getSchema()));
        journal.act("catalog", () -> connection.setCatalog(connection.getCatalog()));
        journal.step("schema", connection::getSchema);
        journal.step("valid", () -> connection.isValid(5));
        journal.step("native", () -> connection.nativeSQL("SELECT name FROM people WHERE born < {d '1990-01-01'}"));
        journal.step("bad client info", () -> {
            connection.setClientInfo("nobody knows this", "x");
            return ClientInfoStatus.REASON_UNKNOWN_PROPERTY;
        });
        journal.act("clearWarnings", connection::clearWarnings);
        journal.step("array", () -> connection.createArrayOf(sql.textType(), new Object[] {"a", null, "b"}));
        journal.step(
                "array rows",
                () -> connection
                        .createArrayOf(sql.textType(), new Object[] {"a", "b"})
                        .getResultSet());
        journal.step("struct", () -> connection.createStruct("nope", new Object[] {1}));
        journal.act("sharding", () -> connection.setShardingKey(null));
    }

    private void plainStatements() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            journal.step("query", () -> statement.executeQuery("SELECT * FROM people ORDER BY id"));
            journal.step("execute", () -> statement.execute("SELECT id FROM people ORDER BY id"));
            journal.step("its count", statement::getUpdateCount);
            journal.step("its rows", statement::getResultSet);
            journal.step("more", statement::getMoreResults);
            journal.step("no count", statement::getUpdateCount);
            journal.step("no rows", statement::getResultSet);
            journal.step("update", () -> statement.executeUpdate("UPDATE people SET height = 1.7 WHERE id = 1"));
            journal.step("its count", statement::getUpdateCount);
            journal.step("large count", statement::getLargeUpdateCount);
            journal.step("more", () -> statement.getMoreResults(Statement.CLOSE_ALL_RESULTS));
            journal.step("execute update", () -> statement.execute("UPDATE people SET height = 1.65 WHERE id = 1"));
            journal.step("its rows", statement::getResultSet);
            journal.step("wrong table", () -> statement.executeQuery("SELECT * FROM nobodys"));
            journal.step("query by update", () -> statement.executeUpdate("SELECT id FROM people"));
            journal.step("update by query", () -> statement.executeQuery("UPDATE people SET height = 1 WHERE id = 99"));
            journal.step("with", () -> statement.executeQuery("WITH p AS (SELECT id FROM people) SELECT * FROM p"));
            journal.step("same connection", () -> statement.getConnection() == connection);
            journal.step("escapes", () -> statement.executeQuery("SELECT {fn UCASE(name)} FROM people WHERE id = 1"));
            journal.act("no escapes", () -> statement.setEscapeProcessing(false));
            journal.step("escapes off", () -> statement.executeQuery("SELECT {fn UCASE(name)} FROM people"));
        }
    }

    private void statementSettings() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            journal.allWithoutArguments(
                    "statement",
                    Statement.class,
                    statement,
                    Set.of("close", "cancel", "toString", "hashCode", "notify", "notifyAll"));
            journal.act("fetch size", () -> statement.setFetchSize(2));
            journal.act("bad fetch size", () -> statement.setFetchSize(-5));
            journal.act("direction", () -> statement.setFetchDirection(ResultSet.FETCH_FORWARD));
            journal.act("timeout", () -> statement.setQueryTimeout(60));
            journal.act("cursor", () -> statement.setCursorName("c"));
            journal.act("poolable", () -> statement.setPoolable(true));
            journal.act("max rows", () -> statement.setMaxRows(2));
            journal.step("two rows", () -> statement.executeQuery("SELECT id FROM people ORDER BY id"));
            journal.act("large max rows", () -> statement.setLargeMaxRows(1));
            journal.step("large max rows", statement::getLargeMaxRows);
            journal.step("one row", () -> statement.executeQuery("SELECT id FROM people ORDER BY id"));
            journal.act("no max rows", () -> statement.setMaxRows(0));
            journal.act("max field size", () -> statement.setMaxFieldSize(2));
            journal.step("short", () -> statement.executeQuery("SELECT name FROM people ORDER BY id"));
            journal.act("no max field size", () -> statement.setMaxFieldSize(0));
            journal.step("literal", () -> statement.enquoteLiteral("it's"));
            journal.step("n literal", () -> statement.enquoteNCharLiteral("it's"));
            journal.step("identifier", () -> statement.enquoteIdentifier("Name", true));
            journal.step("bad identifier", () -> statement.enquoteIdentifier("a\0b", false));
            journal.step("simple", () -> statement.isSimpleIdentifier("name"));
            journal.step("not simple", () -> statement.isSimpleIdentifier("1 name"));
            journal.act("on completion", statement::closeOnCompletion);
            journal.step("rows", () -> statement.executeQuery("SELECT id FROM posts ORDER BY id"));
            journal.step("closed", statement::isClosed);
        }
    }

    private void preparedStatements() throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT name, height FROM people WHERE id = ? ORDER BY id")) {
            journal.step("describe", statement::getMetaData);
            journal.step("parameters", statement::getParameterMetaData);
            journal.step("unset", statement::executeQuery);
            for (int id = 1; id <= 3; id++) {
                long key = id;
                journal.act("set", () -> statement.setLong(1, key));
                journal.step("query", statement::executeQuery);
            }
            journal.act("out of range", () -> statement.setLong(2, 1));
            journal.step("execute", statement::execute);
            journal.step("rows", statement::getResultSet);
            journal.step("more", statement::getMoreResults);
            journal.act("clear", statement::clearParameters);
            journal.step("cleared", statement::executeQuery);
            journal.act("null", () -> statement.setNull(1, Types.BIGINT));
            journal.step("nobody", statement::executeQuery);
            journal.step("a query is no update", statement::executeUpdate);
        }
        try (PreparedStatement statement = connection.prepareStatement("UPDATE people SET height = ? WHERE id = ?")) {
            journal.act("height", () -> statement.setBigDecimal(1, new BigDecimal("1.66")));
            journal.act("id", () -> statement.setInt(2, 1));
            journal.step("update", statement::executeUpdate);
            journal.step("large update", statement::executeLargeUpdate);
            journal.step("execute", statement::execute);
            journal.step("count", statement::getUpdateCount);
        }
    }

    private void parameters() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "INSERT INTO kinds (id, t, n, d, b, dt, tm, ts, bin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            var utc = Calendar.getInstance(TimeZone.getTimeZone("UTC"));
            fill(statement, 1, () -> {
                statement.setString(2, "text");
                statement.setLong(3, 5);
                statement.setDouble(4, 0.5);
                statement.setBoolean(5, true);
                statement.setDate(6, Date.valueOf("2020-02-29"));
                statement.setTime(7, Time.valueOf("12:34:56"));
                statement.setTimestamp(8, Timestamp.valueOf("2020-02-29 12:34:56"));
                statement.setBytes(9, new byte[] {1, 2, 3});
            });
            fill(statement, 2, () -> {
                statement.setObject(2, "object");
                statement.setObject(3, 6L);
                statement.setObject(4, 1.5d);
                statement.setObject(5, false);
                statement.setObject(6, LocalDate.of(2021, 3, 1));
                statement.setObject(7, Time.valueOf("01:02:03"), Types.TIME);
                statement.setObject(8, LocalDateTime.of(2021, 3, 1, 4, 5));
                statement.setObject(9, new byte[] {4});
            });
            fill(statement, 3, () -> {
                statement.setNString(2, "national");
                statement.setObject(3, "7", Types.BIGINT);
                statement.setObject(4, new BigDecimal("2.25"), Types.DOUBLE);
                statement.setObject(5, true, JDBCType.BOOLEAN);
                statement.setDate(6, Date.valueOf("2022-04-02"), utc);
                statement.setTime(7, Time.valueOf("02:03:04"), utc);
                statement.setTimestamp(8, Timestamp.valueOf("2022-04-02 05:06:07"), utc);
                statement.setBinaryStream(9, new ByteArrayInputStream(new byte[] {5, 6}));
            });
            fill(statement, 4, () -> {
                statement.setCharacterStream(2, new StringReader("reader"));
                statement.setShort(3, (short) 8);
                statement.setFloat(4, 0.25f);
                statement.setObject(5, true, Types.BOOLEAN);
                for (int i = 6; i <= 9; i++) {
                    statement.setObject(i, null);
                }
            });
            fill(statement, 5, () -> {
                statement.setAsciiStream(2, new ByteArrayInputStream("ascii".getBytes(StandardCharsets.US_ASCII)), 5);
                statement.setByte(3, (byte) 9);
                statement.setNull(4, Types.DOUBLE);
                statement.setNull(5, Types.BOOLEAN, null);
                statement.setNull(6, Types.DATE);
                statement.setNull(7, Types.TIME);
                statement.setNull(8, Types.TIMESTAMP);
                statement.setBinaryStream(9, new ByteArrayInputStream(new byte[] {7}), 1);
            });
            journal.act("url", () -> statement.setURL(2, new java.net.URL("file:x")));
            journal.act("ref", () -> statement.setRef(2, null));
            journal.act("row id", () -> statement.setRowId(2, null));
            journal.act("unknown object", () -> statement.setObject(2, new Object()));
            journal.act("bad type", () -> statement.setObject(2, "x", 4711));
        }
        try (Statement statement = connection.createStatement()) {
            journal.step("what was stored", () -> statement.executeQuery("SELECT * FROM kinds ORDER BY id"));
        }
    }

    private void fill(PreparedStatement statement, int id, Journal.Act setters) {
        journal.act("set " + id, () -> {
            statement.clearParameters();
            statement.setInt(1, id);
            setters.run();
        });
        journal.step("insert " + id, statement::executeUpdate);
    }

    private void getters() throws SQLException {
        String[] labels = {"id", "t", "n", "d", "b", "dt", "tm", "ts", "bin"};
        for (int column = 1; column <= labels.length; column++) {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT * FROM kinds ORDER BY id")) {
                journal.step("wasNull before anything", rows::wasNull);
                journal.step("next", rows::next);
                journal.step("wasNull before a getter", rows::wasNull);
                journal.allGetters("value", rows, column, labels[column - 1]);
                journal.step("next", rows::next);
                journal.step("next", rows::next);
                journal.step("next", rows::next);
                journal.step("wasNull of the row before", rows::wasNull);
                journal.allGetters("null", rows, column, labels[column - 1]);
                int at = column;
                journal.step("typed text", () -> rows.getObject(at, String.class));
                journal.step("typed number", () -> rows.getObject(at, Long.class));
                journal.step("typed date", () -> rows.getObject(at, LocalDate.class));
                journal.step("mapped", () -> rows.getObject(at, Map.of()));
                journal.step(
                        "calendar", () -> rows.getTimestamp(at, Calendar.getInstance(TimeZone.getTimeZone("UTC"))));
            }
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id, name AS label FROM people ORDER BY id")) {
            journal.step("result", rows::getMetaData);
            journal.step("find", () -> rows.findColumn("label"));
            journal.step("not there", () -> rows.getString("nope"));
            journal.step("out of range", () -> rows.getString(17));
            journal.step("before the first", () -> rows.getString(1));
            journal.step("same statement", () -> rows.getStatement() == statement);
            journal.allWithoutArguments(
                    "result",
                    ResultSet.class,
                    rows,
                    Set.of(
                            "close",
                            "next",
                            "hashCode",
                            "toString",
                            "notify",
                            "notifyAll",
                            "getMetaData",
                            "insertRow",
                            "updateRow",
                            "deleteRow",
                            "refreshRow",
                            "getStatement"));
            while (rows.next()) {
                journal.step("row", rows::getRow);
            }
            journal.step("after the last", () -> rows.getString(1));
        }
    }

    /** What is read twice, after a change of what was got, and after the result has gone. */
    private void cellsAgain() throws SQLException {
        String query = "SELECT id, t, n, ts FROM kinds ORDER BY id";
        try (Statement statement = connection.createStatement()) {
            ResultSet rows = statement.executeQuery(query);
            journal.step("before the first", () -> rows.getLong(1));
            journal.step("next", rows::next);
            for (int time = 1; time <= 2; time++) {
                cells("time " + time, rows);
                if (rows.getObject(4) instanceof Timestamp got) {
                    got.setTime(0);
                }
                Objects.requireNonNull(rows.getTimestamp("ts")).setTime(1);
            }
            journal.step("a cell as another type", () -> rows.getDouble(3) + rows.getString(3));
            while (rows.next()) {
                cells("later", rows);
            }
            cells("behind the last", rows);
            ResultSet closed = statement.executeQuery(query);
            closed.next();
            closed.close();
            cells("closed", closed);
            ResultSet followed = statement.executeQuery(query);
            followed.next();
            statement.executeQuery(query).close();
            cells("of the execution before", followed);
        }
        ResultSet left;
        try (Statement statement = connection.createStatement()) {
            left = statement.executeQuery(query);
            left.next();
        }
        cells("of a closed statement", left);
    }

    private void cells(String name, ResultSet rows) {
        journal.step(name + ", long", () -> rows.getLong(1));
        journal.step(name + ", wasNull", rows::wasNull);
        journal.step(name + ", int", () -> rows.getInt("id"));
        journal.step(name + ", text", () -> rows.getString(2));
        journal.step(name + ", wasNull", rows::wasNull);
        journal.step(name + ", text by name", () -> rows.getString("t"));
        journal.step(name + ", big", () -> rows.getLong("n"));
        journal.step(name + ", big as int", () -> rows.getInt(3));
        journal.step(name + ", time", () -> rows.getTimestamp(4));
        journal.step(name + ", object", () -> rows.getObject(4));
        journal.step(name + ", object by name", () -> rows.getObject("n"));
        journal.step(name + ", wasNull", rows::wasNull);
        journal.step(name + ", no such column", () -> rows.getLong("nope") + rows.getInt(9));
    }

    private void scrolling() throws SQLException {
        try (Statement statement =
                        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
                ResultSet rows = statement.executeQuery("SELECT id, name FROM people ORDER BY id")) {
            journal.step("last", rows::last);
            journal.step("id", () -> rows.getLong(1));
            journal.step("previous", rows::previous);
            journal.step("wasNull", rows::wasNull);
            journal.step("name", () -> rows.getString(2));
            journal.step("wasNull", rows::wasNull);
            journal.step("first", rows::first);
            journal.step("absolute", () -> rows.absolute(-1));
            journal.step("relative", () -> rows.relative(-2));
            journal.step("is first", rows::isFirst);
            journal.act("beforeFirst", rows::beforeFirst);
            journal.step("is before", rows::isBeforeFirst);
            journal.act("afterLast", rows::afterLast);
            journal.step("is after", rows::isAfterLast);
            journal.step("previous", rows::previous);
            journal.step("id", () -> rows.getLong("id"));
            journal.act("reverse", () -> rows.setFetchDirection(ResultSet.FETCH_REVERSE));
            journal.step("deleted", rows::rowDeleted);
        }
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT id FROM people ORDER BY id", ResultSet.TYPE_SCROLL_SENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
            journal.step("sensitive", statement::executeQuery);
            journal.step("type", statement::getResultSetType);
        }
        try (Statement statement = connection.createStatement(
                ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY, ResultSet.CLOSE_CURSORS_AT_COMMIT)) {
            journal.step("holdability", statement::getResultSetHoldability);
            journal.step("rows", () -> statement.executeQuery("SELECT id FROM people ORDER BY id"));
        }
        journal.step("bad type", () -> connection.createStatement(-1, -1));
    }

    private void streaming() throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(1);
            try (ResultSet rows = statement.executeQuery("SELECT id, name FROM people ORDER BY id")) {
                journal.step("next", rows::next);
                journal.step("id", () -> rows.getLong(1));
                journal.step("next", rows::next);
                journal.step("name", () -> rows.getString(2));
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    private void updatable() throws SQLException {
        try (Statement statement =
                        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                ResultSet rows = statement.executeQuery("SELECT id, author, text FROM posts")) {
            journal.step("concurrency", rows::getConcurrency);
            journal.step("next", rows::next);
            journal.act("change", () -> rows.updateString("text", "changed"));
            journal.act("cancel", rows::cancelRowUpdates);
            journal.act("change", () -> rows.updateString(3, "changed again"));
            journal.act("update", rows::updateRow);
            journal.step("text", () -> rows.getString("text"));
            journal.act("to insert row", rows::moveToInsertRow);
            journal.act("id", () -> rows.updateLong(1, 20));
            journal.act("author", () -> rows.updateObject(2, 2));
            journal.act("text", () -> rows.updateNull(3));
            journal.act("insert", rows::insertRow);
            journal.act("back", rows::moveToCurrentRow);
            journal.act("refresh", rows::refreshRow);
            journal.step("last", rows::last);
            journal.act("delete", rows::deleteRow);
        }
        try (Statement statement = connection.createStatement()) {
            journal.step("posts", () -> statement.executeQuery("SELECT * FROM posts ORDER BY id"));
        }
    }

    private void batches() throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("INSERT INTO posts (id, author, text) VALUES (?, ?, ?)")) {
            for (int id = 30; id < 33; id++) {
                statement.setLong(1, id);
                statement.setLong(2, 1);
                statement.setString(3, "batch " + id);
                statement.addBatch();
            }
            journal.step("batch", statement::executeBatch);
            journal.step("empty batch", statement::executeBatch);
            statement.setLong(1, 30);
            statement.setLong(2, 1);
            statement.setString(3, "twice");
            statement.addBatch();
            journal.step("failing batch", statement::executeLargeBatch);
            statement.addBatch();
            journal.act("clear", statement::clearBatch);
            journal.step("cleared", statement::executeBatch);
        }
        try (Statement statement = connection.createStatement()) {
            statement.addBatch("UPDATE posts SET text = 'x' WHERE id = 30");
            statement.addBatch("DELETE FROM posts WHERE id IN (31, 32)");
            journal.step("plain batch", statement::executeBatch);
            journal.step("posts", () -> statement.executeQuery("SELECT * FROM posts ORDER BY id"));
        }
    }

    private void generatedKeys() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            journal.step("no keys", statement::getGeneratedKeys);
            journal.step(
                    "insert",
                    () -> statement.executeUpdate(
                            "INSERT INTO numbered (text) VALUES ('a')", Statement.RETURN_GENERATED_KEYS));
            journal.step("keys", statement::getGeneratedKeys);
            journal.step(
                    "by name",
                    () -> statement.execute("INSERT INTO numbered (text) VALUES ('b')", new String[] {"id"}));
            journal.step("keys", statement::getGeneratedKeys);
            journal.step(
                    "by index",
                    () -> statement.executeUpdate("INSERT INTO numbered (text) VALUES ('c')", new int[] {1}));
            journal.step(
                    "none",
                    () -> statement.executeUpdate(
                            "INSERT INTO numbered (text) VALUES ('d')", Statement.NO_GENERATED_KEYS));
            journal.step("keys", statement::getGeneratedKeys);
        }
        try (PreparedStatement statement = connection.prepareStatement(
                "INSERT INTO numbered (text) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
            statement.setString(1, "e");
            statement.addBatch();
            statement.setString(1, "f");
            statement.addBatch();
            journal.step("batch", statement::executeBatch);
            journal.step("keys", statement::getGeneratedKeys);
        }
        try (PreparedStatement statement =
                connection.prepareStatement("INSERT INTO numbered (text) VALUES (?)", new String[] {"id"})) {
            statement.setString(1, "g");
            journal.step("update", statement::executeLargeUpdate);
            journal.step("keys", statement::getGeneratedKeys);
        }
    }

    private void transactions() throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            journal.step("delete", () -> statement.executeUpdate("DELETE FROM posts WHERE id = 30"));
            Savepoint savepoint = connection.setSavepoint("here");
            journal.step("name", savepoint::getSavepointName);
            journal.step("delete", () -> statement.executeUpdate("DELETE FROM posts WHERE id = 10"));
            journal.act("back", () -> connection.rollback(savepoint));
            journal.act("release", () -> connection.releaseSavepoint(savepoint));
            journal.step("unnamed", () -> connection.setSavepoint().getSavepointId() > Integer.MIN_VALUE);
            journal.step("posts", () -> statement.executeQuery("SELECT id FROM posts ORDER BY id"));
            journal.act("rollback", connection::rollback);
            journal.step("posts", () -> statement.executeQuery("SELECT id FROM posts ORDER BY id"));
            journal.act("commit", connection::commit);
            journal.step("an error", () -> statement.executeUpdate("INSERT INTO posts (id) VALUES (10)"));
            journal.step("after it", () -> statement.executeQuery("SELECT id FROM posts WHERE id = 10"));
            journal.act("rollback", connection::rollback);
        }
        connection.setAutoCommit(true);
        journal.act("commit in auto-commit", connection::commit);
        journal.act("rollback in auto-commit", connection::rollback);
        journal.step("savepoint in auto-commit", connection::setSavepoint);
    }

    private void metaData() throws SQLException {
        DatabaseMetaData metaData = connection.getMetaData();
        journal.allWithoutArguments("meta", DatabaseMetaData.class, metaData, sql.unstable(NOT_COMPARED));
        String catalog = connection.getCatalog();
        String schema = connection.getSchema();
        String people = sql.spelled("people");
        String posts = sql.spelled("posts");
        journal.step("tables", () -> metaData.getTables(catalog, schema, null, new String[] {"TABLE"}));
        journal.step("columns", () -> metaData.getColumns(catalog, schema, people, "%"));
        journal.step("keys", () -> metaData.getPrimaryKeys(catalog, schema, people));
        journal.step("imported", () -> metaData.getImportedKeys(catalog, schema, posts));
        journal.step("exported", () -> metaData.getExportedKeys(catalog, schema, people));
        journal.step("cross", () -> metaData.getCrossReference(catalog, schema, people, catalog, schema, posts));
        journal.step(
                "best row",
                () -> metaData.getBestRowIdentifier(catalog, schema, people, DatabaseMetaData.bestRowSession, true));
        journal.step("versions", () -> metaData.getVersionColumns(catalog, schema, people));
        journal.step("udts", () -> metaData.getUDTs(catalog, schema, "nope", null));
        journal.step("privileges", () -> metaData.getColumnPrivileges(catalog, schema, people, "id"));
        journal.step("functions", () -> metaData.getFunctions(catalog, schema, "nope"));
        journal.step("procedures", () -> metaData.getProcedures(catalog, schema, "nope"));
        journal.step("supports", () -> metaData.supportsResultSetType(ResultSet.TYPE_SCROLL_INSENSITIVE));
        journal.step("converts", () -> metaData.supportsConvert(Types.INTEGER, Types.VARCHAR));
        journal.step("same connection", () -> metaData.getConnection() == connection);
    }

    private void calls(boolean proceduresExist) throws SQLException {
        for (String ddl : proceduresExist ? List.<String>of() : sql.procedures()) {
            try (Statement statement = connection.createStatement()) {
                journal.step(ddl, () -> statement.execute(ddl));
            }
        }
        if (sql.call().isEmpty()) {
            return;
        }
        try (CallableStatement call = connection.prepareCall(sql.call())) {
            journal.act("out", () -> call.registerOutParameter(1, Types.INTEGER));
            journal.act("in", () -> call.setInt(2, 41));
            journal.step("call", call::execute);
            journal.step("result", () -> call.getInt(1));
            journal.step("object", () -> call.getObject(1));
            journal.step("wasNull", call::wasNull);
            journal.step("text", () -> call.getString(1));
            journal.step("by name", () -> call.getInt("nope"));
            journal.act("by name", () -> call.setInt("nope", 1));
        }
    }

    private void misuse() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT id FROM people")) {
            journal.step("text on prepared", () -> statement.executeQuery("SELECT id FROM posts"));
            journal.step("text on prepared", () -> statement.execute("SELECT id FROM posts"));
            journal.step("text on prepared", () -> statement.executeUpdate("DELETE FROM posts WHERE id = 99"));
            journal.act("text on prepared", () -> statement.addBatch("DELETE FROM posts WHERE id = 99"));
        }
    }

    private void closing() throws SQLException {
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id FROM people ORDER BY id");
        PreparedStatement prepared = connection.prepareStatement("SELECT id FROM people WHERE id = ?");
        statement.close();
        journal.step("closed", rows::isClosed);
        journal.step("next", rows::next);
        journal.step("query", () -> statement.executeQuery("SELECT id FROM people"));
        journal.act("twice", statement::close);
        prepared.close();
        journal.act("set", () -> prepared.setInt(1, 1));
        journal.step("execute", prepared::executeQuery);
        journal.step("connection", prepared::getConnection);
        journal.act("close", connection::close);
        journal.step("closed", connection::isClosed);
        journal.step("valid", () -> connection.isValid(1));
        journal.step("statement", connection::createStatement);
        journal.step("prepare", () -> connection.prepareStatement("SELECT id FROM people"));
        journal.step("meta", connection::getMetaData);
        journal.act("commit", connection::commit);
        journal.act("auto-commit", () -> connection.setAutoCommit(false));
        journal.act("twice", connection::close);
        journal.act("begin", connection::beginRequest);
        journal.act("end", connection::endRequest);
    }
}
