package io.leeway.benchmarks.privoxy;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Recorder;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyDataSource;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Outcome;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;
import io.leeway.testkit.db.TestDatabase;
import io.leeway.testkit.db.TestDatabases;
import io.leeway.testkit.fixtures.FixtureInstance;
import io.leeway.testkit.fixtures.FixtureLoader;
import io.leeway.testkit.fixtures.Fixtures;
import io.leeway.testkit.fixtures.Page;
import io.leeway.testkit.fixtures.PageRunner;
import io.leeway.testkit.fixtures.Scenario;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Every figure that the project promises for privoxy-jdbc, measured on the social network's pages over a loopback
 * PostgreSQL, plain and checked in turn so that both see the same machine. Writes them to the results as it goes.
 */
public final class PrivoxyFigures {

    private static final String COMMAND = "build/bench io.leeway.benchmarks.privoxy.PrivoxyFigures";
    private static final String PLAIN = "plain PostgreSQL driver, same run";
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final double MICRO = 1_000;
    private static final double MILLI = 1_000_000;
    private static final int ROWS = 1_000;
    private static final int JVMS = 7;
    private static final int PAGE_VISITS = 150;
    /** Until the compiler has no more to do; a server has served far more. */
    private static final int PAGE_WARM_UPS = 400;

    private static final int ROUNDS = 40;
    private static final int STATEMENTS = 500;
    private static final int STATEMENTS_OF_A_REQUEST = 25;

    private final TestDatabase database;
    private final FixtureInstance network;
    private final Path directory;
    private final Recorder recorder;
    private int policies;

    private PrivoxyFigures(TestDatabase database, FixtureInstance network, Path directory, Recorder recorder) {
        this.database = database;
        this.network = network;
        this.directory = directory;
        this.recorder = recorder;
    }

    public static void main(String[] args) throws Exception {
        FixtureInstance network = Fixtures.SOCIAL.instance(2026, 6, 1_000);
        try (TestDatabase database = TestDatabases.postgres().freshDatabase("figures")) {
            try (Connection connection = database.connect()) {
                FixtureLoader.load(connection, network);
            }
            new PrivoxyFigures(
                            database,
                            network,
                            Files.createTempDirectory("privoxy-figures"),
                            Recorder.of("privoxy", COMMAND))
                    .run();
        }
    }

    private void run() throws SQLException, IOException {
        connects();
        warmUp();
        coldDecisions();
        refusals();
        generalisation();
        cachedDecisions();
        rows();
        pages();
        applicationPages();
        memory();
    }

    /** A URL with a policy file of its own, so that nothing is known yet. */
    private String freshUrl() throws IOException {
        String url = database.jdbcUrl().replaceFirst("^jdbc:", "jdbc:privoxy:");
        return url + (url.contains("?") ? "&" : "?") + "privoxyPolicy=" + freshPolicy();
    }

    private String freshPolicy() throws IOException {
        return Files.writeString(directory.resolve("policy" + policies++ + ".sql"), Fixtures.SOCIAL.policy())
                .toString();
    }

    /** A checked connection over a plain one. */
    private Connection over(Connection plain) throws SQLException, IOException {
        return PrivoxyDataSource.wrap(OneConnection.of(plain), Map.of("privoxyPolicy", freshPolicy()))
                .getConnection();
    }

    private Connection open(String url) throws SQLException {
        return DriverManager.getConnection(url, database.user(), database.password());
    }

    private void connects() throws SQLException, IOException {
        String url = freshUrl();
        double[] first = new double[JVMS];
        double[] firstPlain = new double[JVMS];
        for (int i = 0; i < JVMS; i++) {
            firstPlain[i] = FirstConnect.millisInNewJvm(database.jdbcUrl(), database.user(), database.password());
            first[i] = FirstConnect.millisInNewJvm(url, database.user(), database.password());
        }
        recorder.record(
                "connect, added the first time in a JVM (median of " + JVMS + " JVMs)",
                median(first) - median(firstPlain),
                "ms",
                1_000.0,
                Better.LOWER,
                PLAIN);
        open(url).close();
        double[] later = new double[60];
        double[] without = new double[60];
        for (int i = 0; i < later.length; i++) {
            without[i] = connectMillis(database.jdbcUrl());
            later[i] = connectMillis(url);
        }
        recorder.record(
                "connect, added later (median)", median(later) - median(without), "ms", 5.0, Better.LOWER, PLAIN);
    }

    private double connectMillis(String url) throws SQLException {
        long start = System.nanoTime();
        open(url).close();
        return (System.nanoTime() - start) / MILLI;
    }

    private void warmUp() throws SQLException, IOException {
        for (int round = 0; round < 25; round++) {
            try (Connection checked = open(freshUrl())) {
                // Some refusals take the solvers long; the pages need the most rounds.
                runPages(checked, network.scenarios().get(round % 3), round % 5 == 0);
            }
        }
        StageTimes.take();
    }

    private void coldDecisions() throws SQLException, IOException {
        double[] nanos = new double[0];
        for (int round = 0; round < 5; round++) {
            try (Connection checked = open(freshUrl())) {
                StageTimes.take();
                // A pause of the collector within a decision would be taken for the decision's time.
                System.gc();
                runPages(checked, network.scenarios().get(round), false);
            }
            nanos = concat(nanos, times(Stage.CHASE, Outcome.ALLOW));
        }
        recorder.record("cold decision (median)", median(nanos) / MICRO, "µs", 1_000.0, Better.LOWER, "");
        recorder.record("cold decision (95th percentile)", share(nanos, 0.95) / MICRO, "µs", null, Better.LOWER, "");
        recorder.record("cold decision (slowest)", share(nanos, 1) / MICRO, "µs", 5_000.0, Better.LOWER, "");
    }

    private void refusals() throws SQLException, IOException {
        double[] nanos = new double[0];
        try (Connection checked = open(freshUrl())) {
            for (int round = 0; round < 6; round++) {
                StageTimes.take();
                runPages(checked, network.scenarios().get(round), true);
                nanos = concat(nanos, times(null, Outcome.DENY));
            }
        }
        recorder.record("refusal with explanation (median)", median(nanos) / MILLI, "ms", 5.0, Better.LOWER, "");
        recorder.record("refusal with explanation (slowest)", share(nanos, 1) / MILLI, "ms", null, Better.LOWER, "");
    }

    /** Templates learnt from one user's pages, tried on those of five others, with other posts, people and groups. */
    private void generalisation() throws SQLException, IOException {
        try (Connection checked = open(freshUrl())) {
            StageTimes.take();
            runPages(checked, network.scenarios().get(0), false);
            StageTimes.take();
            int again = 0;
            int all = 0;
            for (int i = 1; i < network.scenarios().size(); i++) {
                runPages(checked, network.scenarios().get(i), false);
                for (StageTimes.Decided decided : StageTimes.take()) {
                    all += decided.stage() == Stage.TEMPLATE || decided.stage() == Stage.CHASE ? 1 : 0;
                    again += decided.stage() == Stage.CHASE ? 1 : 0;
                }
            }
            recorder.record(
                    "decisions on other users' pages covered by one user's templates",
                    100.0 * (all - again) / all,
                    "%",
                    98.0,
                    Better.HIGHER,
                    "92 % of templates (the prototype, published)");
        }
    }

    private void cachedDecisions() throws SQLException, IOException {
        try (Connection plain = database.connect();
                Connection checked = over(plain)) {
            Page page = network.scenarios().get(0).page("simple post");
            long user = ((Number) Objects.requireNonNull(page.context().get("MyUId"))).longValue();
            String sql = "SELECT users.* FROM users WHERE users.id = ?";
            double[] statement = new double[0];
            double[] decision;
            double[] cpuPlain = new double[ROUNDS];
            double[] cpuChecked = new double[ROUNDS];
            // Requests of a length that occurs, not one that fills the trace to its bound.
            for (int warmUp = 0; warmUp < 60; warmUp++) {
                keyedSelects(plain, sql, user, STATEMENTS);
                keyedSelectsOfRequests(checked, sql, user, page);
            }
            StageTimes.take();
            for (int round = 0; round < ROUNDS; round++) {
                long cpu = THREADS.getCurrentThreadCpuTime();
                statement = concat(statement, keyedSelects(plain, sql, user, STATEMENTS));
                long between = THREADS.getCurrentThreadCpuTime();
                keyedSelectsOfRequests(checked, sql, user, page);
                cpuPlain[round] = between - cpu;
                cpuChecked[round] = THREADS.getCurrentThreadCpuTime() - between;
            }
            decision = times(Stage.TEMPLATE, Outcome.ALLOW);
            double added = (median(cpuChecked) - median(cpuPlain)) / STATEMENTS;
            recorder.record("cached decision (median)", median(decision) / MICRO, "µs", 50.0, Better.LOWER, "");
            recorder.record(
                    "SELECT by primary key over loopback (median)",
                    median(statement) / MICRO,
                    "µs",
                    null,
                    Better.LOWER,
                    PLAIN);
            recorder.record(
                    "CPU added to a cached statement, known text and recording included",
                    added / MICRO,
                    "µs",
                    50.0,
                    Better.LOWER,
                    PLAIN);
            recorder.record(
                    "the same as a share of the median SELECT",
                    100 * added / median(statement),
                    "%",
                    10.0,
                    Better.LOWER,
                    PLAIN);
        }
    }

    private static void keyedSelectsOfRequests(Connection checked, String sql, long key, Page page)
            throws SQLException {
        for (int done = 0; done < STATEMENTS; done += STATEMENTS_OF_A_REQUEST) {
            try (PrivoxyRequest request = Privoxy.begin(page.context())) {
                keyedSelects(checked, sql, key, STATEMENTS_OF_A_REQUEST);
            }
        }
    }

    private static double[] keyedSelects(Connection connection, String sql, long key, int count) throws SQLException {
        double[] nanos = new double[count];
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setLong(1, key);
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                }
            }
            nanos[i] = System.nanoTime() - start;
        }
        return nanos;
    }

    /** Cost of remembering a row, over a result of a thousand. */
    private void rows() throws SQLException, IOException {
        try (Connection plain = database.connect();
                Connection checked = over(plain);
                PrivoxyRequest request = Privoxy.begin(
                        network.scenarios().get(0).page("simple post").context())) {
            String sql = "SELECT people.* FROM people LIMIT " + ROWS;
            double[] cpuPlain = new double[400];
            double[] cpuChecked = new double[400];
            int rows = 1;
            for (int round = -200; round < cpuPlain.length; round++) {
                long start = THREADS.getCurrentThreadCpuTime();
                rows = readAll(plain, sql);
                long between = THREADS.getCurrentThreadCpuTime();
                readAll(checked, sql);
                long end = THREADS.getCurrentThreadCpuTime();
                if (round >= 0) {
                    cpuPlain[round] = between - start;
                    cpuChecked[round] = end - between;
                }
            }
            recorder.record(
                    "CPU to read a row of 9 columns, plain (median)",
                    median(cpuPlain) / rows,
                    "ns",
                    null,
                    Better.LOWER,
                    PLAIN);
            recorder.record(
                    "CPU added by recording it (median)",
                    (median(cpuChecked) - median(cpuPlain)) / rows,
                    "ns",
                    null,
                    Better.LOWER,
                    PLAIN);
        }
    }

    private static int readAll(Connection connection, String sql) throws SQLException {
        int rows = 0;
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                rows++;
                for (int column = 1; column <= 9; column++) {
                    result.getObject(column);
                }
            }
        }
        return rows;
    }

    /** The statements of whole pages, cached against plain, in turn and over the same real connection. */
    private void pages() throws SQLException, IOException {
        try (Connection plain = database.connect();
                Connection checked = over(plain)) {
            pages("cached pages", page -> PageRunner.run(plain, page), page -> PageRunner.run(checked, page));
        }
    }

    /** The same pages as an application serves them. */
    private void applicationPages() throws SQLException, IOException {
        try (Connection real = database.connect();
                ApplicationPages plain = ApplicationPages.on(OneConnection.of(real));
                ApplicationPages checked = ApplicationPages.on(
                        PrivoxyDataSource.wrap(OneConnection.of(real), Map.of("privoxyPolicy", freshPolicy())))) {
            pages("cached pages through HikariCP and Hibernate", plain::serve, checked::serve);
        }
    }

    private void pages(String name, Consumer<Page> plain, Consumer<Page> checked) throws IOException {
        List<Page> pages = network.scenarios().get(1).pages();
        for (int warmUp = 0; warmUp < PAGE_WARM_UPS; warmUp++) {
            for (Page page : pages) {
                plain.accept(page);
                inRequest(page, checked);
            }
        }
        double[] sums = new double[4];
        double worst = 0;
        for (Page page : pages) {
            double[][] visits = new double[4][PAGE_VISITS];
            for (int i = 0; i < PAGE_VISITS; i++) {
                visit(visits[0], visits[1], i, () -> plain.accept(page));
                visit(visits[2], visits[3], i, () -> inRequest(page, checked));
            }
            for (int i = 0; i < sums.length; i++) {
                sums[i] += median(visits[i]);
            }
            worst = Math.max(worst, median(visits[2]) / median(visits[0]));
        }
        recorder.record(
                name + ", time against plain (sum of medians)", sums[2] / sums[0], "×", 1.05, Better.LOWER, PLAIN);
        recorder.record(name + ", the page with the highest ratio", worst, "×", null, Better.LOWER, PLAIN);
        recorder.record(
                name + ", client CPU against plain (sum of medians)",
                sums[3] / sums[1],
                "×",
                null,
                Better.LOWER,
                PLAIN);
    }

    private static void inRequest(Page page, Consumer<Page> visit) {
        try (PrivoxyRequest request = Privoxy.begin(page.context())) {
            visit.accept(page);
        }
    }

    private static void visit(double[] nanos, double[] cpu, int visit, Runnable page) {
        long cpuBefore = THREADS.getCurrentThreadCpuTime();
        long start = System.nanoTime();
        page.run();
        nanos[visit] = System.nanoTime() - start;
        cpu[visit] = THREADS.getCurrentThreadCpuTime() - cpuBefore;
    }

    /** Ten thousand statements of different form, each with its template. */
    private void memory() throws SQLException, IOException {
        try (Connection checked = open(freshUrl());
                PrivoxyRequest request = Privoxy.begin(
                        network.scenarios().get(0).page("simple post").context())) {
            long before = usedHeap();
            for (int i = 0; i < 10_000; i++) {
                String sql =
                        "SELECT posts.id FROM posts WHERE posts.id = ? AND posts.public = TRUE AND posts.text LIKE 'word"
                                + i + "%'";
                try (PreparedStatement statement = checked.prepareStatement(sql)) {
                    statement.setLong(1, 1);
                    statement.executeQuery().close();
                }
            }
            recorder.record(
                    "memory of 10,000 templates, with the plans of their statements",
                    (usedHeap() - before) / 1024.0 / 1024.0,
                    "MiB",
                    null,
                    Better.LOWER,
                    "");
        }
    }

    private static long usedHeap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static void runPages(Connection checked, Scenario scenario, boolean violations) throws SQLException {
        for (Page page : scenario.pages()) {
            runPage(checked, page);
        }
        if (violations) {
            checked.setAutoCommit(false);
            for (Page page : scenario.violations()) {
                runPage(checked, page);
                checked.rollback();
            }
            checked.setAutoCommit(true);
        }
    }

    private static void runPage(Connection checked, Page page) {
        try (PrivoxyRequest request = Privoxy.begin(page.context())) {
            PageRunner.run(checked, page);
        }
    }

    private static double[] times(@Nullable Stage stage, Outcome outcome) {
        List<StageTimes.Decided> decided = StageTimes.take();
        return decided.stream()
                .filter(one -> (stage == null || one.stage() == stage) && one.outcome() == outcome)
                .mapToDouble(StageTimes.Decided::nanos)
                .toArray();
    }

    private static double[] concat(double[] a, double[] b) {
        double[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }

    private static double median(double[] values) {
        return share(values, 0.5);
    }

    private static double share(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.min(sorted.length - 1, share * sorted.length)];
    }
}
