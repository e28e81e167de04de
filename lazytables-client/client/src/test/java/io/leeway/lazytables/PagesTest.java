package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.JavaProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the pages show is compiled: the quick start from its page, the rest here, as it stands there but for blanks. */
class PagesTest {

    private static final Path ROOT =
            Path.of(System.getProperty("leeway.root", "..")).toAbsolutePath();
    private static final Path README = ROOT.resolve("docs/lazytables/README.md");
    private static final Pattern JAVA = Pattern.compile("(?s)```java\n(.*?)```");

    @Test
    void theirExamplesAreHere() throws IOException {
        String here = withoutBlanks(Files.readString(
                ROOT.resolve("lazytables-client/client/src/test/java/io/leeway/lazytables/PagesTest.java")));

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
    void theQuickStartRunsAsItStands(@TempDir Path directory) throws Exception {
        compileQuickStart(directory);
        var printed = new ByteArrayOutputStream();
        PrintStream console = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try (var classes = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
            classes.loadClass("Train").getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(console);
        }

        // Four workers with 50 steps each leave 99 x 0.99^200 of 99 to go, and more the staler they were.
        assertThat(Double.parseDouble(printed.toString(StandardCharsets.UTF_8))).isBetween(80.0, 110.0);
    }

    /** As the page has it run in several processes: its last read is the result, so each of them prints the same. */
    @Test
    @Timeout(300)
    void theQuickStartPrintsTheSameInEachProcess(@TempDir Path directory) throws Exception {
        compileQuickStart(directory);
        assertThat(Files.readString(README))
                .contains("bin/lazytables run --processes=4 --servers=2 --class-path=. --main=Train");
        JavaProcess.Result result = JavaProcess.run(
                System.getProperty("java.class.path"),
                LazyTablesCommand.class.getName(),
                "run",
                "--processes=2",
                "--servers=2",
                "--class-path=" + directory,
                "--main=Train",
                "--progress=none");

        assertThat(result.exitCode()).as(result.output()).isZero();
        List<String> printed = result.output()
                .lines()
                .filter(line -> line.matches("[01]: [0-9.]+"))
                .map(line -> line.substring(3))
                .toList();
        assertThat(printed).as(result.output()).hasSize(2);
        assertThat(Set.copyOf(printed)).hasSize(1);
    }

    /** Copies it from the page. */
    private static void compileQuickStart(Path into) throws IOException {
        Matcher example = JAVA.matcher(Files.readString(README));
        assertThat(example.find()).isTrue();
        Path source = Files.writeString(into.resolve("Train.java"), example.group(1));
        var words = new ByteArrayOutputStream();

        int code = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        words,
                        words,
                        "-Xlint:all",
                        "-Werror",
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        source.toString());

        assertThat(code).as(words.toString(StandardCharsets.UTF_8)).isZero();
    }

    /** Never called. */
    static double storedTables() {
        StoredTables tables = StoredTables.newest(List.of("/var/lib/lazytables/a", "/var/lib/lazytables/b"));
        RowView row = tables.row("weights", 7);
        return row.get(0);
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
