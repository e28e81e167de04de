package io.leeway.privoxy.internal.fuzz.oracle;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyException;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Runs the statements of a request in both worlds: whatever is accepted gives the same, rows in the same order. */
final class TwinJudge implements AutoCloseable {

    private static final Pattern WRITE =
            Pattern.compile("(?is)^(INSERT|REPLACE|UPDATE|DELETE|MERGE|WITH u AS \\(UPDATE)\\b.*");
    private static final int MAX_ROWS = 5_000;
    /** How often each world is asked again before a difference counts. */
    private static final int AGAIN = 8;

    private static final String REFUSED = "refused";
    private static final String FAILED = "failed";
    /** What is shown of the tables that statements write. */
    private static final List<String> WRITTEN = List.of(
            "SELECT id, author, text FROM notes ORDER BY id",
            "SELECT author, text FROM entries ORDER BY id",
            "SELECT id, name FROM users ORDER BY id");

    private final Dialect dialect;
    private final List<Connection> connections;
    private long accepted;
    private long refused;
    private long failed;

    TwinJudge(Dialect dialect, TwinWorlds worlds) throws SQLException {
        this.dialect = dialect;
        this.connections = worlds.connect();
    }

    /** What tells the worlds apart, or null. */
    @Nullable
    String judge(List<String> statements) throws SQLException {
        List<String> answers = answers(connections.get(0), statements);
        List<String> others = answers(connections.get(1), statements);
        for (int i = 0; i < statements.size(); i++) {
            String one = answers.get(i);
            String other = others.get(i);
            if (one.equals(FAILED) || other.equals(FAILED)) {
                failed++;
                return null;
            }
            if (one.equals(REFUSED)) {
                refused++;
            } else {
                accepted++;
            }
            if (!OpenLimits.areSame(dialect, statements.get(i), one, other) && !isChance(statements, i)) {
                return String.join(";\n", statements.subList(0, i + 1)) + ";\n-- A: " + one + "\n-- B: " + other;
            }
        }
        return null;
    }

    /**
     * Whether one world sometimes answers what the other does: a database that sorts at random, as H2 does for a LIMIT,
     * gives rows that a view shows whole and that ORDER BY leaves together now in this order and now in that. What a
     * world hides is always the same in it.
     */
    private boolean isChance(List<String> statements, int position) throws SQLException {
        var ones = new HashSet<String>();
        var others = new HashSet<String>();
        for (int again = 0; again < AGAIN && Collections.disjoint(ones, others); again++) {
            ones.add(answers(connections.get(0), statements).get(position));
            others.add(answers(connections.get(1), statements).get(position));
        }
        return !Collections.disjoint(ones, others);
    }

    String counts() {
        return accepted + " accepted, " + refused + " refused, " + failed + " failed";
    }

    private List<String> answers(Connection connection, List<String> statements) throws SQLException {
        var answers = new ArrayList<String>();
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 1))) {
            for (String sql : statements) {
                answers.add(request == null ? FAILED : answer(connection, sql));
            }
        }
        return answers;
    }

    private static String answer(Connection connection, String sql) throws SQLException {
        boolean isWrite = WRITE.matcher(sql).matches();
        if (isWrite) {
            connection.setAutoCommit(false);
        }
        try (Statement statement = connection.createStatement()) {
            String answer = run(statement, sql);
            if (isWrite) {
                for (String written : WRITTEN) {
                    answer += "; " + run(statement, written);
                }
            }
            return answer;
        } catch (SQLException e) {
            if (e instanceof PrivoxyException) {
                return REFUSED;
            }
            if (connection.isClosed()) {
                throw new SQLException("the server ended at: " + sql, e);
            }
            return FAILED;
        } finally {
            if (isWrite && !connection.isClosed()) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    private static String run(Statement statement, String sql) throws SQLException {
        if (!statement.execute(sql)) {
            return "count " + statement.getUpdateCount();
        }
        var rows = new ArrayList<String>();
        try (ResultSet result = statement.getResultSet()) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next() && rows.size() < MAX_ROWS) {
                var row = new StringBuilder("(");
                for (int i = 1; i <= columns; i++) {
                    row.append(i > 1 ? ", " : "").append(result.getString(i));
                }
                rows.add(row.append(')').toString());
            }
        }
        return String.join(" ", rows);
    }

    @Override
    public void close() throws SQLException {
        for (Connection connection : connections) {
            connection.close();
        }
    }
}
