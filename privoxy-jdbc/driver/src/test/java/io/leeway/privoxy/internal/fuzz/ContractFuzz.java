package io.leeway.privoxy.internal.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.fuzz.FuzzStep.Kind;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import io.leeway.testkit.db.DatabaseServer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random scenarios of requests, connections, transactions, settings, values, driver features and changes of the schema,
 * beside somebody who writes past the policy: no canary comes back and none is changed. For each database. A failure is
 * shrunk by leaving steps out, and printed as it can be kept in {@link #corpus}.
 */
abstract class ContractFuzz {

    private static final int WORLDS = 3;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Logger LOG = Logger.getLogger("io.leeway.privoxy");

    @TempDir
    Path directory;

    private @Nullable Level level;

    abstract DatabaseServer server();

    abstract Dialect dialect();

    /** Scenarios of the fast tier. */
    int fast() {
        return 150;
    }

    @BeforeEach
    void quiet() {
        level = LOG.getLevel();
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void loud() {
        LOG.setLevel(level);
    }

    @Test
    void noScenarioGetsACanaryOut() throws SQLException {
        long seed = Seeds.seed("contract " + dialect());
        int all = Integer.getInteger("privoxy.fuzz.scenarios", Depth.of(fast(), 34_000));
        int done = 0;
        long start = System.nanoTime();
        for (int number = Integer.getInteger("privoxy.fuzz.first", 0); done < all; number++) {
            var random = new Random(seed + number);
            try (FuzzWorld world = new FuzzWorld(dialect(), server(), directory, number, random);
                    FuzzRun run = new FuzzRun(world)) {
                var grammar = new FuzzGrammar(random, dialect());
                int share = Math.max(1, Math.min(all - done, Math.max(all / WORLDS, Math.min(all, 2_000) / WORLDS)));
                share = Math.min(share, 1_000);
                for (int i = 0; i < share; i++) {
                    check(world, run, grammar.scenario());
                }
                done += share;
                print(done + " scenarios on " + dialect() + " in " + (System.nanoTime() - start) / 1_000_000 + " ms ("
                        + THREADS.getCurrentThreadCpuTime() / 1_000_000 + " of CPU), the last world: " + run.counts());
            }
        }
    }

    @Test
    void noScenarioThatOnceGotACanaryOutDoesSo() throws SQLException {
        for (int number = 0; number < WORLDS; number++) {
            try (FuzzWorld world =
                            new FuzzWorld(dialect(), server(), directory, 1_000_000 + number, new Random(number));
                    FuzzRun run = new FuzzRun(world)) {
                for (List<FuzzStep> scenario : corpus()) {
                    check(world, run, scenario);
                }
            }
        }
    }

    private static void check(FuzzWorld world, FuzzRun run, List<FuzzStep> scenario) throws SQLException {
        String finding;
        try {
            finding = run.run(scenario);
        } catch (SQLException ended) {
            // A server that has ended is no finding of privoxy, but one wants to know at what.
            throw new SQLException(
                    "the connection past the policy broke at\n"
                            + scenario.stream().map(FuzzStep::toString).collect(Collectors.joining("\n")),
                    ended);
        }
        if (finding != null) {
            List<FuzzStep> small = shrunk(run, scenario);
            String shown = small.stream().map(FuzzStep::toString).collect(Collectors.joining("\n"));
            try (FuzzRun fresh = new FuzzRun(world)) {
                // What other connections have left behind is not there for these.
                shown += fresh.run(small) != null ? "" : "\n(not with connections that have done nothing before)";
            }
            assertThat(finding).as("%s%n%s%n%s", finding, world, shown).isNull();
        }
    }

    /** The scenario without the steps that the finding does not need. */
    private static List<FuzzStep> shrunk(FuzzRun run, List<FuzzStep> scenario) throws SQLException {
        List<FuzzStep> small = new ArrayList<>(scenario);
        for (int i = small.size() - 1; i >= 0; i--) {
            List<FuzzStep> without = new ArrayList<>(small);
            without.remove(i);
            if (!without.isEmpty() && run.run(without) != null) {
                small = without;
            }
        }
        return small;
    }

    @SuppressWarnings("SystemOut") // How many were run is what one wants to know.
    private static void print(String text) {
        System.out.println(text);
    }

    /** Scenarios after the cases that were found by hand, and what was found since. */
    private List<List<FuzzStep>> corpus() {
        var all = new ArrayList<List<FuzzStep>>();
        all.add(List.of(
                step(Kind.QUERY, 0, "SELECT * FROM posts WHERE author_id = 1"),
                step(Kind.WRITER, 0, "UPDATE posts SET author_id = 3 WHERE id = 1"),
                step(Kind.QUERY, 0, "SELECT * FROM posts WHERE public = TRUE"),
                step(Kind.QUERY, 0, "SELECT * FROM posts")));
        // The guess's rows were not made anew, as the transaction that a text had begun held one.
        all.add(List.of(
                step(Kind.SET, 0, dialect() == Dialect.H2 ? "BEGIN" : "START TRANSACTION"),
                step(Kind.WRITE, 0, "UPDATE users SET email = 'own@x' WHERE id = 2"),
                step(Kind.GUESS, 0, "SELECT id FROM users", "SELECT id FROM users")));
        all.add(List.of(
                step(Kind.QUERY, 0, "SELECT * FROM users WHERE id = 1"),
                step(Kind.WRITER, 0, "UPDATE users SET email = 'ada2@x' WHERE id = 1"),
                step(Kind.QUERY, 1, "SELECT * FROM users WHERE id = 1"),
                step(Kind.QUERY, 0, "SELECT * FROM users"),
                step(Kind.QUERY, 0, "SELECT id, email FROM users WHERE id = 3")));
        all.add(List.of(
                step(Kind.AUTO_COMMIT, 0),
                step(Kind.WRITE, 0, "UPDATE users SET email = 'own@x' WHERE id = 1"),
                step(Kind.QUERY, 0, "SELECT * FROM users WHERE id = 1"),
                step(Kind.QUERY, 1, "SELECT * FROM users WHERE id = 1"),
                step(Kind.QUERY, 1, "SELECT * FROM users")));
        all.add(List.of(
                step(Kind.AUTO_COMMIT, 0),
                step(Kind.ISOLATION, 0),
                step(Kind.QUERY, 0, "SELECT * FROM posts WHERE author_id = 1"),
                step(Kind.WRITER, 0, "UPDATE posts SET author_id = 3 WHERE id = 1"),
                step(Kind.QUERY, 0, "SELECT * FROM posts WHERE author_id = 1 FOR UPDATE"),
                step(Kind.QUERY, 1, "SELECT * FROM posts WHERE public = TRUE"),
                step(Kind.QUERY, 0, "SELECT * FROM posts")));
        all.add(List.of(
                step(Kind.MULTI, 0, "BEGIN", "UPDATE users SET email = 'own@x' WHERE id = 1"),
                step(Kind.QUERY, 0, "SELECT * FROM users WHERE id = 1"),
                step(Kind.SET, 0, "ROLLBACK"),
                step(Kind.QUERY, 0, "SELECT * FROM users WHERE id = 1"),
                step(Kind.QUERY, 0, "SELECT * FROM users")));
        all.add(List.of(
                step(
                        Kind.BATCH,
                        0,
                        "SET sql_mode = 'ANSI_QUOTES'",
                        "INSERT INTO notes SELECT id + 500, 1, \"email\" FROM users"),
                step(Kind.QUERY, 0, "SELECT * FROM notes")));
        all.add(List.of(
                step(Kind.XA, 0, "SELECT * FROM users WHERE id = 1", "SELECT * FROM users WHERE id = 1"),
                step(Kind.QUERY, 0, "SELECT * FROM users")));
        for (String sql : List.of(
                "SELECT id, name /* from posts */ FROM users WHERE id = 2",
                "SELECT id, name -- from posts \n FROM users WHERE id = 2")) {
            all.add(List.of(step(Kind.UPDATABLE, 0, sql)));
        }
        // Rows of one schema, keys of another.
        all.add(List.of(
                step(Kind.QUERY, 1, "SELECT * FROM posts WHERE public = TRUE"),
                step(Kind.WRITE, 0, "DELETE FROM posts WHERE public = TRUE"),
                step(Kind.DDL, 0, "CREATE UNIQUE INDEX uq ON posts (author_id)"),
                step(Kind.QUERY, 1, "SELECT * FROM posts WHERE author_id = 3"),
                step(
                        Kind.XA,
                        0,
                        "SELECT * FROM posts WHERE public = TRUE",
                        "SELECT * FROM posts WHERE author_id = 3")));
        all.add(List.of(step(
                Kind.XA, 0, "SELECT * FROM posts WHERE public = TRUE", "SELECT * FROM posts WHERE author_id = 3")));
        // A guess in a schema that is not there; the second was once run in another one.
        for (String schema : List.of("x", "PUBLIC")) {
            all.add(List.of(
                    step(Kind.SCHEMA, 0, schema),
                    step(
                            Kind.GUESS,
                            0,
                            "ALTER TABLE settings ADD COLUMN c INT DEFAULT (1 / (hidden = 'SECRET one'))",
                            "ALTER TABLE settings ADD COLUMN c INT DEFAULT (1 / (hidden = 'SECRET ones'))")));
        }
        return all;
    }

    private static FuzzStep step(Kind kind, int connection, String... texts) {
        return new FuzzStep(kind, 0, connection, List.of(texts), 4, List.of());
    }
}
