package io.leeway.lazybase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazybase.internal.cli.CommandLine;
import io.leeway.lazybase.internal.console.Console;
import io.leeway.testkit.JavaProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line against a server, and mistakes that people make at it. */
class CommandLineTest {

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... words) {
        out.reset();
        err.reset();
        var console = new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Map.of("PGUSER", "me")::get,
                false);
        return new CommandLine(console, LazyBaseServer::start).run(words);
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String complained() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void loadsAsksBacksUpAndVerifies() throws IOException {
        Path rows = Files.writeString(directory.resolve("rows.csv"), "id,said\n1,one\n2,\"two, too\"\n");
        Path json = Files.writeString(directory.resolve("rows.json"), "{\"id\":3,\"said\":\"three\"}\n");
        Path bad = Files.writeString(directory.resolve("bad.csv"), "4,four\nfive,5\n");
        String data = "--directory=" + directory.resolve("data");
        var options = Map.of(
                "lazybase.directory", directory.resolve("data").toString(),
                "lazybase.pg.port", "0",
                "lazybase.web.port", "0");
        try (LazyBaseServer server = LazyBaseServer.start(LazyBaseOptions.of(options))) {
            String port = "--pg.port=" + server.address().getPort();
            assertThat(run("sql", port, "CREATE TABLE t (id int PRIMARY KEY, said text)"))
                    .isZero();
            assertThat(run("load", "t", rows.toString(), port, "--header")).isZero();
            assertThat(said()).isEqualTo("2 rows loaded\n");
            assertThat(run("load", "t", json.toString(), port)).isZero();
            assertThat(run("load", "t", bad.toString(), port)).isEqualTo(1);
            assertThat(complained()).contains("Line 2", "id");
            assertThat(run("load", "t", "nowhere.csv", port)).isEqualTo(1);
            assertThat(complained()).contains("nowhere.csv");
            assertThat(run("sql", port, "SELECT id, said FROM t ORDER BY id; SELECT count(*) FROM t"))
                    .isZero();
            assertThat(said()).contains("two, too", "(3 rows)", "(1 row)");
            assertThat(run("sql", port, "SELECT nothing FROM t")).isEqualTo(1);
            assertThat(complained()).contains("nothing");
            assertThat(run("verify", data)).isEqualTo(1);
            assertThat(complained()).contains("LAZYBASE-1002");
            String web = server.pageUrl().replaceAll(".*:(\\d+)/", "$1");
            assertThat(run("status", "--web.port=" + web)).isZero();
            assertThat(said()).contains("lazybase_stage_rows");
        }
        assertThat(run("verify", data)).isZero();
        assertThat(run("backup", directory.resolve("copy").toString(), data)).isZero();
        assertThat(run("backup", directory.resolve("copy").toString(), data)).isEqualTo(1);
        assertThat(complained()).contains("has data already");
        assertThat(run("restore", directory.resolve("copy").toString(), "--directory=" + directory.resolve("again")))
                .isZero();
        assertThat(said()).contains("0 damaged");
    }

    /** A system that has locks for processes takes one away when any channel of the file is closed. */
    @Test
    void whoIsRefusedADirectoryHereLeavesItToWhoHasIt() {
        Path data = directory.resolve("data");
        var options = LazyBaseOptions.of(
                Map.of("lazybase.directory", data.toString(), "lazybase.pg.port", "0", "lazybase.web.port", "0"));
        try (LazyBaseServer server = LazyBaseServer.start(options)) {
            assertThat(server.address().getPort()).isPositive();
            assertThatThrownBy(() -> LazyBaseServer.start(options)).hasMessageContaining("LAZYBASE-1002");
            assertThat(verifiedByAnotherProcess(data)).contains("LAZYBASE-1002");
        }
        try (LazyBaseServer server = LazyBaseServer.start(options)) {
            assertThat(server.address().getPort()).isPositive();
            assertThat(run("verify", "--directory=" + data)).isEqualTo(1);
            assertThat(verifiedByAnotherProcess(data)).contains("LAZYBASE-1002");
        }
    }

    private static String verifiedByAnotherProcess(Path data) {
        return JavaProcess.run(
                        System.getProperty("java.class.path"),
                        LazyBaseCommand.class.getName(),
                        "verify",
                        "--directory=" + data)
                .output();
    }

    @Test
    void mistakesAreNamed() {
        assertThat(run()).isEqualTo(2);
        assertThat(complained()).contains("Usage:", "start", "load TABLE FILE");
        assertThat(run("strat")).isEqualTo(2);
        assertThat(complained()).contains("did you mean start?");
        assertThat(run("load", "t")).isEqualTo(2);
        assertThat(complained()).contains("FILE is missing");
        assertThat(run("load", "t; DROP TABLE t", "x.csv")).isEqualTo(1);
        assertThat(run("start", "--pg.prot=1")).isEqualTo(2);
        assertThat(complained()).contains("did you mean --pg.port?");
        assertThat(run("start", "--pg.port=many", "--scu.rows=0")).isEqualTo(1);
        assertThat(complained()).contains("lazybase.pg.port", "lazybase.scu.rows");
        assertThat(run("sql", "--pg.port=1", "SELECT 1")).isEqualTo(1);
        assertThat(complained()).contains("127.0.0.1:1");
        assertThat(run("start", "--config=nowhere.conf")).isEqualTo(2);
        assertThat(complained()).contains("nowhere.conf");
        assertThat(run("load", "--help")).isZero();
        assertThat(said()).contains("--columns A,B", "--help");
        assertThat(run("user", "--directory=" + directory)).isEqualTo(2);
        assertThat(complained()).contains("NAME is missing");
    }
}
