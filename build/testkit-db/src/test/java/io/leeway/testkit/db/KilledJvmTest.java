package io.leeway.testkit.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KilledJvmTest {

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void aServerDoesNotOutliveAJvmThatIsKilled(ServerKind kind) throws Exception {
        List<String> command = JavaProcess.command(
                System.getProperty("java.class.path"), ServerAndWait.class.getName(), List.of(kind.name()));
        command.add(1, "-Djava.util.logging.config.file=" + System.getProperty("java.util.logging.config.file"));
        Process jvm = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Path directory = Path.of(answer(jvm));
        assertThat(processesOf(directory)).isNotEmpty();

        jvm.destroyForcibly().waitFor();

        await().atMost(Duration.ofMinutes(2)).until(() -> processesOf(directory).isEmpty());
        await().atMost(Duration.ofMinutes(1)).until(() -> !directory.toFile().exists());
    }

    private static String answer(Process jvm) throws IOException {
        var reader = new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8));
        String line = reader.readLine();
        assertThat(line).as("the other JVM ended early").isNotNull();
        return line;
    }

    private static List<Long> processesOf(Path directory) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(directory.toString()))
                .map(ProcessHandle::pid)
                .toList();
    }

    /** Starts a server, says where its files are, and waits to be killed. */
    static final class ServerAndWait {

        private ServerAndWait() {}

        public static void main(String[] arguments) throws Exception {
            var server = new EmbeddedProvider().start(ServerKind.valueOf(arguments[0]));
            System.out.println(directoryOf(server));
            new CountDownLatch(1).await();
        }

        private static String directoryOf(RunningServer server) throws Exception {
            try (var connection = server.address().connectAsAdmin();
                    var rows = connection.createStatement().executeQuery(question(server.kind()))) {
                rows.next();
                return rows.getString(1).replaceFirst("/data/$", "");
            }
        }

        private static String question(ServerKind kind) {
            return kind == ServerKind.MARIADB ? "SELECT @@datadir" : "SHOW data_directory";
        }
    }
}
