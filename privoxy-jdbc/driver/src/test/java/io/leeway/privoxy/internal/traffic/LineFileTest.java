package io.leeway.privoxy.internal.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.LogCapture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineFileTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    @Test
    void appendsLinesInOrderToWhatIsThere() throws IOException {
        Path path = Files.writeString(folder.resolve("t.jsonl"), "before\n");
        LineFile file = file(path, LineFile.MAX_WAITING);

        file.add("one");
        file.add("two ä");

        assertThat(file.flush(PATIENCE)).isTrue();
        assertThat(path).content().isEqualTo("before\none\ntwo ä\n");
        file.close();
    }

    @Test
    void createsTheFileForItsOwnerOnly() throws IOException {
        Path path = folder.resolve("t.jsonl");
        LineFile file = file(path, LineFile.MAX_WAITING);

        file.add("data");
        file.flush(PATIENCE);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
        file.close();
    }

    @Test
    void warnsOnceOfAFileThatOthersCanRead() throws IOException {
        Path path = Files.writeString(folder.resolve("t.jsonl"), "");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));

        try (LogCapture log = LogCapture.of(LineFile.class.getName())) {
            LineFile file = file(path, LineFile.MAX_WAITING);
            file.add("data");
            file.flush(PATIENCE);
            file.close();

            assertThat(log.messages(Level.WARNING)).singleElement().asString().contains("by others");
        }
    }

    @Test
    void aFaultIsToldOnceAndEndsTheRecordingOnly() {
        try (LogCapture log = LogCapture.of(LineFile.class.getName())) {
            LineFile file = file(folder.resolve("no/such/folder/t.jsonl"), LineFile.MAX_WAITING);

            file.add("one");
            assertThat(file.flush(PATIENCE)).isFalse();
            file.add("two");

            assertThat(log.messages(Level.WARNING)).singleElement().asString().contains("not recorded any more");
        }
    }

    @Test
    void dropsAndCountsWhatDoesNotFit() throws IOException {
        Path path = folder.resolve("t.jsonl");
        LineFile file = file(path, 10);

        file.add("x".repeat(11));
        file.add("y".repeat(11));
        file.add("short");

        assertThat(file.flush(PATIENCE)).isTrue();
        assertThat(path).content().isEqualTo("lost 2\nshort\n");
        file.close();
    }

    @Test
    void closingWritesWhatIsWaitingAndCountsWhatIsMissing() throws IOException {
        Path path = folder.resolve("t.jsonl");
        LineFile file = file(path, 10);

        file.add("first");
        file.add("z".repeat(11));
        file.close();

        assertThat(file.flush(PATIENCE)).isTrue();
        assertThat(path).content().isEqualTo("first\nlost 1\n");
    }

    @Test
    void linesOfManyThreadsStayWhole() throws Exception {
        Path path = folder.resolve("t.jsonl");
        LineFile file = file(path, LineFile.MAX_WAITING);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            String line = String.valueOf((char) ('a' + t)).repeat(50);
            var thread = new Thread(() -> IntStream.range(0, 500).forEach(i -> file.add(line)));
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(file.flush(PATIENCE)).isTrue();
        assertThat(Files.readAllLines(path)).hasSize(2_000).allMatch(line -> line.matches("a{50}|b{50}|c{50}|d{50}"));
        file.close();
    }

    private static LineFile file(Path path, int bound) {
        return new LineFile(path, bound, count -> "lost " + count);
    }
}
