package io.leeway.netsim;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Depth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What other simulators publish for the same runs. */
class PeersTest {

    private static final Path PEERS =
            Path.of(System.getProperty("leeway.root", "../..")).resolve("network-simulator/experiments/peers");

    private static Report run(String file) throws Exception {
        return Experiment.parse(Files.readString(PEERS.resolve(file)), PEERS).run(share -> {});
    }

    /** What differs has its reason. */
    private static void agreesOrSaysWhyNot(Report report) {
        assertThat(report.verdicts())
                .isNotEmpty()
                .allSatisfy(verdict -> assertThat(
                                verdict.holds() || !verdict.reason().isEmpty())
                        .as("%s: %s", verdict.claim(), verdict.measured())
                        .isTrue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ns3-two-bottlenecks", "htsim-incast-101", "htsim-incast-16", "htsim-permutation-16"})
    void agreeOrSayWhyNot(String name) throws Exception {
        agreesOrSaysWhyNot(run(name + ".yaml"));
    }

    @Test
    void dctcpOfAGroupGetsWhatNs3Publishes() throws Exception {
        Report report = run("ns3-two-bottlenecks.yaml");

        assertThat(report.verdicts().subList(0, 3)).allMatch(Report.Verdict::holds);
        // None of these jobs ends, so that there is no completion time to draw.
        assertThat(report.plots())
                .extracting(Report.Plot::y)
                .contains(List.of("goodput Gbps"))
                .doesNotContain(List.of("time ms"));
    }

    @Tag(Depth.DEEP)
    @ParameterizedTest
    @MethodSource("all")
    void allAgreeOrSayWhyNot(String name) throws Exception {
        agreesOrSaysWhyNot(run(name));
    }

    static Stream<String> all() throws IOException {
        try (Stream<Path> files = Files.list(PEERS)) {
            return files
                    .map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".yaml"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }
}
