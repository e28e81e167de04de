package io.leeway.privoxy.internal.fuzz;

import io.leeway.privoxy.internal.fuzz.FuzzStep.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A decision of its own on the true state, by the definition: an answer that was given has to be the same in a database in
 * which all views show the user the same and what they hide is different. What a request has read before needs no place in
 * this, as it is answered alike by both, too; but only while nothing has changed since the request began: what was true
 * then is believed for its rest.
 */
final class FuzzTruth {

    /** What has an answer of a text's. */
    private static final Set<Kind> COMPARED = EnumSet.of(Kind.QUERY, Kind.PREPARED, Kind.PARTIAL, Kind.SCROLL);
    /** What changes nothing but who asks, by what. */
    private static final Set<Kind> HARMLESS = EnumSet.of(Kind.KEEP, Kind.RUN_KEPT, Kind.NEXT_REQUEST, Kind.RECONNECT);
    /** What changes rows, and neither a session nor how long a transaction is. */
    private static final Set<Kind> CHANGING =
            EnumSet.of(Kind.WRITER, Kind.WRITE, Kind.KEYS, Kind.VALUES, Kind.UPDATABLE, Kind.OLD_HANDLE);
    /** Answers are the state's alone. */
    private static final Pattern COMPARABLE =
            Pattern.compile("(?is)(SELECT|WITH)\\b(?!.*(\\bsq\\b|LAST_INSERT|pg_)).*");

    private static final Pattern VIEW = Pattern.compile("CREATE VIEW \\w+ AS (.*);");

    private final FuzzWorld world;
    private final Connection plain;
    private final long[] begun;
    private final boolean[] isOdd;
    private long changes;
    private boolean isUnsettled;
    private long compared;

    FuzzTruth(FuzzWorld world, Connection plain, int requests, int connections) {
        this.world = world;
        this.plain = plain;
        this.begun = new long[requests];
        this.isOdd = new boolean[connections];
    }

    /** How many answers were compared so far. */
    long compared() {
        return compared;
    }

    /** A scenario begins; no transaction is open. */
    void begin() {
        isUnsettled = false;
    }

    void requestBegins(int request) {
        begun[request] = changes;
    }

    /** A connection is new, so its settings are those of {@link FuzzWorld#plain}. */
    void opened(int connection) {
        isOdd[connection] = false;
    }

    /** Something is going to be done. */
    void before(FuzzStep step) {
        boolean isWrite = CHANGING.contains(step.kind()) || (step.kind() == Kind.PREPARED && !isQuery(step));
        if (isWrite) {
            changes++;
        } else if (!COMPARED.contains(step.kind()) && !HARMLESS.contains(step.kind())) {
            changes++;
            isUnsettled = true;
            isOdd[step.connection()] = true;
        }
    }

    private static boolean isQuery(FuzzStep step) {
        return COMPARABLE.matcher(step.texts().get(0)).lookingAt();
    }

    /** Whether an answer that a user was given tells what no view shows. */
    boolean isBetrayedBy(FuzzStep step, int user) throws SQLException {
        boolean isBound = !step.values().isEmpty();
        if (isUnsettled
                || isOdd[step.connection()]
                || begun[step.request()] != changes
                || (isBound && step.choice() != FuzzSetters.OBJECT)
                || !COMPARED.contains(step.kind())
                || !COMPARABLE.matcher(step.texts().get(0)).matches()) {
            return false;
        }
        plain.setAutoCommit(false);
        try {
            return isDifferentElsewhere(step, user);
        } catch (SQLException locked) {
            return false;
        } finally {
            plain.rollback();
            plain.setAutoCommit(true);
        }
    }

    private boolean isDifferentElsewhere(FuzzStep step, int user) throws SQLException {
        List<String> here = answer(step.texts().get(0), step.values());
        List<Set<String>> shownHere = shown(user);
        try (Statement statement = plain.createStatement()) {
            for (String sql : world.hide(user)) {
                statement.addBatch(sql);
            }
            statement.executeBatch();
        }
        if (!shown(user).equals(shownHere)) {
            return false;
        }
        compared++;
        return !answer(step.texts().get(0), step.values()).equals(here);
    }

    private List<Set<String>> shown(int user) throws SQLException {
        var all = new ArrayList<Set<String>>();
        for (String view : VIEW.matcher(world.policyText)
                .results()
                .map(each -> each.group(1))
                .toList()) {
            all.add(new HashSet<>(answer(view.replace("?MyUId", Integer.toString(user)), List.of())));
        }
        return all;
    }

    /** In no order, since the text need not ask for one. */
    private List<String> answer(String sql, List<Object> values) throws SQLException {
        var all = new ArrayList<String>();
        try (PreparedStatement statement = plain.prepareStatement(sql)) {
            for (int i = 0; i < values.size(); i++) {
                statement.setObject(i + 1, values.get(i));
            }
            try (ResultSet rows = statement.executeQuery()) {
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    var row = new ArrayList<String>();
                    for (int column = 1; column <= columns; column++) {
                        row.add(rows.getString(column));
                    }
                    all.add(row.toString());
                }
            }
        }
        Collections.sort(all);
        return all;
    }
}
