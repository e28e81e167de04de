package io.leeway.lazytables.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.LazyTablesCommand;
import io.leeway.lazytables.LazyTablesServer;
import io.leeway.lazytables.Statistics;
import io.leeway.lazytables.internal.server.ServerStatus;
import io.leeway.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs in several processes with servers, all of them real. */
@Timeout(300)
class RunCommandTest {

    private static final String CLASS_PATH = System.getProperty("java.class.path");
    private static final String MAIN = "--main=" + RunnableProgram.class.getName();

    @Test
    void processesCountTogether() {
        JavaProcess.Result result = run("--processes=3", "--servers=2", "--clocks=21", MAIN, "--", "count");

        assertThat(result.output()).as("output").contains("0: total 480", "1: total 480", "2: total 480");
        assertThat(result.exitCode()).isZero();
        assertThat(result.output())
                .contains("server 0: listening at 127.0.0.1:", "server 1: listening at 127.0.0.1:")
                .contains("clock 21 of 21 completed by all, 21 by the fastest of 3");
        assertThatAllHaveEnded(result.output(), 3);
    }

    @Test
    void oneThatFailsEndsAllAndItsExitCodeIsThatOfTheRun() {
        JavaProcess.Result result = run("--processes=3", MAIN, "--progress=none", "--", "fail", "1");

        assertThat(result.exitCode()).as(result.output()).isEqualTo(7);
        assertThat(result.output())
                .contains("1: fails")
                .contains("process 1 failed with exit code 7; the others are ended")
                .doesNotContain("total");
        assertThatAllHaveEnded(result.output(), 3);
    }

    @Test
    void aTokenIsHandedOnWithoutStandingOnACommandLine(@TempDir Path directory) throws Exception {
        Path config =
                Files.writeString(directory.resolve("run.properties"), "lazytables.token=correct horse battery\n");
        JavaProcess.Result result = run("--processes=1", "--config=" + config, MAIN, "--progress=none", "--", "count");

        assertThat(result.output()).contains("0: total 160").doesNotContain("correct horse");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void everyServerHasItsOwnSnapshots(@TempDir Path directory) throws Exception {
        String[] arguments = {
            "--processes=2",
            "--servers=2",
            "--snapshot.directory=" + directory,
            "--snapshot.interval=20ms",
            MAIN,
            "--progress=none",
            "--",
            "count"
        };

        JavaProcess.Result first = run(arguments);

        assertThat(first.output()).contains("0: total 320", "1: total 320");
        assertThat(first.exitCode()).isZero();
        for (String server : List.of("server-0", "server-1")) {
            assertThat(directory.resolve(server)).isDirectoryContaining("glob:**snapshot-*");
        }
        // Each server goes on from its own, so both know that there was a run.
        JavaProcess.Result again = run(arguments);
        assertThat(again.output())
                .contains("goes on from a snapshot in " + directory.resolve("server-0"))
                .contains("goes on from a snapshot in " + directory.resolve("server-1"));
        assertThat(again.exitCode()).isNotZero();
        assertThat(again.output()).doesNotContain("total");
        // The first that fails ends the other, which may not have said who it is.
        assertThat(ended(again.output())).isBetween(1, 2);
    }

    @Test
    void snapshotsNeedADirectoryThatIsThere(@TempDir Path directory) {
        JavaProcess.Result result = run("--snapshot.directory=" + directory.resolve("not"), MAIN, "--", "count");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("LAZY-1501", "There is no place for the snapshots of server 0");
    }

    @Test
    void aCommandIsToldItsNumberByItsEnvironment() {
        try (LazyTablesServer server = LazyTablesServer.start(Map.of("lazytables.server.listen", "127.0.0.1:0"))) {
            JavaProcess.Result result = run(
                    "--processes=2",
                    "--servers=" + server.address(),
                    "--progress=none",
                    "--",
                    "sh",
                    "-c",
                    "echo I am $LAZYTABLES_PROCESS of $LAZYTABLES_PROCESSES at $LAZYTABLES_SERVERS");

            assertThat(result.exitCode()).as(result.output()).isZero();
            assertThat(result.output())
                    .contains("0: I am 0 of 2 at " + server.address(), "1: I am 1 of 2 at " + server.address());
        }
    }

    @Test
    void toldToEndItEndsItsProcesses() throws Exception {
        var command = JavaProcess.command(
                CLASS_PATH,
                LazyTablesCommand.class.getName(),
                List.of("run", "--processes=2", "--progress=none", "--", "sh", "-c", "echo pid $$; exec sleep 600"));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            var output = new StringBuilder();
            BufferedReader reader = process.inputReader();
            while (output.toString().split("pid ", -1).length < 3) {
                String line = reader.readLine();
                assertThat(line).isNotNull();
                output.append(line).append('\n');
            }
            process.destroy();

            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).isEqualTo(143);
            assertThatAllHaveEnded(output.toString(), 2);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void wrongArgumentsAreTold() {
        refused("run needs a program");
        refused("run needs a program", "--processes=2");
        refused("--processes=0 is not within 1 to 1024", "--processes=0", MAIN);
        refused("--servers=many is no whole number", "--servers=many", MAIN);
        refused("--progress=song is not known", "--progress=song", MAIN);
        refused("--lazytables.process is chosen by run", "--process=1", MAIN);
        refused("unknown option lazytables.heartbeats", "--heartbeats=1s", MAIN);
        refused("cannot start there-is-no-such-program", "--servers=a:1", "--", "there-is-no-such-program");
        refused(
                "--servers=2 and --registry contradict each other",
                "--servers=2",
                "--registry=zookeeper://a:1/r",
                MAIN);
        refused("no ServerRegistryProvider in the class path", "--registry=nobody://a:1/r", MAIN);
    }

    @Test
    void barsShowHowFarEachIs() {
        var status = new ServerStatus(
                2,
                5,
                1,
                false,
                0,
                List.of(
                        new ServerStatus.OfProcess(0, ServerStatus.State.CONNECTED, 1, 10, 1),
                        new ServerStatus.OfProcess(1, ServerStatus.State.AWAY, 1, 5, 1)),
                List.of(),
                Statistics.Traffic.NONE);

        assertThat(new RunProgress(20).bars(status))
                .containsExactly(
                        "process 0   [" + "#".repeat(20) + ".".repeat(20) + "] clock 10 of 20",
                        "process 1   [" + "#".repeat(10) + ".".repeat(30) + "] clock 5 of 20, not connected");
        assertThat(new RunProgress(0).bars(status))
                .containsExactly(
                        "process 0   [" + "#".repeat(40) + "] clock 10",
                        "process 1   [" + "#".repeat(20) + ".".repeat(20) + "] clock 5, not connected");
        assertThat(new RunProgress(3).bars(status).get(0)).contains("#".repeat(40));
    }

    @Test
    void barsAreDrawnBelowTheLines() {
        var out = new ByteArrayOutputStream();
        var screen = new Screen(new PrintStream(out, true, StandardCharsets.UTF_8), true);

        screen.line("one");
        screen.bars(List.of("[#.]", "[..]"));
        screen.line("two");
        screen.bars(List.of("[##]"));

        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo("one\n[#.]\n[..]\n\033[2A\033[Jtwo\n[#.]\n[..]\n\033[2A\033[J[##]\n");
    }

    private static void refused(String why, String... arguments) {
        JavaProcess.Result result = run(arguments);
        assertThat(result.exitCode()).as(result.output()).isEqualTo(2);
        assertThat(result.output()).contains(why);
    }

    private static JavaProcess.Result run(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "run";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return JavaProcess.run(CLASS_PATH, LazyTablesCommand.class.getName(), all);
    }

    private static void assertThatAllHaveEnded(String output, int processes) {
        assertThat(ended(output)).isEqualTo(processes);
    }

    /** How many processes have said who they are, all of which must have ended. */
    private static int ended(String output) {
        Matcher pid = Pattern.compile("pid ([0-9]+)").matcher(output);
        int found = 0;
        while (pid.find()) {
            found++;
            assertThat(ProcessHandle.of(Long.parseLong(pid.group(1))).map(ProcessHandle::isAlive))
                    .isNotEqualTo(Optional.of(true));
        }
        return found;
    }
}
