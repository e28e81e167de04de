package io.leeway.autotune.internal.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.autotune.internal.deploy.Step;
import io.leeway.autotune.spi.Allocation;
import io.leeway.autotune.spi.Deployment;
import io.leeway.autotune.spi.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {

    @TempDir
    private Path directory;

    private static Step step(Step.Phase phase, double cpu) {
        var deployment = new Deployment(Map.of("front", new Allocation(Map.of(Resource.CPU, cpu))), Map.of("front", 0));
        return new Step(phase, deployment, 0.25, 3, "3 of 4 reduced");
    }

    @Test
    void searchThatWasKilledGoesOnFromItsLastStepAndOneThatEndedDoesNot() throws IOException {
        Path file = directory.resolve("journal");
        var journal = new Journal(file);
        assertThat(journal.last()).isEmpty();
        journal.add(step(Step.Phase.CLAMPDOWN, 1));
        journal.add(step(Step.Phase.LEFTOVERS, 0.5));
        assertThat(new Journal(file).last()).contains(step(Step.Phase.LEFTOVERS, 0.5));

        // The process was killed while it wrote.
        Files.writeString(file, "{\"phase\":\"TRANS", StandardOpenOption.APPEND);
        assertThat(new Journal(file).last()).contains(step(Step.Phase.LEFTOVERS, 0.5));
        journal.add(step(Step.Phase.DONE, 0.5));
        assertThat(new Journal(file).last()).isEmpty();
    }

    @Test
    void fileThatIsNoJournalIsRefused() throws IOException {
        Path file = Files.writeString(directory.resolve("journal"), "{\"phase\":\"NOWHERE\"}\n");
        assertThatThrownBy(() -> new Journal(file).last()).hasMessageContaining("AUTOTUNE-");
    }

    @Test
    void applicationThatGivesAwayMoreThanThereIsIsRefused() throws IOException {
        Path file = Files.writeString(
                directory.resolve("app.json"),
                "{\"measured\":\"front\",\"server\":{\"cpu\":1},\"instances\":["
                        + "{\"name\":\"a\",\"pids\":[1],\"floor\":{\"cpu\":0.1},\"allocation\":{\"cpu\":0.6},\"server\":0},"
                        + "{\"name\":\"b\",\"pids\":[1],\"floor\":{\"cpu\":0.1},\"allocation\":{\"cpu\":0.6},\"server\":0}]}");
        assertThatThrownBy(() -> Application.read(file)).hasMessageContaining("gives away more CPU than it has");
        Files.writeString(
                file, Files.readString(file).replace("\"cpu\":0.6},\"server\":0}]", "\"cpu\":0.6},\"server\":1}]"));
        assertThat(Application.read(file).first().servers()).isEqualTo(2);
        Files.writeString(file, Files.readString(file).replace("\"b\"", "\"../b\""));
        assertThatThrownBy(() -> Application.read(file)).hasMessageContaining("letters, digits");
    }
}
