package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the pages show is compiled here, as it stands there but for blanks. */
class PagesTest {

    private static final Path ROOT =
            Path.of(System.getProperty("leeway.root", "..")).toAbsolutePath();
    private static final Pattern JAVA = Pattern.compile("(?s)```java\n(.*?)```");

    @Test
    void theirExamplesAreHere() throws IOException {
        String here = withoutBlanks(Files.readString(
                ROOT.resolve("lazytables-client/client/src/test/java/io/leeway/lazytables/PagesTest.java")));

        assertThat(examples("README.md"))
                .hasSize(1)
                .allSatisfy(each -> assertThat(here).contains(each));
        assertThat(examples("command-line.md"))
                .hasSize(1)
                .allSatisfy(each -> assertThat(here).contains(each));
        assertThat(examples("operations.md"))
                .hasSize(1)
                .allSatisfy(each -> assertThat(here).contains(each));
        // The others of that page are those of the engines' tests.
        assertThat(here).contains(examples("engines.md").get(0));
    }

    @Test
    @Timeout(120)
    void theQuickStartRuns() throws Exception {
        var printed = new ByteArrayOutputStream();
        PrintStream console = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            quickStart();
        } finally {
            System.setOut(console);
        }

        // Four workers with 50 steps each leave 99 x 0.99^200 of 99 to go, and more the staler they were.
        assertThat(Double.parseDouble(printed.toString(StandardCharsets.UTF_8))).isBetween(80.0, 110.0);
    }

    /** Never called. */
    static double storedTables() {
        StoredTables tables = StoredTables.newest(List.of("/var/lib/lazytables/a", "/var/lib/lazytables/b"));
        RowView row = tables.row("weights", 7);
        return row.get(0);
    }

    private static void quickStart() throws InterruptedException {
        try (LazyTables tables = LazyTables.builder().workers(4).connect()) {
            Table weights = tables.table(
                    "weights", TableSpec.dense(CellType.DOUBLE, 100).slack(2));
            ExecutorService threads = Executors.newFixedThreadPool(4);
            for (int number = 0; number < 4; number++) {
                Worker worker = tables.worker(number); // one for each thread
                threads.execute(() -> {
                    for (int clock = 0; clock < 50; clock++) {
                        RowView row = worker.read(weights, 7); // every update of every worker, up to two clocks ago
                        double[] steps = new double[100];
                        Arrays.setAll(steps, column -> (column - row.get(column)) / 100);
                        worker.incrementRow(weights, 7, steps);
                        worker.clock(); // what was done in this clock goes to the others
                    }
                });
            }
            threads.shutdown();
            threads.awaitTermination(1, TimeUnit.HOURS);
            System.out.println(tables.worker(0).get(weights, 7, 99, 0)); // slack 0: the result, with all updates
            tables.end(); // done; who leaves by an exception is not, and others that wait for it are told
        }
    }

    /** Its servers are not there. */
    static LazyTables ofTheCommandLine() {
        LazyTables tables = LazyTables.builder()
                .option("lazytables.servers", "127.0.0.1:7171,127.0.0.1:7172")
                .option("lazytables.processes", "2")
                .option("lazytables.process", "0")
                .connect();
        return tables;
    }

    /** Its registry is not there. */
    static LazyTables ofARegistry() {
        LazyTables tables = LazyTables.builder()
                .option("lazytables.registry", "zookeeper://zk1:2181,zk2:2181/lazytables/run7")
                .option("lazytables.token.file", "token")
                .option("lazytables.processes", "4")
                .option("lazytables.process", "0")
                .connect();
        return tables;
    }

    private static List<String> examples(String page) throws IOException {
        return JAVA.matcher(Files.readString(ROOT.resolve("docs/lazytables").resolve(page)))
                .results()
                .map(example -> withoutBlanks(example.group(1)))
                .toList();
    }

    private static String withoutBlanks(String code) {
        return code.replaceAll("\\s", "");
    }
}
