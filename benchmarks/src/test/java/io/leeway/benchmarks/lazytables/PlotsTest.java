package io.leeway.benchmarks.lazytables;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Result;
import io.leeway.benchmarks.results.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlotsTest {

    @Test
    void theDocumentationShowsWhatIsRecorded() throws IOException {
        Path repository = Path.of(System.getProperty("leeway.root", ".."));

        for (Map.Entry<String, String> plot :
                Plots.of(ResultFile.of(repository, "lazytables").read()).entrySet()) {
            assertThat(Files.readString(Plots.directory(repository).resolve(plot.getKey())))
                    .as("run: benchmarks/run plots")
                    .isEqualTo(plot.getValue());
        }
    }

    /** Of those that are recorded, and so in the documentation. */
    @Test
    void whatOneThreadDoesIsOnEveryPlot() throws IOException {
        Path repository = Path.of(System.getProperty("leeway.root", ".."));

        assertThat(Plots.of(ResultFile.of(repository, "lazytables").read()))
                .isNotEmpty()
                .allSatisfy((name, plot) -> assertThat(plot).as(name).contains("one thread"));
    }

    @Test
    void theAdaptivePaceStandsBesideFixedOnes() {
        String plot = plot(
                "adaptive-mf.svg",
                result("adaptive pace, MF, BSP: time to the objective", 4),
                result("adaptive pace, MF, adaptive: time to the objective", 3),
                result("adaptive pace, MF, one thread without tables: time to the objective", 2));

        assertThat(plot).contains(">BSP<", ">adaptive<", ">one thread without tables<");
    }

    @Test
    void whatOneThreadDoesIsALineAcrossTheBars() {
        String plot = plot(
                "time-lda.svg",
                result("LDA, BSP: time to the objective", 4),
                result("LDA, one thread, MALLET: time to the objective", 2),
                result("LDA, BSP: CPU time to the objective", 9));

        // Bars reach over 470 of the width, from 310 on.
        assertThat(plot)
                .contains("LDA, time to the objective, in s", ">BSP<", ">one thread, MALLET<")
                .contains("<rect x=\"310.0\" y=\"30.0\" width=\"470.0\"")
                .contains("<line x1=\"545.0\" y1=\"26.0\" x2=\"545.0\"")
                .doesNotContain(">9<");
    }

    @Test
    void delaysAreCurves() {
        String plot = plot(
                "delays.svg",
                result("delays in turn, 2.00 of an iteration: time per iteration, SSP", 50),
                result("delays in turn, 0.00 of an iteration: time per iteration, SSP", 100),
                result("delays in turn, 1.00 of an iteration: time per iteration, SSP", 100));

        // From left to right whatever the order of the figures: level, then down by half of 300.
        assertThat(plot)
                .contains("x1=\"60.0\" y1=\"30.0\" x2=\"400.0\" y2=\"30.0\"")
                .contains("x1=\"400.0\" y1=\"30.0\" x2=\"740.0\" y2=\"180.0\"");
    }

    @Test
    void withoutFiguresThereAreNoPlots() {
        assertThat(Plots.of(List.of(result("something else", 1)))).isEmpty();
    }

    private static String plot(String name, Result... results) {
        Map<String, String> plots = Plots.of(List.of(results));

        assertThat(plots).containsKey(name);
        return plots.getOrDefault(name, "");
    }

    private static Result result(String name, double value) {
        return new Result(name, value, "s", null, Better.LOWER, "", "benchmarks/run X", "a machine", "2026-01-01", "a");
    }
}
