package io.leeway.benchmarks.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFileTest {

    @TempDir
    Path root;

    @Test
    void aRecordedResultIsReadBack() throws IOException {
        Result result = Results.of("cached decision", 12.5, 50.0);

        file().merge(List.of(result));

        assertThat(file().read()).containsExactly(result);
    }

    @Test
    void theNewerResultOfANameTakesThePlaceAndTheOthersStay() throws IOException {
        file().merge(List.of(Results.of("b", 1, null), Results.of("a", 1, null)));

        file().merge(List.of(Results.of("b", 2, null)));

        assertThat(file().read()).containsExactly(Results.of("a", 1, null), Results.of("b", 2, null));
    }

    @Test
    void theFileHasExactlyTheAgreedFields() throws IOException {
        file().merge(List.of(Results.of("a", 1, null)));

        var entry = JsonParser.parseString(Files.readString(file().path()))
                .getAsJsonArray()
                .get(0)
                .getAsJsonObject();
        assertThat(entry.keySet())
                .containsExactly(
                        "name", "value", "unit", "goal", "better", "peer", "command", "machine", "date", "commit");
        assertThat(entry.get("better").getAsString()).isEqualTo("lower");
        assertThat(entry.get("goal").isJsonNull()).isTrue();
    }

    @Test
    void aValueThatIsNoNumberIsRefused() {
        assertThatThrownBy(() -> Results.of("a", Double.NaN, null)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aGoalIsMetFromTheBetterSideAndOnTheLine() {
        assertThat(Better.LOWER.meets(50, 50)).isTrue();
        assertThat(Better.LOWER.meets(50.1, 50)).isFalse();
        assertThat(Better.HIGHER.meets(98, 98)).isTrue();
        assertThat(Better.HIGHER.meets(97.9, 98)).isFalse();
    }

    @Test
    void theRecorderWritesWhereWhenAndWhatWasMeasured() throws IOException {
        var recorder = Recorder.of(root, "p", "build/bench X");

        recorder.record("a", 1, "µs", 2.0, Better.LOWER, "plain driver: 3 µs");

        Result result = file().read().get(0);
        assertThat(result.command()).isEqualTo("build/bench X");
        assertThat(result.machine()).contains("cores", "GiB", "JDK");
        assertThat(result.date()).matches("\\d{4}-\\d{2}-\\d{2}");
        assertThat(result.commit()).isNotEmpty();
    }

    private ResultFile file() {
        return ResultFile.of(root, "p");
    }
}
