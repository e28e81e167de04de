package io.leeway.eppi.node;

import io.leeway.eppi.Wish;
import io.leeway.eppi.internal.local.NetworkFiles;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;

/** A network of hospitals in this JVM, with an H2 database in memory each; members connect over loopback with TLS. */
final class Hospitals implements AutoCloseable {

    static final String MEMBERS = "SELECT ssn FROM patients";
    static final String RECORDS = "SELECT visited, reason FROM patients WHERE ssn = ?";

    final NetworkFiles files;
    final List<String> providers;
    final Map<String, List<String>> patients = new TreeMap<>();
    final List<EppiCoordinator> coordinators = new ArrayList<>();
    final Map<String, EppiProvider> nodes = new LinkedHashMap<>();
    private final Map<String, String> more;
    private final Map<String, Connection> databases = new HashMap<>();
    private final String unique = UUID.randomUUID().toString().substring(0, 8);
    EppiIndexServer index;

    /** A network of so many that is not started yet. */
    Hospitals(Path directory, int coordinators, int providers, Map<String, String> more) {
        this.providers = IntStream.range(0, providers)
                .mapToObj(i -> "hospital-" + (char) ('a' + i))
                .toList();
        this.more = more;
        Keys.copyTo(directory);
        files = NetworkFiles.create(directory, "test", coordinators, this.providers, List.of("doctor", "stranger"));
        this.providers.forEach(each -> patients.put(each, new ArrayList<>()));
    }

    /** A person who visited these hospitals, with a wish. */
    private final List<Wish> wishes = new ArrayList<>();

    Hospitals person(String ssn, double epsilon, int... visited) {
        wishes.add(new Wish(files.token(ssn), epsilon));
        for (int each : visited) {
            patients.get(providers.get(each)).add(ssn);
        }
        return this;
    }

    Hospitals start() {
        files.writeRegister(wishes);
        startIndex();
        int count = (int) java.util.stream.Stream.iterate(0, k -> k + 1)
                .takeWhile(k -> files.directory()
                        .resolve("keys/coordinator-" + k + ".p12")
                        .toFile()
                        .exists())
                .count();
        for (int k = count - 1; k >= 0; k--) {
            coordinators.add(0, EppiCoordinator.start(options("coordinator-" + k)));
        }
        providers.forEach(this::startProvider);
        return this;
    }

    void startIndex() {
        index = EppiIndexServer.start(options("index"));
    }

    void startProvider(String name) {
        createDatabase(name);
        nodes.put(name, EppiProvider.start(options(name)));
    }

    Map<String, String> options(String name) {
        Map<String, String> options = files.options(name);
        options.put("eppi.timeout", "60s");
        options.putAll(more);
        if (providers.contains(name)) {
            options.put("eppi.database.url", url(name));
            options.put("eppi.database.members", MEMBERS);
            options.put("eppi.database.records", RECORDS);
            options.put("eppi.database.refresh", "0s");
            options.putIfAbsent("eppi.access.allow", "doctor,hospital-a");
        }
        if (providers.contains(name) || name.equals("doctor") || name.equals("stranger")) {
            options.put("eppi.index", index == null ? "http://127.0.0.1:1" : index.url());
        }
        return options;
    }

    EppiSearcher searcher(String name) {
        return EppiSearcher.of(options(name));
    }

    String url(String name) {
        return "jdbc:h2:mem:" + name + unique;
    }

    /** The database lives as long as its first connection. */
    private void createDatabase(String name) {
        if (databases.containsKey(name)) {
            return;
        }
        try {
            Connection connection = DriverManager.getConnection(url(name), "", "");
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE patients (ssn VARCHAR(40), visited DATE, reason VARCHAR(80))");
            }
            databases.put(name, connection);
            for (String ssn : patients.get(name)) {
                visit(name, ssn);
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    void visit(String name, String ssn) {
        try (PreparedStatement insert =
                databases.get(name).prepareStatement("INSERT INTO patients VALUES (?, DATE '2026-01-02', ?)")) {
            insert.setString(1, ssn);
            insert.setString(2, "check at " + name);
            insert.executeUpdate();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    void forget(String name, String ssn) {
        try (PreparedStatement delete = databases.get(name).prepareStatement("DELETE FROM patients WHERE ssn = ?")) {
            delete.setString(1, ssn);
            delete.executeUpdate();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** The database is gone, with all that was in it. */
    void dropDatabase(String name) {
        try {
            databases.remove(name).close();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    long construct() {
        return coordinators.get(0).construct();
    }

    @Override
    public void close() {
        nodes.values().forEach(EppiProvider::close);
        coordinators.forEach(EppiCoordinator::close);
        if (index != null) {
            index.close();
        }
        databases.values().forEach(each -> {
            try {
                each.close();
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        });
    }
}
