package io.leeway.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeldFileTest {

    @TempDir
    Path directory;

    @Test
    void isHadByOneUntilItIsClosed() throws Exception {
        Path file = directory.resolve("lock");
        try (HeldFile first = taken(file)) {
            assertThat(HeldFile.take(file)).isNull();
            try (HeldFile other = taken(directory.resolve("other"))) {
                assertThat(other).isNotSameAs(first);
            }
        }
        taken(file).close();
    }

    /** A system that has locks for processes takes one away when any channel of the file is closed. */
    @Test
    void whoIsRefusedHereLeavesTheFileToWhoHasIt() throws Exception {
        Path file = directory.resolve("lock");
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        try (HeldFile first = taken(file)) {
            assertThat(HeldFile.take(file)).isNull();
            assertThat(HeldFile.take(link)).isNull();
            assertThat(seenByAnotherProcess(file)).isEqualTo("held");
            first.close();
            assertThat(seenByAnotherProcess(file)).isEqualTo("free");
        }
    }

    @Test
    void isNotLetGoBySomebodyWhoHadItBefore() throws Exception {
        Path file = directory.resolve("lock");
        HeldFile first = taken(file);
        first.close();
        try (HeldFile second = taken(file)) {
            first.close();
            assertThat(HeldFile.take(file)).isNull();
            assertThat(second).isNotSameAs(first);
        }
    }

    /** As where somebody clears a directory: nothing is known of the new file. */
    @Test
    void anotherFileUnderTheNameIsNotHeld() throws Exception {
        Path file = directory.resolve("lock");
        try (HeldFile first = taken(file)) {
            Files.delete(file);
            try (HeldFile second = taken(file)) {
                assertThat(second).isNotSameAs(first);
            }
        }
    }

    private static HeldFile taken(Path file) throws Exception {
        return Objects.requireNonNull(HeldFile.take(file));
    }

    private static String seenByAnotherProcess(Path file) throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Takes.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (InputStream said = other.getInputStream()) {
            return new String(said.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }

    /** Says whether another process could have a file. */
    static final class Takes {

        private Takes() {}

        public static void main(String[] arguments) throws Exception {
            try (HeldFile held = HeldFile.take(Path.of(arguments[0]))) {
                System.out.println(held == null ? "held" : "free");
            }
        }
    }
}
