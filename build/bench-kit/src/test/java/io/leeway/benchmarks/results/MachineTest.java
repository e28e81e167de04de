package io.leeway.benchmarks.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineTest {

    private static void git(Path root, String... arguments) throws Exception {
        var command = new ArrayList<>(List.of("git", "-c", "user.name=n", "-c", "user.email=e"));
        command.addAll(List.of(arguments));
        assertThat(new ProcessBuilder(command)
                        .directory(root.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void whatIsRecordedIsNoChangeOfTheCommit(@TempDir Path root) throws Exception {
        Path results = Files.createDirectories(root.resolve("docs/benchmarks/results"));
        Files.writeString(results.resolve("p.json"), "[]");
        Files.writeString(root.resolve("code"), "1");
        git(root, "init");
        git(root, "add", ".");
        git(root, "commit", "-m", "first");
        String clean = Machine.commit(root);

        assertThat(clean).matches("[0-9a-f]{12}");
        Files.writeString(results.resolve("p.json"), "[1]");
        assertThat(Machine.commit(root)).isEqualTo(clean);
        Files.writeString(root.resolve("code"), "2");
        assertThat(Machine.commit(root)).isEqualTo(clean + "-dirty");
    }

    @Test
    void withoutARepositoryTheCommitIsUnknown(@TempDir Path root) {
        assertThat(Machine.commit(root)).isEqualTo("unknown");
    }
}
