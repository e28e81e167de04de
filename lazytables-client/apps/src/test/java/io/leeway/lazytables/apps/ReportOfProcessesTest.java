package io.leeway.lazytables.apps;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.LazyTablesCommand;
import io.leeway.lazytables.LazyTablesServer;
import io.leeway.testkit.JavaProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a run whose instances each recorded a file, by the command line. */
class ReportOfProcessesTest {

    private static final int INSTANCES = 2;

    @TempDir
    private Path directory;

    @Test
    void workersOfAllProcessesAreOnOnePageAndOtherRunsAreNotTakenForIt() throws Exception {
        List<Path> files = run("first");
        List<Path> others = run("second");
        Path page = directory.resolve("page.html");

        assertThat(report(page, files)).isEqualTo("wrote " + page + "\n");
        assertThat(Files.readString(page))
                .contains("counting · 1 run<", ">process 0</text>", ">process 1</text>")
                .contains("worker 0: computed", "worker 1: computed", "worker 2: computed", "worker 3: computed")
                .contains("worker 3, clock 5: waited")
                .contains("; 2 processes, whose workers began within ");
        assertThat(report(page, List.of(files.get(0), others.get(1))))
                .contains(
                        others.get(1) + " (run ", "process 1 of 2) is of another run than " + files.get(0) + " (run ");
    }

    /** Four workers of two instances, each with servers and records as a process has them. */
    private List<Path> run(String name) throws Exception {
        var files = new ArrayList<Path>();
        try (LazyTablesServer server = LazyTablesServer.start(
                Map.of("lazytables.server.listen", "127.0.0.1:0", "lazytables.processes", "" + INSTANCES))) {
            var runs = new ArrayList<CompletableFuture<Integer>>();
            for (int process = 0; process < INSTANCES; process++) {
                Path file = directory.resolve(name + "-" + process + ".jsonl");
                files.add(file);
                String[] typed = {
                    "--connect=" + server.address(),
                    "--instances=" + INSTANCES,
                    "--process=" + process,
                    "--workers=4",
                    "--passes=5",
                    "--seed=1",
                    "--log=" + file
                };
                runs.add(CompletableFuture.supplyAsync(() -> launched(typed), task -> new Thread(task).start()));
            }
            for (CompletableFuture<Integer> each : runs) {
                assertThat(each.get(2, TimeUnit.MINUTES)).isEqualTo(Launch.DONE);
            }
        }
        return files;
    }

    private static int launched(String... typed) {
        var print = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        return Launch.run((arguments, launch) -> launch.run(new RunTest.Resumed(-1)), print, print, typed);
    }

    /** What the command says. */
    private static String report(Path page, List<Path> files) throws IOException {
        var arguments = new ArrayList<>(List.of("report", "--out=" + page));
        files.forEach(file -> arguments.add(file.toString()));
        Process process = new ProcessBuilder(JavaProcess.command(
                        System.getProperty("java.class.path"), LazyTablesCommand.class.getName(), arguments))
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
