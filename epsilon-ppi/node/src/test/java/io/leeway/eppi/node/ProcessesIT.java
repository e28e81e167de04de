package io.leeway.eppi.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.eppi.Wish;
import io.leeway.eppi.internal.local.LocalProcesses;
import io.leeway.eppi.internal.local.NetworkFiles;
import io.leeway.testkit.Depth;
import io.leeway.testkit.db.TestDatabase;
import io.leeway.testkit.db.TestDatabases;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members as processes beside PostgreSQL, MariaDB and H2, one of which is killed. */
class ProcessesIT {

    private static final List<String> NAMES = List.of("on-postgres", "on-mariadb", "on-h2");

    @TempDir
    Path directory;

    @Test
    @Tag(Depth.DEEP)
    void providersOnThreeDatabasesAreFoundAlsoAfterOneWasKilled() throws Exception {
        NetworkFiles files = NetworkFiles.create(directory, "processes", 3, NAMES, List.of("doctor"));
        List<Wish> wishes = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            wishes.add(new Wish(files.token("p" + i), i % 3 * 0.25));
        }
        files.writeRegister(wishes);
        String h2 = "jdbc:h2:file:" + directory.resolve("h2");
        try (TestDatabase postgres = TestDatabases.postgres().freshDatabase("eppi");
                TestDatabase mariadb = TestDatabases.mariadb().freshDatabase("eppi");
                var processes = new LocalProcesses(directory, System.getProperty("java.class.path"))) {
            List<TestDatabase> databases = List.of(postgres, mariadb, new TestDatabase("h2", h2, "sa", "", () -> {}));
            processes.start("index", "index", files.options("index"));
            for (int k = 0; k < 3; k++) {
                Map<String, String> options = files.options("coordinator-" + k);
                options.put("eppi.http", "127.0.0.1:0");
                processes.start("coordinator", "coordinator-" + k, options);
            }
            for (int d = 0; d < NAMES.size(); d++) {
                fill(databases.get(d), d);
                processes.start("provider", NAMES.get(d), provider(files, NAMES.get(d), databases.get(d)));
            }
            NAMES.forEach(processes::awaitReady);
            String lead = processes.awaitReady("coordinator-0");
            Map<String, String> doctor = files.options("doctor");
            doctor.put("eppi.index", processes.awaitReady("index"));

            assertThat(LocalProcesses.construct(lead)).contains("1");
            check(EppiSearcher.of(doctor));

            processes.kill("on-mariadb");
            processes.start("provider", "on-mariadb", provider(files, "on-mariadb", mariadb));
            assertThat(LocalProcesses.construct(lead)).contains("2");
            check(EppiSearcher.of(doctor));
        }
    }

    private static void check(EppiSearcher doctor) {
        for (int i = 0; i < 60; i++) {
            String holder = NAMES.get(i % 3);
            assertThat(doctor.query("p" + i)).contains(holder);
        }
        assertThat(doctor.search("p1").answers())
                .filteredOn(each -> !each.records().isEmpty())
                .singleElement()
                .satisfies(each -> assertThat(each.provider()).isEqualTo("on-mariadb"));
    }

    private static void fill(TestDatabase database, int number) throws Exception {
        var statements = new ArrayList<String>();
        statements.add("CREATE TABLE visits (ssn VARCHAR(40), reason VARCHAR(60))");
        for (int i = number; i < 60; i += 3) {
            statements.add("INSERT INTO visits VALUES ('p" + i + "', 'check')");
        }
        database.execute(statements.toArray(String[]::new));
    }

    private static Map<String, String> provider(NetworkFiles files, String name, TestDatabase database) {
        Map<String, String> options = new HashMap<>(files.options(name));
        options.put("eppi.database.url", database.jdbcUrl());
        options.put("eppi.database.user", database.user());
        options.put("eppi.database.password", database.password());
        options.put("eppi.database.members", "SELECT ssn FROM visits");
        options.put("eppi.database.records", "SELECT reason FROM visits WHERE ssn = ?");
        options.put("eppi.access.allow", "doctor");
        return options;
    }
}
