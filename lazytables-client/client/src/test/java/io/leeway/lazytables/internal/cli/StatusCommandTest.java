package io.leeway.lazytables.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.LazyTablesCommand;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesServer;
import io.leeway.lazytables.Statistics;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.Worker;
import io.leeway.lazytables.internal.server.ServerStatus;
import io.leeway.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server that runs says of itself, over TCP. */
@Timeout(120)
class StatusCommandTest {

    private static final String TOKEN = "correct horse battery";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void tellsTablesProcessesAndClocks() {
        try (LazyTablesServer server = server("2");
                LazyTables tables = connect(server, "2")) {
            Table counts = tables.table("counts", TableSpec.dense(CellType.INT, 20));
            Worker worker = tables.worker(0);
            for (int row = 0; row < 10; row++) {
                worker.increment(counts, row, 0, 1);
            }
            // Answered before the other process has come: so the server has read what came before it, too.
            worker.read(counts, 1, TableSpec.ASYNC);

            assertThat(status(server)).isZero();
            assertThat(text())
                    .contains(": it waits for processes: 1 of 2 have come, process 1 has not.")
                    .containsPattern("\n +0  connected +1 +0 +0\n")
                    .containsPattern("\ncounts +0 +0  dense, 20 columns of int, combined by add, slack 0\n")
                    .containsPattern("Received [0-9.,]+ K?B in [0-9,]+ messages?, sent ");
        }
    }

    @Test
    void namesAreNoCommandsForTheTerminal() {
        var status = new ServerStatus(
                1,
                0,
                0,
                false,
                0,
                List.of(),
                List.of(new ServerStatus.OfTable("a\u001b[2Jb\u202e\u00e4", "dense\n", 1, 0)),
                Statistics.Traffic.NONE);

        assertThat(StatusText.of("here", status))
                .contains("a\\u001b[2Jb\\u202e\u00e4", "dense\\u000a")
                .doesNotContain("\u001b");
    }

    @Test
    void processesThatDriftApartAreTold() {
        assertThat(StatusText.of("here", apart(1_000, 990))).doesNotContain("Warning");
        assertThat(StatusText.of("here", apart(1_000, 300)))
                .contains("Warning: processes are 700 clocks apart: what the fast ones read may be as old");
        assertThat(new RunProgress(0).line(apart(1_000, 300))).contains("700 clocks apart");
        assertThat(new RunProgress(0).bars(apart(1_000, 300))).last().asString().contains("700 clocks apart");
        assertThat(new RunProgress(0).bars(apart(20, 0))).hasSize(2);
    }

    private static ServerStatus apart(int fastest, int slowest) {
        return new ServerStatus(
                2,
                slowest,
                1,
                false,
                0,
                List.of(
                        new ServerStatus.OfProcess(0, ServerStatus.State.CONNECTED, 1, fastest, 1),
                        new ServerStatus.OfProcess(1, ServerStatus.State.CONNECTED, 1, slowest, 1)),
                List.of(),
                Statistics.Traffic.NONE);
    }

    @Test
    void tellsWhatProcessesHaveCompleted() {
        try (LazyTablesServer server = server("1");
                LazyTables tables = connect(server, "1")) {
            Table counts = tables.table("counts", TableSpec.dense(CellType.INT, 20));
            Worker worker = tables.worker(0);
            for (int clock = 0; clock < 3; clock++) {
                worker.increment(counts, clock, 0, 1);
                worker.clock();
            }
            worker.read(counts, 0, 0);

            assertThat(status(server)).isZero();
            assertThat(text())
                    .startsWith(server.address() + ": the process has completed clock 3.\n")
                    .containsPattern("\n +0  connected +1 +3 +3\n")
                    .containsPattern("\ncounts +3 ");
        }
    }

    @Test
    void watchingTellsAgainAndAgainAlsoWhenTheServerIsGone() throws Exception {
        LazyTablesServer server = server("1");
        Process process = new ProcessBuilder(JavaProcess.command(
                        System.getProperty("java.class.path"),
                        LazyTablesCommand.class.getName(),
                        List.of("status", server.address().toString(), "--token=" + TOKEN, "--watch=50ms")))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            BufferedReader lines = process.inputReader();
            String told = server.address() + ": it waits for processes: 0 of 1 have come, process 0 has not.";
            awaitLine(lines, told);
            awaitLine(lines, told);
            server.close();
            awaitLine(lines, server.address() + ": LAZY-1402: The server is not connected");
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static void awaitLine(BufferedReader lines, String wanted) throws IOException {
        String line = lines.readLine();
        while (line != null && !line.equals(wanted)) {
            line = lines.readLine();
        }
        assertThat(line).isEqualTo(wanted);
    }

    @Test
    void whoDoesNotHaveTheTokenIsTold() {
        try (LazyTablesServer server = server("1")) {
            String address = server.address().toString();

            assertThat(StatusCommand.run(List.of(address), print())).isOne();
            assertThat(text()).startsWith(address + ": LAZY-1405");
        }
    }

    @Test
    void aServerThatIsNotThereIsTold() {
        assertThat(StatusCommand.run(List.of("127.0.0.1:1"), print())).isOne();
        assertThat(text()).startsWith("127.0.0.1:1: LAZY-1402").contains("127.0.0.1:1 cannot be reached");
    }

    @Test
    void wrongArgumentsAreTold() {
        refused("needs the address of a server");
        refused("there is no address", "");
        refused("here is no address", "here");
        refused("--watch=often is no time", "127.0.0.1:1", "--watch=often");
        refused("needs the address of a server", "a:1", "b:1");
    }

    @Test
    void wordsForEachStateOfAServer() {
        assertThat(StatusText.of("a:1", status(3, 4, false, 0, process(0, 4), process(1, 6), process(2, 5))))
                .startsWith(
                        "a:1: all 3 processes have completed clock 4; the fastest is 2 clocks ahead of process 0.\n");
        assertThat(StatusText.of("a:1", status(1, 4, true, 2, process(0, 4))))
                .startsWith(
                        "a:1: it was restarted, and waits for what its 1 process sent before; 1 connected.\n2 reads wait until all is back.\n");
        assertThat(StatusText.of(
                        "a:1",
                        status(1, 4, false, 1, new ServerStatus.OfProcess(0, ServerStatus.State.ENDED, 1, 4, 1))))
                .startsWith("a:1: all processes have ended, after clock 4.\n1 read waits for later clocks.\n")
                .contains("\n      0  ended        1      4        1\n");
    }

    @Test
    void sizesAreShort() {
        assertThat(StatusText.bytes(0)).isEqualTo("0 B");
        assertThat(StatusText.bytes(999)).isEqualTo("999 B");
        assertThat(StatusText.bytes(1_024)).isEqualTo("1.0 KB");
        assertThat(StatusText.bytes(150L << 20)).isEqualTo("150 MB");
        assertThat(StatusText.bytes(Long.MAX_VALUE)).endsWith(" TB");
    }

    private static ServerStatus.OfProcess process(int number, int clock) {
        return new ServerStatus.OfProcess(number, ServerStatus.State.CONNECTED, 1, clock, clock);
    }

    private static ServerStatus status(
            int expected, int clock, boolean recovering, int reads, ServerStatus.OfProcess... processes) {
        return new ServerStatus(
                expected, clock, 0, recovering, reads, List.of(processes), List.of(), Statistics.Traffic.NONE);
    }

    private void refused(String why, String... arguments) {
        assertThatThrownBy(() -> StatusCommand.run(List.of(arguments), print()))
                .isInstanceOf(LazyTablesException.class)
                .hasMessageContaining(why);
    }

    private int status(LazyTablesServer server) {
        return StatusCommand.run(List.of(server.address().toString(), "--token=" + TOKEN), print());
    }

    private PrintStream print() {
        return new PrintStream(out, true, StandardCharsets.UTF_8);
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private static LazyTablesServer server(String processes) {
        return LazyTablesServer.start(Map.of(
                "lazytables.server.listen",
                "127.0.0.1:0",
                "lazytables.processes",
                processes,
                "lazytables.token",
                TOKEN));
    }

    private static LazyTables connect(LazyTablesServer server, String processes) {
        return LazyTables.builder()
                .option("lazytables.servers", server.address().toString())
                .option("lazytables.processes", processes)
                .option("lazytables.token", TOKEN)
                .connect();
    }
}
