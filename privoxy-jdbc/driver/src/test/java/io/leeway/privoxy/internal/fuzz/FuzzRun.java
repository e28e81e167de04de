package io.leeway.privoxy.internal.fuzz;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Savepoint;
import java.sql.Statement;
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

    private static final int CONNECTIONS = 4;
    /** Which of them leaves statements prepared in the server. */
    private static final int PREPARING = 2;
    /** Which of them is a pool's handle. */
    private static final int POOLED = 3;

    private static final int REQUESTS = 3;
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
    private final FuzzPool pool;
    private final FuzzTruth truth;
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
        this.pool = new FuzzPool(world);
        this.truth = new FuzzTruth(world, plain, REQUESTS, CONNECTIONS);
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
        return accepted + " accepted, " + refused + " refused, " + truth.compared()
                + " compared with other databases, waits that were ended: " + alarm.rung();
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
        truth.begin();
        for (int i = 0; i < REQUESTS; i++) {
            request(i, 1 + i % 2);
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
        truth.requestBegins(number);
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
            connections[number] = number == POOLED ? pool.handle() : world.connect(number == PREPARING);
            settings.get(number).clear();
            truth.opened(number);
        }
        used[number] = true;
        return connections[number];
    }

    private void step(FuzzStep step) throws SQLException {
        FuzzStep asked = asked(step);
        truth.before(asked);
        if (step.kind() == FuzzStep.Kind.WRITER) {
            write(step);
            return;
        }
        Connection connection = connection(step.connection());
        try (PrivoxyRequest.Joined joined = requests[step.request()].join()) {
            checked(step, connection, joined);
        }
        if (finding == null && truth.isBetrayedBy(asked, users[step.request()])) {
            found("another database in which the user's views show the same answers differently", step);
        }
    }

    /** What a statement that is kept is going to ask; other steps as they are. */
    private FuzzStep asked(FuzzStep step) {
        Kept one = step.kind() == FuzzStep.Kind.RUN_KEPT ? kept.get(step.connection()) : null;
        return one == null
                ? step
                : new FuzzStep(
                        FuzzStep.Kind.PREPARED,
                        step.request(),
                        step.connection(),
                        one.step.texts(),
                        one.step.choice(),
                        one.step.values());
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
                    if (step.choice() % 2 == 0) {
                        all(statement, statement.execute(), step);
                    } else {
                        read(statement.executeQuery(), step, Integer.MAX_VALUE);
                    }
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
            case VALUES -> batch(step, connection);
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
            case RECONNECT -> {
                if (step.connection() == POOLED) {
                    connections[POOLED] = pool.giveBack(step.choice());
                } else {
                    connection.close();
                }
            }
            case OLD_HANDLE -> {
                if (pool.runsAtOldHandle(step.texts().get(0))) {
                    found("a handle that was given back runs a text", step);
                }
            }
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
            if (rows.next()) {
                look(rows, step);
                FuzzUpdates.change(rows, step.choice());
                look(rows, step);
            }
        }
    }

    /** Several rows of values for one text; between them one that is set and dropped. */
    private void batch(FuzzStep step, Connection connection) throws SQLException {
        String sql = step.texts().get(0);
        int parameters = (int) sql.chars().filter(sign -> sign == '?').count();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int row = 0; (row + 1) * parameters <= step.values().size(); row++) {
                FuzzSetters.bind(statement, step, row * parameters, parameters);
                if (row == 1 && step.choice() % 3 == 0) {
                    statement.clearParameters();
                } else {
                    statement.addBatch();
                }
            }
            statement.executeBatch();
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
        try (Connection connection = world.connect(step.connection() == PREPARING)) {
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

    private static void bind(PreparedStatement statement, FuzzStep step) throws SQLException {
        FuzzSetters.bind(statement, step, 0, step.values().size());
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
                quietly(statement, "UPDATE users SET email = 'xa@x' WHERE id = " + users[step.request()], step);
                quietly(statement, "SELECT * FROM users WHERE id = " + users[step.request()], step);
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
            String cell = FuzzGetters.cell(rows, column, step.choice());
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
            if (number == POOLED) {
                pool.close();
            }
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
        pool.close();
        alarm.close();
        if (branch != null) {
            branch.close();
        }
        plain.close();
    }
}
