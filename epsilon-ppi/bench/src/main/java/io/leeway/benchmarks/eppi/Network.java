package io.leeway.benchmarks.eppi;

import io.leeway.benchmarks.eppi.EppiBenchmark.Figures;
import io.leeway.benchmarks.results.Better;
import io.leeway.eppi.Wish;
import io.leeway.eppi.internal.local.LocalProcesses;
import io.leeway.eppi.internal.local.NetworkFiles;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Five providers, three coordinators and the index server as processes, over TLS on loopback. */
final class Network {

    private static final int PERSONS = 10_000;
    private static final int PROVIDERS = 5;
    private static final int QUERIES = 3_000;

    private Network() {}

    static void run(Figures figures) throws IOException, InterruptedException, SQLException {
        Path directory = Files.createTempDirectory("eppi-bench-");
        try (var processes = new LocalProcesses(directory, System.getProperty("java.class.path"))) {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < PROVIDERS; i++) {
                names.add("provider-" + i);
            }
            NetworkFiles files = NetworkFiles.create(directory, "bench", 3, names, List.of());
            List<Wish> wishes = new ArrayList<>();
            for (int i = 0; i < PERSONS; i++) {
                wishes.add(new Wish(files.token("person-" + i), i % 4 * 0.25));
            }
            files.writeRegister(wishes);
            processes.start("index", "index", files.options("index"));
            for (int k = 0; k < 3; k++) {
                Map<String, String> options = files.options("coordinator-" + k);
                options.put("eppi.http", "127.0.0.1:0");
                processes.start("coordinator", "coordinator-" + k, options);
            }
            for (int i = 0; i < PROVIDERS; i++) {
                Map<String, String> options = new HashMap<>(files.options(names.get(i)));
                options.put("eppi.database.url", database(directory, i));
                options.put("eppi.database.members", "SELECT ssn FROM patients");
                options.put("eppi.database.records", "SELECT ssn FROM patients WHERE ssn = ?");
                options.put("eppi.http", "127.0.0.1:0");
                processes.start("provider", names.get(i), options);
            }
            String provider = processes.awaitReady(names.get(0));
            names.forEach(processes::awaitReady);
            String coordinator = processes.awaitReady("coordinator-0");
            for (int round = 0; round < 3; round++) {
                long begin = System.nanoTime();
                LocalProcesses.construct(coordinator);
                figures.record(
                        "network: construction " + (round + 1) + " with 5 providers as processes, 10000 persons",
                        (System.nanoTime() - begin) / 1e9,
                        "s");
            }
            figures.record("network: bytes that a provider sent for an index", sent(provider) / 3, "B");
            queries(figures, processes.awaitReady("index"), files);
        } finally {
            delete(directory);
        }
    }

    private static String database(Path directory, int number) throws SQLException {
        String url = "jdbc:h2:file:" + directory.resolve("data" + number).toAbsolutePath();
        try (Connection connection = DriverManager.getConnection(url, "", "");
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE patients (ssn VARCHAR(40))");
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO patients VALUES (?)")) {
                for (int i = number; i < PERSONS; i += PROVIDERS) {
                    insert.setString(1, "person-" + i);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
        }
        return url;
    }

    private static double sent(String provider) throws IOException, InterruptedException {
        String metrics = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(provider.replaceFirst("/\\?.*", "") + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        return metrics.lines()
                .filter(line -> line.startsWith("eppi_bytes{direction=\"out\"}"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    private static void queries(Figures figures, String url, NetworkFiles files)
            throws IOException, InterruptedException {
        HttpClient client = HttpClient.newHttpClient();
        double[] micros = new double[QUERIES];
        for (int q = 0; q < QUERIES; q++) {
            var request = HttpRequest.newBuilder(
                            URI.create(url + "/v1/query?token=" + files.token("person-" + q % PERSONS)))
                    .build();
            long begin = System.nanoTime();
            int status =
                    client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
            micros[q] = (System.nanoTime() - begin) / 1e3;
            if (status != 200) {
                throw new IllegalStateException("a query was answered with status " + status);
            }
        }
        double[] warm = Arrays.copyOfRange(micros, QUERIES / 2, QUERIES);
        Arrays.sort(warm);
        figures.record("network: query over HTTP, median", warm[warm.length / 2], "µs", 1_000.0, Better.LOWER, "");
        figures.record("network: query over HTTP, 99th percentile", warm[warm.length * 99 / 100], "µs");
    }

    private static void delete(Path directory) throws IOException {
        try (var all = Files.walk(directory)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
