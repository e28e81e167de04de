package io.leeway.lazybase;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/**
 * Clients write and read at once, and what each of them did and saw is recorded. Then, as Elle does, the order in which it all could have
 * happened is sought: who overwrote whom, who read whom, who read what somebody overwrote later, who came after whom in a session, and who began after
 * an acknowledgement. A cycle of these means that no order explains the history.
 */
class HistoriesTest {

    private static final int KEYS = 6;
    private static final int WRITERS = 3;
    private static final int READERS = 3;
    private static final long PATIENCE_SECONDS = 300;

    /** A commit: what it wrote, its token, when it was acknowledged. */
    private record Commit(int session, long value, Set<Integer> keys, CommitToken token, long acknowledged) {}

    /** A read of all keys: what it saw, when it began, whether it had to see all that was acknowledged. */
    private record Read(int session, Map<Integer, Long> values, long began, boolean fresh) {}

    private final Queue<Commit> commits = new ConcurrentLinkedQueue<>();
    private final Queue<Read> reads = new ConcurrentLinkedQueue<>();
    private final AtomicLong nextValue = new AtomicLong(1);

    @Test
    void recordedHistoriesHaveAnOrder(@TempDir Path directory) throws Exception {
        var options = Map.of(
                "lazybase.directory", directory.toString(),
                "lazybase.pg.port", "0",
                "lazybase.web.port", "-1",
                "lazybase.scu.age", "20ms",
                "lazybase.merge.fan-out", "2",
                "lazybase.authority.interval", "50ms");
        long seed = Seeds.seed("histories");
        // Readers go on until all writers are done, so each needs a thread: from JDK 25 on the common pool has one on
        // two cores.
        ExecutorService sessions = Executors.newFixedThreadPool(READERS + WRITERS);
        try (LazyBaseServer server = LazyBaseServer.start(LazyBaseOptions.of(options))) {
            try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), "me", "");
                    Statement statement = connection.createStatement()) {
                for (int table = 0; table < 2; table++) {
                    statement.execute("CREATE TABLE t" + table + " (k int PRIMARY KEY, v bigint)");
                }
                statement.execute("CREATE INDEX t0_by_v ON t0 (v)");
            }
            var done = new AtomicBoolean();
            var readers = new ArrayList<CompletableFuture<Void>>();
            for (int i = 0; i < READERS; i++) {
                int session = i;
                readers.add(
                        CompletableFuture.runAsync(() -> read(server, session, seed + 100 + session, done), sessions));
            }
            var writers = new ArrayList<CompletableFuture<Void>>();
            for (int i = 0; i < WRITERS; i++) {
                int session = i;
                writers.add(CompletableFuture.runAsync(() -> write(server, session, seed + session), sessions));
            }
            for (CompletableFuture<Void> writer : writers) {
                writer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
            done.set(true);
            for (CompletableFuture<Void> reader : readers) {
                reader.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        } finally {
            sessions.shutdownNow();
        }
        assertThat(reads).isNotEmpty();
        assertThat(shortest(graph(List.copyOf(commits), List.copyOf(reads))))
                .as("commits and reads that no order explains")
                .isEmpty();
    }

    private void write(LazyBaseServer server, int session, long seed) {
        var random = new Random(seed);
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), "me", "");
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (int n = 0; n < Depth.of(150, 5_000); n++) {
                long value = nextValue.getAndIncrement();
                var keys = new HashSet<Integer>();
                for (int i = 0; i < 1 + random.nextInt(3); i++) {
                    keys.add(random.nextInt(KEYS));
                }
                for (int key : keys) {
                    statement.execute("INSERT INTO t" + key % 2 + " VALUES (" + key + ", " + value + ")");
                }
                connection.commit();
                String token = connection.unwrap(PGConnection.class).getParameterStatus("lazybase.commit_token");
                commits.add(new Commit(session, value, keys, CommitToken.parse(token), System.nanoTime()));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void read(LazyBaseServer server, int session, long seed, AtomicBoolean done) {
        var random = new Random(seed);
        String[] freshness = {"0 s", "50 ms", "any", "0 s"};
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), "me", "");
                Statement statement = connection.createStatement()) {
            while (!done.get()) {
                String bound = freshness[random.nextInt(freshness.length)];
                long began = System.nanoTime();
                var values = new HashMap<Integer, Long>();
                try (ResultSet rows = statement.executeQuery(
                        "SELECT /*+ freshness('" + bound + "') */ k, v FROM t0 UNION ALL SELECT k, v FROM t1")) {
                    while (rows.next()) {
                        assertThat(values.put(rows.getInt(1), rows.getLong(2)))
                                .as("a key twice")
                                .isNull();
                    }
                }
                reads.add(new Read(session, values, began, bound.equals("0 s")));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What came before what: an object for each commit and each read. */
    private static Map<Object, Set<Object>> graph(List<Commit> commits, List<Read> reads) {
        var after = new HashMap<Object, Set<Object>>();
        for (int session = 0; session < Math.max(WRITERS, READERS); session++) {
            int mine = session;
            chain(
                    after,
                    commits.stream().filter(commit -> commit.session == mine).toList());
            // Monotonic reads are on.
            chain(after, reads.stream().filter(read -> read.session == mine).toList());
        }
        for (int k = 0; k < KEYS; k++) {
            int key = k;
            // Of this key: a commit whose other keys are seen may have been overwritten here within its group.
            var seen = new HashSet<Long>();
            reads.forEach(read -> seen.add(read.values.get(key)));
            var versions = new TreeMap<CommitToken, List<Commit>>();
            commits.stream()
                    .filter(commit -> commit.keys.contains(key))
                    .forEach(commit -> versions.computeIfAbsent(commit.token, none -> new ArrayList<>())
                            .add(commit));
            ofKey(after, key, List.copyOf(versions.values()), reads, seen);
        }
        for (int session = 0; session < WRITERS; session++) {
            int mine = session;
            List<Commit> own =
                    commits.stream().filter(commit -> commit.session == mine).toList();
            for (Read read : reads) {
                int count = read.fresh ? acknowledgedBefore(own, read.began) : 0;
                if (count > 0) {
                    edge(after, own.get(count - 1), read);
                }
            }
        }
        return after;
    }

    private static int acknowledgedBefore(List<Commit> own, long time) {
        int low = 0;
        int high = own.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (own.get(middle).acknowledged < time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Commits of one group have one token, and the last of them is the one that is seen; of the others the order is not known. */
    private static void ofKey(
            Map<Object, Set<Object>> after, int key, List<List<Commit>> versions, List<Read> reads, Set<Long> seen) {
        var place = new HashMap<Long, Integer>();
        for (int i = 0; i < versions.size(); i++) {
            for (Commit commit : versions.get(i)) {
                place.put(commit.value, i);
                for (Commit other : versions.get(i)) {
                    if (seen.contains(commit.value) && !other.equals(commit)) {
                        edge(after, other, commit);
                    }
                }
                for (Commit next : i + 1 < versions.size() ? versions.get(i + 1) : List.<Commit>of()) {
                    edge(after, commit, next);
                }
            }
        }
        for (Read read : reads) {
            Long value = read.values.get(key);
            Integer at = value == null ? Integer.valueOf(-1) : place.get(value);
            assertThat(at).as("a value that nobody wrote: %s", value).isNotNull();
            for (Commit commit : at < 0 ? List.<Commit>of() : versions.get(at)) {
                if (value != null && commit.value == value) {
                    edge(after, commit, read);
                }
            }
            for (Commit next : at + 1 < versions.size() ? versions.get(at + 1) : List.<Commit>of()) {
                edge(after, read, next);
            }
        }
    }

    private static void chain(Map<Object, Set<Object>> after, List<?> events) {
        for (int i = 1; i < events.size(); i++) {
            edge(after, events.get(i - 1), events.get(i));
        }
    }

    private static void edge(Map<Object, Set<Object>> after, Object first, Object second) {
        after.computeIfAbsent(new Same(first), none -> new HashSet<>()).add(new Same(second));
    }

    /** Two reads may have seen the same, and are two all the same. */
    private record Same(Object event) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Same same && same.event == event;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(event);
        }
    }

    /** A shortest cycle, which is what helps to see the fault; empty if there is none. */
    private static List<Object> shortest(Map<Object, Set<Object>> after) {
        var left = cycle(after);
        List<Object> best = List.of();
        for (Object start : left) {
            var from = new HashMap<Object, Object>();
            var queue = new ArrayDeque<Object>(List.of(start));
            search:
            while (!queue.isEmpty()) {
                Object event = queue.remove();
                for (Object next : after.getOrDefault(event, Set.of())) {
                    if (next.equals(start)) {
                        var path = new ArrayList<Object>();
                        for (Object at = event; at != null; at = from.get(at)) {
                            path.add(0, at);
                        }
                        if (best.isEmpty() || path.size() < best.size()) {
                            best = path;
                        }
                        break search;
                    }
                    if (left.contains(next) && !from.containsKey(next)) {
                        from.put(next, event);
                        queue.add(next);
                    }
                }
            }
        }
        return best;
    }

    /** What is left when whatever has nothing before it is taken away, again and again: nothing if there is no cycle. */
    private static Set<Object> cycle(Map<Object, Set<Object>> after) {
        var before = new HashMap<Object, Integer>();
        after.forEach((event, next) -> {
            before.putIfAbsent(event, 0);
            next.forEach(each -> before.merge(each, 1, Integer::sum));
        });
        var ready = new ArrayDeque<Object>();
        before.forEach((event, count) -> {
            if (count == 0) {
                ready.add(event);
            }
        });
        while (!ready.isEmpty()) {
            Object event = ready.remove();
            before.remove(event);
            for (Object next : after.getOrDefault(event, Set.of())) {
                if (before.merge(next, -1, Integer::sum) == 0) {
                    ready.add(next);
                }
            }
        }
        return before.keySet();
    }
}
