package io.leeway.privoxy.internal.fuzz;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.internal.sql.Dialect;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs scenarios in one world and looks for canaries in whatever comes back. Connections are kept from one scenario to the
 * next, as a pool would; what a scenario leaves behind is undone as a pool undoes it.
 */
final class FuzzRun implements AutoCloseable {

    private static final int CONNECTIONS = 3;
    private static final int REQUESTS = 2;
    private static final int FIRST_EVENT = 7;
    /** Steps that change nothing that others see. */
    private static final Set<FuzzStep.Kind> READING = EnumSet.of(
            FuzzStep.Kind.QUERY,
            FuzzStep.Kind.PREPARED,
            FuzzStep.Kind.PARTIAL,
            FuzzStep.Kind.SCROLL,
            FuzzStep.Kind.KEEP,
            FuzzStep.Kind.TWO_THREADS,
            FuzzStep.Kind.SAVEPOINT,
            FuzzStep.Kind.SCHEMA,
            FuzzStep.Kind.NEXT_REQUEST);
    /** Begins what comes of a text that was run. */
    private static final String DONE = "done ";

    private final FuzzWorld world;
    private final Connection plain;
    private final Connection[] connections = new Connection[CONNECTIONS];
    /** Whether each was used in this scenario. */
    private final boolean[] used = new boolean[CONNECTIONS];

    private final PrivoxyRequest[] requests = new PrivoxyRequest[REQUESTS];
    /** The events that a request's user has been a member of, as user * 10 + event, at any time of the request. */
    private final List<Set<Integer>> everMember = new ArrayList<>();

    private final FuzzSight sight;
    private final FuzzAlarm alarm;
    private final Map<Integer, Kept> kept = new HashMap<>();
    /** What has set each connection's session since it was opened. */
    private final List<List<FuzzStep>> settings = new ArrayList<>();

    private final List<Map<String, Savepoint>> savepoints = new ArrayList<>();
    private @Nullable String finding;
    private @Nullable XaBranch branch;
    private boolean schemaChanged;
    /** At the scenario's beginning. */
    private int rungBefore;

    private long accepted;
    private long refused;

    FuzzRun(FuzzWorld world) throws SQLException {
        this.world = world;
        this.plain = world.plain();
        this.sight = new FuzzSight(world, plain);
        this.alarm = new FuzzAlarm(world, plain);
        for (int i = 0; i < REQUESTS; i++) {
            everMember.add(new HashSet<>());
        }
        for (int i = 0; i < CONNECTIONS; i++) {
            savepoints.add(new HashMap<>());
            settings.add(new ArrayList<>());
        }
    }

    /** Statements that were run and that were refused so far. */
    String counts() {
        return accepted + " accepted, " + refused + " refused, waits that were ended: " + alarm.rung();
    }

    /** Runs a scenario; returns what is wrong with it, or null. */
    @Nullable
    String run(List<FuzzStep> steps) throws SQLException {
        finding = null;
        rungBefore = alarm.rung();
        alarm.set();
        try {
            begin();
            for (FuzzStep step : steps) {
                try {
                    step(step);
                    accepted++;
                } catch (SQLException | RuntimeException notDone) {
                    refused++;
                    String message = String.valueOf(notDone.getMessage());
                    boolean asked = step.texts().stream().anyMatch(text -> text.contains(FuzzWorld.SECRET));
                    if (!asked && FuzzWorld.SAID.matcher(message).find()) {
                        found("an error that says a secret: " + message, step);
                    }
                }
                if (finding != null) {
                    return finding;
                }
            }
            end();
            if (!isIntact()) {
                found("rows that nobody may see were changed", steps.get(steps.size() - 1));
            }
            isServed();
            return finding;
        } finally {
            end();
            alarm.off();
        }
    }

    private void begin() throws SQLException {
        if (schemaChanged) {
            closeConnections();
            rebuild();
            schemaChanged = false;
        }
        world.reset(plain);
        sight.begin();
        for (int i = 0; i < REQUESTS; i++) {
            request(i, i + 1);
        }
    }

    /** What was changed past the policy would be noticed within a minute; what a checked connection changes, at once. */
    private void rebuild() throws SQLException {
        world.rebuild(plain);
        try (Statement statement = connection(0).createStatement()) {
            statement.execute("DROP TABLE IF EXISTS t2");
        }
    }

    private void request(int number, int user) throws SQLException {
        if (requests[number] != null) {
            requests[number].close();
        }
        requests[number] = Privoxy.open(Map.of("MyUId", (long) user));
        everMember.get(number).clear();
        users[number] = user;
        noteMembers();
    }

    private final int[] users = new int[REQUESTS];

    private void noteMembers() throws SQLException {
        sight.note();
        try (Statement statement = plain.createStatement();
                ResultSet rows = statement.executeQuery("SELECT user_id, event_id FROM members")) {
            while (rows.next()) {
                for (int i = 0; i < REQUESTS; i++) {
                    if (users[i] == rows.getInt(1)) {
                        everMember.get(i).add(rows.getInt(2));
                    }
                }
            }
        }
    }

    private Connection connection(int number) throws SQLException {
        if (connections[number] == null || connections[number].isClosed()) {
            connections[number] = open(number);
            settings.get(number).clear();
        }
        used[number] = true;
        return connections[number];
    }

    private Connection open(int number) throws SQLException {
        return world.connect(number == CONNECTIONS - 1);
    }

    private void step(FuzzStep step) throws SQLException {
        if (step.kind() == FuzzStep.Kind.WRITER) {
            write(step);
            return;
        }
        Connection connection = connection(step.connection());
        try (PrivoxyRequest.Joined joined = requests[step.request()].join()) {
            checked(step, connection, joined);
        }
    }

    private void write(FuzzStep step) throws SQLException {
        try (Statement statement = plain.createStatement()) {
            statement.execute(step.texts().get(0));
        }
        noteMembers();
    }

    private void checked(FuzzStep step, Connection connection, PrivoxyRequest.Joined joined) throws SQLException {
        switch (step.kind()) {
            case QUERY -> query(step, connection, Integer.MAX_VALUE);
            case PARTIAL -> query(step, connection, step.choice() % 3);
            case SCROLL -> scroll(step, connection);
            case PREPARED -> {
                try (PreparedStatement statement =
                        connection.prepareStatement(step.texts().get(0))) {
                    bind(statement, step);
                    read(statement.executeQuery(), step, Integer.MAX_VALUE);
                }
            }
            case KEEP -> {
                PreparedStatement statement =
                        connection.prepareStatement(step.texts().get(0));
                kept.put(step.connection(), new Kept(statement, step));
                if (step.choice() % 2 == 0) {
                    if (world.dialect == Dialect.MARIADB) {
                        // Behind a text of which a later statement failed its driver waits for more answers (limits).
                        connection.isValid(10);
                    }
                    // Then the driver has it prepared.
                    statement.getMetaData();
                }
                bind(statement, step);
            }
            case RUN_KEPT -> {
                Kept one = kept.get(step.connection());
                if (one != null && step.choice() % 4 == 0) {
                    one.statement.close();
                    PreparedStatement again =
                            connection.prepareStatement(one.step.texts().get(0));
                    bind(again, one.step);
                    all(again, again.execute(), step);
                } else if (one != null) {
                    bind(one.statement, one.step);
                    all(one.statement, one.statement.execute(), step);
                }
            }
            case UPDATABLE -> updatable(step, connection);
            case WRITE -> {
                try (Statement statement = connection.createStatement()) {
                    all(statement, statement.execute(step.texts().get(0)), step);
                }
            }
            case SET, SCHEMA -> {
                set(step, connection);
                settings.get(step.connection()).add(step);
            }
            case DDL -> ddl(step, connection);
            case GUESS -> guess(step, connection);
            case TWO_THREADS -> twoThreads(step, connection);
            case KEYS -> {
                try (Statement statement = connection.createStatement()) {
                    String[] names =
                            step.choice() % 2 == 0 ? new String[] {"id"} : new String[] {"id", "email", "title"};
                    statement.executeUpdate(step.texts().get(0), names);
                    read(statement.getGeneratedKeys(), step, Integer.MAX_VALUE);
                }
            }
            case BATCH -> {
                try (Statement statement = connection.createStatement()) {
                    for (String sql : step.texts()) {
                        statement.addBatch(sql);
                    }
                    statement.executeBatch();
                }
            }
            case MULTI -> {
                try (Statement statement = connection.createStatement()) {
                    all(statement, statement.execute(String.join("; ", step.texts())), step);
                }
            }
            case AUTO_COMMIT -> connection.setAutoCommit(step.choice() % 3 == 0);
            case COMMIT -> connection.commit();
            case ROLLBACK -> connection.rollback();
            case SAVEPOINT ->
                savepoints
                        .get(step.connection())
                        .put(
                                step.texts().get(0),
                                connection.setSavepoint(step.texts().get(0)));
            case ROLLBACK_TO -> {
                Savepoint savepoint =
                        savepoints.get(step.connection()).get(step.texts().get(0));
                if (savepoint != null) {
                    connection.rollback(savepoint);
                }
            }
            case RELEASE -> {
                Savepoint savepoint =
                        savepoints.get(step.connection()).remove(step.texts().get(0));
                if (savepoint != null) {
                    connection.releaseSavepoint(savepoint);
                }
            }
            case ISOLATION ->
                connection.setTransactionIsolation(new int[] {
                            Connection.TRANSACTION_READ_COMMITTED,
                            Connection.TRANSACTION_REPEATABLE_READ,
                            Connection.TRANSACTION_SERIALIZABLE
                        }
                        [step.choice() % 3]);
            case READ_ONLY -> connection.setReadOnly(step.choice() % 2 == 0);
            case RECONNECT -> connection.close();
            case NEXT_REQUEST -> {
                joined.close();
                request(step.request(), 1 + (step.choice() % 2));
            }
            case XA -> xa(step);
            case WRITER -> throw new IllegalStateException("not a checked step");
        }
        // What was committed may have changed who is a member.
        if (!READING.contains(step.kind())) {
            noteMembers();
        }
    }

    private void query(FuzzStep step, Connection connection, int rows) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (step.choice() % 8 == 7) {
                statement.setFetchSize(1);
            }
            if (step.choice() % 8 == 6) {
                statement.setMaxRows(1);
            }
            read(statement.executeQuery(step.texts().get(0)), step, rows);
        }
    }

    private void scroll(FuzzStep step, Connection connection) throws SQLException {
        try (Statement statement =
                        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
                ResultSet rows = statement.executeQuery(step.texts().get(0))) {
            boolean on = switch (step.choice() % 4) {
                case 0 -> rows.last();
                case 1 -> rows.absolute(2);
                case 2 -> rows.first();
                default -> rows.relative(1);
            };
            if (on) {
                look(rows, step);
            }
            while (rows.previous()) {
                look(rows, step);
            }
        }
    }

    private void updatable(FuzzStep step, Connection connection) throws SQLException {
        try (Statement statement =
                        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                ResultSet rows = statement.executeQuery(step.texts().get(0))) {
            if (!rows.next()) {
                return;
            }
            look(rows, step);
            switch (step.choice() % 4) {
                case 0 -> rows.refreshRow();
                case 1 -> {
                    rows.updateString(2, "own");
                    rows.updateRow();
                }
                case 2 -> rows.deleteRow();
                default -> {
                    rows.updateLong(1, 2);
                    rows.refreshRow();
                }
            }
            look(rows, step);
        }
    }

    /** A statement that a step has prepared. */
    private record Kept(PreparedStatement statement, FuzzStep step) {}

    /** Changes a setting, by text or by method. */
    private void set(FuzzStep step, Connection connection) throws SQLException {
        String name = step.texts().get(0);
        if (step.kind() == FuzzStep.Kind.SET) {
            try (Statement statement = connection.createStatement()) {
                all(statement, statement.execute(name), step);
            }
        } else if (world.dialect == Dialect.MARIADB) {
            connection.setCatalog(name.equalsIgnoreCase(FuzzWorld.OTHER) ? world.other : world.database.name());
        } else {
            connection.setSchema(name);
        }
    }

    private void ddl(FuzzStep step, Connection connection) throws SQLException {
        String sql = step.texts().get(0);
        try (Statement statement = connection.createStatement()) {
            int count = statement.executeUpdate(sql);
            schemaChanged = true;
            if (count > 0 && !sql.contains(" AS SELECT")) {
                found("a count of rows that nobody may see", step);
            }
        } catch (SQLException notDone) {
            // What the database itself did not do may have ended a transaction with changes in it.
            schemaChanged |= !(notDone instanceof PrivoxyException);
            throw notDone;
        }
    }

    /** Two texts of which the first guesses right: what comes of them must not differ. */
    private void guess(FuzzStep step, Connection connection) throws SQLException {
        if (!connection.getAutoCommit() || schemaChanged) {
            // Then the rows of the beginning need not fit any more.
            return;
        }
        String first = step.texts().get(0);
        if (!first.startsWith("CREATE") && !first.startsWith("ALTER")) {
            rollBackAll();
            compare(step, outcome(first, connection), outcome(step.texts().get(1), connection));
            return;
        }
        // Each on a connection of its own with the same settings, beside nobody who holds a lock: the first may change
        // the
        // schema, after which all are opened anew.
        List<FuzzStep> before = List.copyOf(settings.get(step.connection()));
        closeConnections();
        compare(step, change(first, step, before), change(step.texts().get(1), step, before));
    }

    /**
     * The rows of the beginning cannot be made anew while somebody holds one of them; also who is to guess may, in a transaction
     * that a text has begun.
     */
    private void rollBackAll() throws SQLException {
        for (Connection each : connections) {
            if (each != null && !each.isClosed()) {
                boolean auto = each.getAutoCommit();
                each.setAutoCommit(false);
                each.rollback();
                each.setAutoCommit(auto);
            }
        }
    }

    private void compare(FuzzStep step, String right, String wrong) {
        if (!right.equals(wrong) && alarm.rung() == rungBefore) {
            found("a guess is answered by " + right + " if right, by " + wrong + " if wrong", step);
        }
    }

    /** What comes of a change of the schema, which is taken back. */
    private String change(String sql, FuzzStep step, List<FuzzStep> before) throws SQLException {
        String outcome;
        try (Connection connection = open(step.connection())) {
            for (FuzzStep setting : before) {
                try {
                    set(setting, connection);
                } catch (SQLException refusedHere) {
                    // As it is for the other guess.
                }
            }
            outcome = outcome(sql, connection);
        }
        if (outcome.startsWith(DONE)) {
            rebuild();
        }
        world.reset(plain);
        return outcome;
    }

    private String outcome(String sql, Connection connection) throws SQLException {
        world.reset(plain);
        long counted = world.count(plain);
        var outcome = new StringBuilder(DONE);
        try (Statement statement = connection.createStatement()) {
            if (statement.execute(sql)) {
                try (ResultSet rows = statement.getResultSet()) {
                    while (rows.next()) {
                        outcome.append(rows.getString(1)).append(' ');
                    }
                }
            } else {
                outcome.append(statement.getUpdateCount());
            }
            for (SQLWarning told = statement.getWarnings(); told != null; told = told.getNextWarning()) {
                outcome.append(" a warning");
            }
        } catch (SQLException failed) {
            outcome.replace(
                    0, outcome.length(), failed instanceof PrivoxyException ? "a refusal" : failed.getSQLState());
        }
        outcome.append(", counted ").append(world.count(plain) - counted);
        if (world.dialect == Dialect.MARIADB) {
            outcome.append(", last number ").append(lastNumber(connection));
        }
        world.reset(plain);
        noteMembers();
        return outcome.toString();
    }

    private static String lastNumber(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT LAST_INSERT_ID()")) {
            row.next();
            return row.getString(1);
        }
    }

    /** While the one sets users, the other asks for the address of the user who is set. */
    private void twoThreads(FuzzStep step, Connection connection) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(step.texts().get(0))) {
            statement.setLong(1, 1);
            var other = new Thread(() -> {
                try {
                    for (int i = 0; i < 200; i++) {
                        statement.setLong(1, 1 + i % 4);
                    }
                } catch (SQLException ended) {
                    // Then nothing more is set.
                }
            });
            other.start();
            for (int i = 0; i < 20 || other.isAlive(); i++) {
                try {
                    read(statement.executeQuery(), step, Integer.MAX_VALUE);
                } catch (SQLException refused) {
                    // It was somebody else's, or something is locked.
                }
            }
        }
    }

    /** The value by one of the setters that take it. */
    private static void bind(PreparedStatement statement, FuzzStep step) throws SQLException {
        if (step.values().isEmpty()) {
            return;
        }
        Object value = step.values().get(0);
        int[] types = {
            Types.TINYINT,
            Types.SMALLINT,
            Types.INTEGER,
            Types.BIGINT,
            Types.NUMERIC,
            Types.DOUBLE,
            Types.REAL,
            Types.CHAR,
            Types.VARCHAR,
            Types.NCHAR,
            Types.BOOLEAN,
            Types.OTHER
        };
        int choice = step.choice();
        if (choice < types.length) {
            statement.setObject(1, value, types[choice]);
        } else if (value instanceof Long number && choice < 20) {
            switch (choice) {
                case 12 -> statement.setInt(1, number.intValue());
                case 13 -> statement.setDouble(1, number);
                case 14 -> statement.setString(1, number.toString());
                case 15 -> statement.setBigDecimal(1, BigDecimal.valueOf(number));
                default -> statement.setLong(1, number);
            }
        } else if (value instanceof String text && choice < 20) {
            statement.setString(1, text);
        } else {
            statement.setObject(1, value);
        }
    }

    /** A branch with reads in it, after its end and after it. */
    private void xa(FuzzStep step) throws SQLException {
        if (branch == null) {
            branch = new XaBranch(world);
        }
        boolean done = false;
        try {
            Connection handle = branch.start();
            try (Statement statement = handle.createStatement()) {
                quietly(statement, step.texts().get(0), step);
                quietly(statement, "UPDATE users SET email = 'xa@x' WHERE id = " + (step.request() + 1), step);
                quietly(statement, "SELECT * FROM users WHERE id = " + (step.request() + 1), step);
                branch.end();
                quietly(statement, step.texts().get(1), step);
                branch.finish(step.choice() % 2 == 0);
                quietly(statement, step.texts().get(1), step);
            }
            done = true;
        } finally {
            if (!done) {
                XaBranch broken = branch;
                branch = null;
                broken.close();
            }
        }
    }

    private void quietly(Statement statement, String sql, FuzzStep step) throws SQLException {
        try {
            all(statement, statement.execute(sql), step);
        } catch (SQLException refusedOrNot) {
            refused++;
        }
    }

    private void all(Statement statement, boolean first, FuzzStep step) throws SQLException {
        boolean result = first;
        for (int i = 0; i < 10 && (result || statement.getUpdateCount() >= 0); i++) {
            if (result) {
                read(statement.getResultSet(), step, Integer.MAX_VALUE);
            }
            result = statement.getMoreResults();
        }
    }

    private void read(@Nullable ResultSet rows, FuzzStep step, int most) throws SQLException {
        if (rows == null) {
            return;
        }
        try (rows) {
            for (int i = 0; i < most && rows.next(); i++) {
                look(rows, step);
            }
        }
    }

    private void look(ResultSet rows, FuzzStep step) throws SQLException {
        int columns = rows.getMetaData().getColumnCount();
        for (int column = 1; column <= columns; column++) {
            String cell = cell(rows, column, step.choice());
            if (cell == null) {
                continue;
            }
            if (cell.contains(FuzzWorld.SECRET) || cell.startsWith("77700")) {
                found("a secret came back: " + cell, step);
            }
            if (!sight.mayKnow(users[step.request()], cell)) {
                found("what no view has shown came back: " + cell, step);
            }
            if (cell.startsWith(FuzzWorld.EVENT) && cell.length() == FuzzWorld.EVENT.length() + 1) {
                int event = cell.charAt(FuzzWorld.EVENT.length()) - '0';
                if (event >= FIRST_EVENT
                        && event <= 9
                        && !everMember.get(step.request()).contains(event)) {
                    found("an event of others came back: " + cell, step);
                }
            }
        }
    }

    /** A cell by one of the getters; by the plainest if the driver does not have it for the column's type. */
    private static @Nullable String cell(ResultSet rows, int column, int choice) throws SQLException {
        try {
            return switch (choice % 8) {
                case 1, 5 -> String.valueOf(rows.getObject(column));
                case 3 -> rows.getObject(column, String.class);
                case 7 -> rows.getNString(column);
                default -> rows.getString(column);
            };
        } catch (SQLException | RuntimeException notSo) {
            return rows.getString(column);
        }
    }

    private void found(String what, FuzzStep step) {
        finding = what + " at " + step;
    }

    /** What views show is not refused, whatever was done before. */
    private void isServed() throws SQLException {
        if (schemaChanged || connections[0] == null || connections[0].isClosed()) {
            return;
        }
        try (PrivoxyRequest.Joined joined = requests[0].join();
                Statement statement = connections[0].createStatement()) {
            for (String sql : List.of(
                    "SELECT id, name FROM users",
                    "SELECT * FROM users WHERE id = " + users[0],
                    "SELECT * FROM posts WHERE public = TRUE",
                    "SELECT * FROM notes WHERE id = 1",
                    "SELECT id, label FROM settings")) {
                FuzzStep last = new FuzzStep(FuzzStep.Kind.QUERY, 0, 0, List.of(sql), 0, List.of());
                try (ResultSet rows = statement.executeQuery(sql)) {
                    while (joined != null && rows.next()) {
                        look(rows, last);
                    }
                } catch (SQLException refused) {
                    if (refused instanceof PrivoxyException) {
                        found("what a view shows is refused: " + refused.getMessage(), last);
                    }
                }
            }
        }
    }

    private boolean isIntact() throws SQLException {
        if (schemaChanged) {
            return true;
        }
        try (Statement statement = plain.createStatement()) {
            return count(statement, "SELECT count(*) FROM users WHERE email LIKE 'SECRET%' AND salary > 777000") == 2
                    && count(statement, "SELECT count(*) FROM posts WHERE title LIKE 'SECRET%' AND public = FALSE") == 2
                    && count(statement, "SELECT count(*) FROM events WHERE title LIKE 'SECRET%'") == 1;
        }
    }

    private static int count(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private void end() {
        kept.clear();
        settings.forEach(List::clear);
        savepoints.forEach(Map::clear);
        for (int i = 0; i < CONNECTIONS; i++) {
            Connection connection = connections[i];
            try {
                if (used[i] && connection != null && !connection.isClosed()) {
                    used[i] = false;
                    tidy(connection);
                }
            } catch (SQLException broken) {
                close(i);
            }
        }
    }

    private void tidy(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        connection.rollback();
        connection.setAutoCommit(true);
        connection.setReadOnly(false);
        connection.setTransactionIsolation(
                world.dialect == Dialect.MARIADB
                        ? Connection.TRANSACTION_REPEATABLE_READ
                        : Connection.TRANSACTION_READ_COMMITTED);
        try (Statement statement = connection.createStatement()) {
            switch (world.dialect) {
                case POSTGRESQL -> statement.execute("RESET ALL");
                case MARIADB -> {
                    connection.setCatalog(world.database.name());
                    statement.execute("SET sql_mode = DEFAULT");
                    statement.execute("SET sql_select_limit = DEFAULT");
                }
                case H2 -> statement.execute("SET SCHEMA PUBLIC");
            }
        }
    }

    private void close(int number) {
        try {
            connections[number].close();
        } catch (SQLException gone) {
            // It is gone then.
        }
        connections[number] = null;
    }

    private void closeConnections() {
        for (int i = 0; i < CONNECTIONS; i++) {
            if (connections[i] != null) {
                close(i);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        closeConnections();
        alarm.close();
        if (branch != null) {
            branch.close();
        }
        plain.close();
    }
}
