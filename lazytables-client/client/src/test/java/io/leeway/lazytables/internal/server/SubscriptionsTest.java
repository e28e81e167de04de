package io.leeway.lazytables.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Who is sent which row, against sets. */
class SubscriptionsTest {

    private static final int ROWS = 4;
    private static final TableSpec SPEC = TableSpec.dense(CellType.LONG, 1);

    private final ServerTable table = new ServerTable("t", SPEC);
    private final List<Session> sessions = new ArrayList<>();

    @Test
    void aRowThatChangedIsForThoseWhoHaveItAndAreStillThere() {
        RandomGenerator random = Seeds.random("subscriptions");
        for (int peer = 0; peer < 5; peer++) {
            sessions.add(begun(peer));
        }
        Map<Long, Set<Session>> have = new HashMap<>();
        for (int step = 0; step < 3_000; step++) {
            int which = random.nextInt(sessions.size());
            Session session = sessions.get(which);
            long key = random.nextInt(ROWS);
            switch (random.nextInt(8)) {
                case 0 -> {
                    session.subscriptions.end();
                    have.values().forEach(those -> those.remove(session));
                    sessions.set(which, begun(which));
                }
                case 1, 2 -> {
                    session.subscriptions.remove(0, key);
                    have.computeIfAbsent(key, k -> new HashSet<>()).remove(session);
                }
                default -> {
                    session.subscriptions.add(0, key, table.version(key));
                    have.computeIfAbsent(key, k -> new HashSet<>()).add(session);
                }
            }
            if (random.nextInt(3) == 0) {
                update(key);
                update(key);
            }
            if (random.nextInt(3) == 0) {
                table.takeChanged();
                update(key);
                assertThat(changed()).isEqualTo(those(key, have));
                assertThat(changed()).isEmpty();
            }
        }
    }

    private Session begun(int peer) {
        var session = new Session(peer);
        session.tables.add(table);
        return session;
    }

    private void update(long key) {
        var log = new RowLog(SPEC, key);
        log.updateLong(0, 1);
        table.update(0, 1, log);
    }

    /** Each row once. */
    private Map<Long, Set<Session>> changed() {
        var changed = new HashMap<Long, Set<Session>>();
        for (Subscribers row : table.takeChanged()) {
            var those = new HashSet<Session>();
            row.all()
                    .forEach(subscription ->
                            assertThat(those.add(subscription.session)).isTrue());
            assertThat(changed.put(row.key, those)).isNull();
        }
        return changed;
    }

    private static Map<Long, Set<Session>> those(long key, Map<Long, Set<Session>> have) {
        Set<Session> those = have.getOrDefault(key, Set.of());
        return those.isEmpty() ? Map.of() : Map.of(key, those);
    }
}
