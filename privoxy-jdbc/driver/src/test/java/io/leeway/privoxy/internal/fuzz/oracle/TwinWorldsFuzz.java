package io.leeway.privoxy.internal.fuzz.oracle;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The definition of the policy, tried: two databases that agree on all views answer every statement that is accepted in the
 * same way, the order of rows included. For each database. A finding is shrunk and printed as the script of both worlds
 * and the statements.
 */
abstract class TwinWorldsFuzz {

    private static final int OF_A_WORLD = 500;
    private static final int MAX_FINDINGS = Integer.getInteger("privoxy.twins.findings", 5);
    private static final int TRIES = 400;
    /** One of so many requests changes the schema. */
    private static final int CHANGED = 12;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Logger LOG = Logger.getLogger("io.leeway.privoxy");

    @TempDir
    Path directory;

    private @Nullable Level level;
    private final List<String> findings = new ArrayList<>();

    abstract DatabaseServer server();

    abstract Dialect dialect();

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
    void worldsThatAgreeOnAllViewsAnswerTheSame() throws SQLException {
        long seed = Seeds.seed("twin worlds " + dialect());
        int all = Integer.getInteger("privoxy.twins.requests", Depth.of(240, 20_000));
        int done = 0;
        for (int world = 0; done < all && findings.size() < MAX_FINDINGS; world++) {
            int share = Math.min(Math.min(OF_A_WORLD, Math.max(1, all / 4)), all - done);
            tryWorlds(seed + world, share);
            done += share;
        }
        assertThat(findings).isEmpty();
    }

    private void tryWorlds(long seed, int requests) throws SQLException {
        var random = new Random(seed);
        try (TwinWorlds worlds = new TwinWorlds(dialect(), server(), directory, seed);
                TwinJudge judge = new TwinJudge(dialect(), worlds)) {
            for (int i = 0; i < requests && findings.size() < MAX_FINDINGS; i++) {
                Choices choices = Choices.drawn(random);
                String finding = judge.judge(request(choices));
                if (finding != null) {
                    report(worlds, judge, choices.made(), finding);
                }
            }
            print(requests + " requests on " + dialect() + ": " + judge.counts() + ", "
                    + THREADS.getCurrentThreadCpuTime() / 1_000_000 + " ms of CPU since the thread began");
        }
    }

    private List<String> request(Choices choices) {
        int count = choices.pick(1, 1, 1, 2, 3);
        var statements = new ArrayList<String>();
        SchemaGrammar.Change change = choices.onceIn(CHANGED) ? new SchemaGrammar(choices, dialect()).change() : null;
        if (change != null) {
            statements.add(change.sql());
        }
        for (int i = 0; i < count; i++) {
            statements.add(
                    choices.onceIn(5)
                            ? new WriteGrammar(choices, dialect()).write()
                            : new QueryGrammar(choices, dialect()).top());
        }
        if (change != null) {
            statements.add(change.undo());
        }
        return statements;
    }

    private void report(TwinWorlds worlds, TwinJudge judge, List<Integer> made, String finding) {
        List<Integer> small = Choices.shrunk(made, fewer -> finding(judge, fewer) != null, TRIES);
        String shrunk = finding(judge, small);
        // By itself, if one of them does it; a change of the schema is undone by the last one.
        List<String> all = request(Choices.again(small));
        boolean isChanged = all.stream().anyMatch(sql -> sql.startsWith("ALTER ") || sql.startsWith("CREATE "));
        for (String single : isChanged ? List.<String>of() : all) {
            String alone = findingOf(judge, List.of(single));
            shrunk = alone == null ? shrunk : alone;
        }
        String text = worlds + "-- a request of user 1\n" + (shrunk == null ? finding : shrunk);
        findings.add(text);
        print("FINDING\n" + text);
    }

    private @Nullable String finding(TwinJudge judge, List<Integer> made) {
        return findingOf(judge, request(Choices.again(made)));
    }

    private static @Nullable String findingOf(TwinJudge judge, List<String> statements) {
        try {
            return judge.judge(statements);
        } catch (SQLException e) {
            return null;
        }
    }

    @SuppressWarnings("SystemOut") // How many were tried is what one wants to know.
    private static void print(String text) {
        System.out.println(text);
    }
}
