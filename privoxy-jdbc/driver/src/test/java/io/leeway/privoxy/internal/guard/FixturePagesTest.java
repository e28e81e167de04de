package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.fixtures.Fixture;
import io.leeway.testkit.fixtures.FixtureInstance;
import io.leeway.testkit.fixtures.FixtureLoader;
import io.leeway.testkit.fixtures.Fixtures;
import io.leeway.testkit.fixtures.Page;
import io.leeway.testkit.fixtures.PageRun;
import io.leeway.testkit.fixtures.PageRunner;
import io.leeway.testkit.fixtures.Scenario;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every page and every violation of the fixtures, through the real driver: each statement gets the decision it deserves. */
class FixturePagesTest {

    private static final long SEED = 7;

    @TempDir
    Path directory;

    static Stream<Fixture> fixtures() {
        return Fixtures.all().stream();
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void decidesEachStatementAsItDeserves(Fixture fixture) throws Exception {
        FixtureInstance instance = fixture.instance(SEED, 2, 40);
        String url = "h2:mem:pages_" + fixture.name();
        Path policy = Files.writeString(directory.resolve("policy.sql"), fixture.policy());
        try (Connection plain = DriverManager.getConnection("jdbc:" + url, "sa", "")) {
            FixtureLoader.load(plain, instance);
            try (Connection checked =
                    DriverManager.getConnection("jdbc:privoxy:" + url + ";privoxyPolicy=" + policy, "sa", "")) {
                checked.setAutoCommit(false);
                List<PageRun.Execution> surprises = new ArrayList<>();
                int statements = 0;
                for (Scenario scenario : instance.scenarios()) {
                    for (List<Page> pages : List.of(scenario.pages(), scenario.violations())) {
                        for (Page page : pages) {
                            PageRun run = run(checked, page);
                            surprises.addAll(run.surprises());
                            statements += run.count();
                        }
                    }
                }

                assertThat(surprises).as("seed %d", SEED).isEmpty();
                assertThat(statements).isGreaterThan(40);
            }
        }
    }

    private static PageRun run(Connection checked, Page page) throws SQLException {
        try (PrivoxyRequest request = Privoxy.begin(page.context())) {
            PageRun run = PageRunner.run(checked, page);
            checked.rollback();
            return run;
        }
    }
}
