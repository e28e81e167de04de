package io.leeway.privoxy.internal.fuzz;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the policy's views have shown to each user at any time of a scenario, asked past the policy after every step that
 * may change it. A value that a result has must have been among them: at no moment would a decision on the true state
 * have shown another one.
 */
final class FuzzSight {

    /** Users who ask. */
    private static final int USERS = 2;

    /** What only views show and no statement of the grammar contains as a value to store. */
    private static final Set<String> TRACKED = Set.of(
            "ada@x", "ada2@x", "bob@x", "100", "101", "200", "one", "three", "five", "six", "EVENT7", "EVENT8", "guest",
            "owner");

    private final FuzzWorld world;
    private final Connection plain;
    private final List<Set<String>> shown = new ArrayList<>();
    private boolean lost;

    FuzzSight(FuzzWorld world, Connection plain) {
        this.world = world;
        this.plain = plain;
        for (int user = 0; user < USERS; user++) {
            shown.add(new HashSet<>());
        }
    }

    /** A scenario begins. */
    void begin() {
        shown.forEach(Set::clear);
        lost = false;
    }

    /** Something may have changed. */
    void note() {
        for (int user = 1; user <= USERS && !lost; user++) {
            try (Statement statement = plain.createStatement();
                    ResultSet rows = statement.executeQuery(world.sight(user))) {
                while (rows.next()) {
                    String cell = rows.getString(1);
                    if (cell != null) {
                        shown.get(user - 1).add(cell);
                    }
                }
            } catch (SQLException changedOrLocked) {
                // From here on nobody can say what was shown when.
                lost = true;
            }
        }
    }

    /** Whether a user may know a cell. */
    boolean mayKnow(int user, String cell) {
        return lost || !TRACKED.contains(cell) || shown.get(user - 1).contains(cell);
    }
}
