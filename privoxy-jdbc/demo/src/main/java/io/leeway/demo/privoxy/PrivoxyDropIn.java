package io.leeway.demo.privoxy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.leeway.demo.Demo;
import io.leeway.demo.DemoContext;
import io.leeway.demo.DropIn;
import io.leeway.demo.Teller;
import io.leeway.testkit.db.TestDatabase;
import io.leeway.testkit.db.TestDatabases;
import io.leeway.testkit.fixtures.FixtureInstance;
import io.leeway.testkit.fixtures.FixtureLoader;
import io.leeway.testkit.fixtures.Fixtures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A social network on a real PostgreSQL, through HikariCP and Hibernate: what three users may see, what is refused and
 * why, and what the checking costs.
 */
public final class PrivoxyDropIn implements DropIn {

    private static final long SEED = 2026;

    /** What {@code ./demo} starts. */
    public static void main(String[] arguments) throws IOException {
        Demo.main(new PrivoxyDropIn(), arguments);
    }

    @Override
    public String name() {
        return "privoxy";
    }

    @Override
    public String title() {
        return "privoxy-jdbc: every query of an unmodified application, checked against its privacy policy";
    }

    @Override
    public void run(DemoContext context) throws Exception {
        Teller teller = context.teller();
        FixtureInstance network = Fixtures.SOCIAL.instance(SEED, 3, context.shortOrLong(200, 2_000));
        try (TestDatabase database = TestDatabases.postgres().freshDatabase("social")) {
            int rows = load(database, network);
            Path policy = policyFile();
            String url = database.jdbcUrl().replaceFirst("^jdbc:", "jdbc:privoxy:");
            url += (url.contains("?") ? "&" : "?") + "privoxyPolicy=" + policy + "&privoxyExplain=counterexample";
            teller.text(
                    "A social network of %d tables and %,d rows stands on a PostgreSQL that this demo has started. Its application is unchanged but for one thing: the URL."
                            .formatted(network.tables().size(), rows));
            teller.code("jdbc:privoxy:postgresql://…/social?privoxyPolicy=policy.sql");
            teller.text("The policy is a file of SQL views that say what a user may know, such as these:");
            teller.code("""
                    -- My account.
                    CREATE VIEW my_user AS
                      SELECT * FROM users WHERE id = ?MyUId;

                    -- Whole profiles of those who made them public.
                    CREATE VIEW open_profiles AS
                      SELECT * FROM profiles WHERE public_details = TRUE;""");
            try (HikariDataSource plain = pool(database.jdbcUrl(), database);
                    HikariDataSource checked = pool(url, database)) {
                new ThreeUsers(checked, network, teller).show();
                new Refusals(checked, network, teller).show();
                new Cost(plain, checked, network, context).show();
            }
        }
    }

    private static int load(TestDatabase database, FixtureInstance network) throws SQLException {
        try (Connection connection = database.connect()) {
            FixtureLoader.load(connection, network);
            connection.createStatement().execute("ANALYZE");
        }
        return network.tables().stream().mapToInt(table -> table.rows().size()).sum();
    }

    private static Path policyFile() throws IOException {
        Path directory = Files.createDirectories(Path.of("target", "demo"));
        return Files.writeString(directory.resolve("social-policy.sql"), Fixtures.SOCIAL.policy())
                .toAbsolutePath();
    }

    private static HikariDataSource pool(String url, TestDatabase database) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(4);
        return new HikariDataSource(config);
    }
}
