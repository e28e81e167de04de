package io.leeway.eppi.demo;

import io.leeway.eppi.Token;
import io.leeway.eppi.Wish;
import io.leeway.eppi.internal.attack.Lists;
import io.leeway.eppi.internal.local.LocalProcesses;
import io.leeway.eppi.internal.local.NetworkFiles;
import io.leeway.testkit.db.TestDatabase;
import io.leeway.testkit.db.TestDatabases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Nine hospitals, each a process with a database of its own; three coordinators; the index server. */
final class HospitalNetwork implements AutoCloseable {

    static final List<String> NAMES =
            List.of("general", "childrens", "heart", "womens", "eye", "mountain", "harbour", "old-town", "university");

    private static final double[] WISHES = {0.25, 0.5, 0.75};

    private final Path directory = Files.createTempDirectory("eppi-demo-");
    private final NetworkFiles files = NetworkFiles.create(directory, "demo", 3, NAMES, List.of("doctor", "curious"));
    private final LocalProcesses processes = new LocalProcesses(directory, System.getProperty("java.class.path"));
    private final Map<String, TestDatabase> databases = new HashMap<>();
    private final List<String> persons = new ArrayList<>();
    private final List<BitSet> truth = new ArrayList<>();
    private String index = "";
    private String coordinator = "";

    HospitalNetwork() throws IOException {}

    void start(int persons) throws SQLException {
        visits(persons);
        processes.start("index", "index", files.options("index"));
        index = processes.awaitReady("index");
        for (int k = 0; k < 3; k++) {
            Map<String, String> options = files.options("coordinator-" + k);
            options.put("eppi.http", "127.0.0.1:0");
            options.put("eppi.policy", "exact(0.9)");
            options.put("eppi.timeout", "120s");
            processes.start("coordinator", "coordinator-" + k, options);
        }
        for (int i = 0; i < NAMES.size(); i++) {
            TestDatabase database = fill(i);
            databases.put(NAMES.get(i), database);
            processes.start("provider", NAMES.get(i), options(NAMES.get(i), database));
        }
        NAMES.forEach(processes::awaitReady);
        coordinator = processes.awaitReady("coordinator-0");
    }

    private Map<String, String> options(String name, TestDatabase database) {
        Map<String, String> options = files.options(name);
        options.put("eppi.database.url", database.jdbcUrl());
        options.put("eppi.database.user", database.user());
        options.put("eppi.database.password", database.password());
        options.put("eppi.database.members", "SELECT DISTINCT ssn FROM visits");
        options.put("eppi.database.records", "SELECT day, reason FROM visits WHERE ssn = ?");
        options.put("eppi.access.allow", "doctor");
        options.put("eppi.timeout", "120s");
        return options;
    }

    /** Mary was at two hospitals, Victor at all but one; the others at one to three. */
    private void visits(int count) {
        var random = new Random(3);
        NAMES.forEach(each -> truth.add(new BitSet()));
        List<Wish> wishes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String ssn = i == 0 ? "mary" : i == 1 ? "victor" : "ssn-" + i;
            persons.add(ssn);
            wishes.add(new Wish(files.token(ssn), i == 0 ? 0.5 : i == 1 ? 0.75 : WISHES[i % WISHES.length]));
            int visits = i == 1 ? NAMES.size() : 1 + random.nextInt(2);
            for (int v = 0; v < visits; v++) {
                truth.get(i == 1 ? v : i == 0 ? 3 * v : random.nextInt(NAMES.size()))
                        .set(i);
            }
        }
        truth.get(3).set(0);
        truth.get(0).set(0);
        truth.get(4).clear(1);
        files.writeRegister(wishes);
    }

    private TestDatabase fill(int hospital) throws SQLException {
        TestDatabase database =
                server(hospital).freshDatabase(NAMES.get(hospital).replace('-', '_'));
        database.execute("CREATE TABLE visits (ssn VARCHAR(40), day DATE, reason VARCHAR(60))");
        try (var connection = database.connect();
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO visits VALUES (?, DATE '2026-03-01', ?)")) {
            for (int person : truth.get(hospital).stream().toArray()) {
                insert.setString(1, persons.get(person));
                insert.setString(2, "seen at " + NAMES.get(hospital));
                insert.addBatch();
            }
            insert.executeBatch();
        }
        return database;
    }

    private static io.leeway.testkit.db.DatabaseServer server(int hospital) {
        return hospital % 2 == 0 ? TestDatabases.postgres() : TestDatabases.mariadb();
    }

    String construct() {
        return LocalProcesses.construct(coordinator);
    }

    String index() {
        return index;
    }

    Path roster() {
        return directory.resolve("roster");
    }

    Map<String, String> searcher(String name) {
        Map<String, String> options = files.options(name);
        options.put("eppi.index", index);
        return options;
    }

    Token token(int person) {
        return files.token(persons.get(person));
    }

    List<String> persons() {
        return persons;
    }

    /** What only the hospitals know together. */
    Lists truth() {
        var lists = new BitSet[persons.size()];
        for (int i = 0; i < lists.length; i++) {
            lists[i] = new BitSet(NAMES.size());
            for (int p = 0; p < NAMES.size(); p++) {
                lists[i].set(p, truth.get(p).get(i));
            }
        }
        return new Lists(NAMES.size(), lists);
    }

    /** A hospital's process dies. */
    void kill(String name) {
        processes.kill(name);
    }

    void restart(String name) {
        processes.start("provider", name, options(name, java.util.Objects.requireNonNull(databases.get(name))));
        processes.awaitReady(name);
    }

    @Override
    public void close() throws IOException, SQLException {
        processes.close();
        for (TestDatabase each : databases.values()) {
            each.close();
        }
        try (var all = Files.walk(directory)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
