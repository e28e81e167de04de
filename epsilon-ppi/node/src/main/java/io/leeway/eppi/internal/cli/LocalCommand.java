package io.leeway.eppi.internal.cli;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Wish;
import io.leeway.eppi.internal.local.LocalProcesses;
import io.leeway.eppi.internal.local.NetworkFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/** {@code eppi local}: a network with made-up persons, to look at and to try things. Needs H2 on the class path. */
final class LocalCommand {

    private static final double[] WISHES = {0, 0.25, 0.5, 0.5, 0.75, 0.9};
    private static final int MOST_NODES = 60;

    private LocalCommand() {}

    static void run(Arguments arguments, PrintStream out) {
        int providers = number(arguments.take("providers", "5"), MOST_NODES);
        int persons = number(arguments.take("persons", "200"), 1_000_000);
        boolean isOnce = arguments.flag("once");
        String given = arguments.take("directory", "");
        arguments.end();
        try {
            Path directory = given.isEmpty() ? Files.createTempDirectory("eppi-local-") : Path.of(given);
            run(directory, providers, persons, isOnce, out);
        } catch (IOException e) {
            throw EppiException.of(Code.CONFIGURATION, "there is no directory to work in", e);
        }
    }

    private static void run(Path directory, int providers, int persons, boolean isOnce, PrintStream out) {
        List<String> names =
                IntStream.range(0, providers).mapToObj(i -> "provider-" + i).toList();
        out.println("keys and files in " + directory);
        NetworkFiles files = NetworkFiles.create(directory, "local", 3, names, List.of("searcher"));
        Map<String, List<String>> patients = enrol(files, names, persons);
        try (var processes = new LocalProcesses(directory, System.getProperty("java.class.path"))) {
            Map<String, String> index = files.options("index");
            processes.start("index", "index", index);
            String indexUrl = processes.awaitReady("index");
            for (int k = 0; k < 3; k++) {
                processes.start(
                        "coordinator",
                        "coordinator-" + k,
                        with(files.options("coordinator-" + k), Map.of("eppi.http", "127.0.0.1:0")));
            }
            for (String name : names) {
                String url = database(directory, name, patients.getOrDefault(name, List.of()));
                processes.start("provider", name, provider(files.options(name), url, indexUrl));
            }
            names.forEach(name -> out.println(name + ": " + processes.awaitReady(name)));
            String coordinator = processes.awaitReady("coordinator-0");
            out.println("coordinator-0: " + coordinator);
            out.println("index: " + indexUrl);
            Map<String, String> searcher = with(files.options("searcher"), Map.of("eppi.index", indexUrl));
            Path config = write(directory, searcher);
            out.println("constructs, epoch by epoch: eppi construct --coordinator=" + coordinator);
            out.println(LocalProcesses.construct(coordinator));
            out.println("search: eppi query person-1 --config=" + config);
            out.println("report: eppi report --config=" + config);
            if (!isOnce) {
                out.println("Ends with this process (Ctrl-C).");
                await();
            }
        }
    }

    private static Map<String, List<String>> enrol(NetworkFiles files, List<String> names, int persons) {
        // Made-up data, the same every time.
        var random = new Random(1);
        Map<String, List<String>> patients = new HashMap<>();
        List<Wish> wishes = new ArrayList<>();
        for (int i = 0; i < persons; i++) {
            String identity = "person-" + i;
            wishes.add(new Wish(files.token(identity), WISHES[i % WISHES.length]));
            int visits = i % 50 == 7 ? names.size() : 1 + random.nextInt(2);
            for (int v = 0; v < visits; v++) {
                String name = names.get(visits == names.size() ? v : random.nextInt(names.size()));
                patients.computeIfAbsent(name, each -> new ArrayList<>()).add(identity);
            }
        }
        files.writeRegister(wishes);
        return patients;
    }

    private static String database(Path directory, String name, List<String> patients) {
        String url = "jdbc:h2:file:" + directory.resolve("data").resolve(name).toAbsolutePath() + ";AUTO_SERVER=TRUE";
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                Statement statement = connection.createStatement()) {
            // What an earlier start in this directory made is made anew.
            statement.execute("DROP TABLE IF EXISTS patients");
            statement.execute("CREATE TABLE patients (ssn VARCHAR(40), visited DATE, reason VARCHAR(80))");
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO patients VALUES (?, CURRENT_DATE, 'check')")) {
                for (String each : patients) {
                    insert.setString(1, each);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            return url;
        } catch (SQLException e) {
            throw EppiException.of(Code.DATABASE, "the sample database of " + name + " cannot be made", e);
        }
    }

    private static Map<String, String> provider(Map<String, String> options, String url, String index) {
        return with(
                options,
                Map.of(
                        "eppi.database.url", url,
                        "eppi.database.user", "sa",
                        "eppi.database.members", "SELECT DISTINCT ssn FROM patients",
                        "eppi.database.records", "SELECT visited, reason FROM patients WHERE ssn = ?",
                        "eppi.access.allow", "*",
                        "eppi.http", "127.0.0.1:0",
                        "eppi.index", index));
    }

    private static Path write(Path directory, Map<String, String> options) {
        Path file = directory.resolve("searcher.properties");
        var properties = new java.util.Properties();
        properties.putAll(options);
        try (var writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
            return file;
        } catch (IOException e) {
            throw EppiException.of(Code.FILE, file + " cannot be written", e);
        }
    }

    private static Map<String, String> with(Map<String, String> options, Map<String, String> more) {
        var all = new HashMap<>(options);
        all.putAll(more);
        return all;
    }

    private static int number(String text, int most) {
        try {
            int value = Integer.parseInt(text);
            if (value >= 1 && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw EppiException.of(Code.CONFIGURATION, text + " is no number from 1 to " + most);
    }

    private static void await() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
