package io.leeway.autotune.lab.internal.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.autotune.lab.internal.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingTest {

    @TempDir
    private Path directory;

    private String culprit = "";

    @BeforeEach
    void record() throws IOException {
        var simulator = new TraceSimulator(6, 1, 3);
        culprit = simulator
                .anomalous(TraceSimulator.Anomaly.SINGLE)
                .culprits()
                .iterator()
                .next();
        write("usual.jsonl", 60, simulator::normal);
        write("normal.jsonl", 20, simulator::normal);
        write("slow.jsonl", 20, () -> simulator.slow(culprit));
    }

    private void write(String file, int traces, Supplier<TraceSimulator.Labelled> from) throws IOException {
        var lines = new ArrayList<String>();
        for (int i = 0; i < traces; i++) {
            from.get().trace().nodes().forEach(node -> lines.add(TraceReader.line(node.span())));
        }
        Files.write(directory.resolve(file), lines);
    }

    private void labels(String culprits) throws IOException {
        Files.writeString(directory.resolve("labels.json"), """
                {"usual": "usual.jsonl", "cases": [
                  {"traces": "normal.jsonl", "fault": "normal", "culprits": []},
                  {"traces": "slow.jsonl", "fault": "disk", "anomaly": "single", "culprits": [%s]}]}
                """.formatted(culprits));
    }

    @Test
    void labelsSpansOfTheCulpritInTheTracesOfItsTime() throws IOException {
        labels("\"" + culprit + "\"");

        List<Recording> recordings = Recording.below(directory.getParent().resolve(directory.getFileName()));
        Dataset data = Recording.dataset(recordings, 1);

        assertThat(data.samples()).hasSize(40);
        assertThat(data.samples().stream().filter(Dataset.Sample::isAnomalous)).hasSize(20);
        assertThat(data.samples().stream().filter(Dataset.Sample::isAnomalous))
                .allMatch(sample -> java.util.Arrays.stream(sample.labels()).sum() >= 1);
        assertThat(Recording.told(recordings)).isEqualTo("1 real applications, 40 traces, faults injected: disk");
    }

    @Test
    void refusesLabelsThatAreNoneAndCulpritsThatAreInNoTrace() throws IOException {
        assertThatThrownBy(() -> Recording.below(directory)).hasMessageContaining("there is no labels.json");

        labels("\"nobody\"");
        assertThatThrownBy(() -> Recording.below(directory))
                .hasMessageContaining("AUTOTUNE-5003")
                .hasMessageContaining("the culprit nobody is in no trace of slow.jsonl");

        Files.writeString(directory.resolve("labels.json"), "{\"usual\": \"away.jsonl\"}");
        assertThatThrownBy(() -> Recording.below(directory)).hasMessageContaining("labels.json");
    }
}
