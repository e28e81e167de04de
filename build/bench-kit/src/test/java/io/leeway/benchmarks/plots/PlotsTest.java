package io.leeway.benchmarks.plots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.leeway.benchmarks.results.Better;
import io.leeway.benchmarks.results.Result;
import io.leeway.benchmarks.results.ResultFile;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

class PlotsTest {

    private static final Path REPOSITORY = Path.of(System.getProperty("leeway.root", ".."));

    @Test
    void theDocumentationShowsWhatIsRecorded() throws IOException {
        for (String product : Plots.products()) {
            Map<String, String> plots = Plots.of(REPOSITORY, product);
            Path directory = Plots.directory(REPOSITORY, product);

            assertThat(Plots.present(directory)).as("run: build/bench plots").isEqualTo(plots.keySet());
            for (Map.Entry<String, String> plot : plots.entrySet()) {
                assertThat(Files.readString(directory.resolve(plot.getKey())))
                        .as("run: build/bench plots")
                        .isEqualTo(plot.getValue());
            }
        }
    }

    @Test
    void everyPlotIsOnThePageOfItsProduct() throws IOException {
        for (String product : Plots.products()) {
            String page = Files.readString(REPOSITORY.resolve("docs/benchmarks/" + product + ".md"));

            assertThat(Plots.of(REPOSITORY, product).keySet())
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(page).contains("](" + product + "/" + name + ")"));
        }
    }

    @Test
    void aPlotIsAPictureThatCanBeRead() throws Exception {
        var documents = DocumentBuilderFactory.newInstance();
        for (String product : Plots.products()) {
            for (String plot : Plots.of(REPOSITORY, product).values()) {
                assertThat(documents.newDocumentBuilder().parse(new InputSource(new StringReader(plot))))
                        .isNotNull();
            }
        }
    }

    /** Of those that are recorded, and so in the documentation. */
    @Test
    void whatOneThreadDoesIsOnEveryPlotOfLazyTables() throws IOException {
        assertThat(Plots.of(REPOSITORY, "lazytables"))
                .isNotEmpty()
                .allSatisfy((name, plot) -> assertThat(plot).as(name).contains("one thread"));
    }

    @Test
    void aPlotThatNothingMakesAnyMoreIsRemoved(@TempDir Path root) throws IOException {
        Path directory = Files.createDirectories(Plots.directory(root, "hindex"));
        Files.writeString(directory.resolve("old.svg"), "<svg/>");
        ResultFile.of(root, "hindex").merge(List.of(result("batched write, server CPU, hindex deferred", 1)));

        Plots.main(new String[] {root.toString()});

        assertThat(Plots.present(directory)).containsExactly("batched-write-cpu.svg");
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

        double left = numbers(plot, "<rect class=\"c0\" x=\"([0-9.]+)\"").get(0);
        double width = numbers(plot, "<rect class=\"c0\".* width=\"([0-9.]+)\"").get(0);
        double line = numbers(plot, "<line class=\"c1\" x1=\"([0-9.]+)\"").get(0);
        assertThat(line).isCloseTo(left + width / 2, within(0.2));
        assertThat(plot)
                .contains("LDA, time to the objective, in s", ">BSP<", ">one thread, MALLET<")
                .doesNotContain(">9<");
    }

    @Test
    void labelsHaveTheRoomThatTheyNeed() {
        String label = "a setting with a long name, rows as they come";
        String plot = plot("time-mf.svg", result("MF, " + label + ": time to the objective", 4));

        assertThat(numbers(plot, "<rect class=\"c0\" x=\"([0-9.]+)\"").get(0)).isGreaterThan(6.0 * label.length());
    }

    @Test
    void delaysAreCurves() {
        String plot = plot(
                "delays.svg",
                result("delays in turn, 2.00 of an iteration: time per iteration, SSP", 50),
                result("delays in turn, 0.00 of an iteration: time per iteration, SSP", 100),
                result("delays in turn, 1.00 of an iteration: time per iteration, SSP", 100),
                result("delays in turn, 1.00 of an iteration: time per iteration, ideal (reckoned)", 90));

        // From left to right whatever the order of the figures: level, then down by half of 240.
        List<Double> heights = numbers(plot, "<path class=\"c1\" transform=\"translate\\([0-9.]+ ([0-9.]+)\\)");
        assertThat(heights).containsExactly(60.0, 60.0, 180.0, 356.0 + 20);
        assertThat(numbers(plot, "<path class=\"c1\" transform=\"translate\\(([0-9.]+)"))
                .startsWith(70.0);
        assertThat(plot).contains("ideal (reckoned)", "stroke-dasharray");
    }

    @Test
    void storesAreComparedAndTheProductComesFirst() {
        String plot = plot(
                "batched-write-cpu.svg",
                result("batched write, server CPU, MariaDB, B-tree", 20),
                result("batched write, server CPU, hindex deferred", 10),
                new Result("batched write, server CPU, a against b", 9, "×", null, Better.LOWER, "", "", "", "", ""));

        assertThat(plot)
                .contains("batched write, server CPU of a row, in s")
                .containsSubsequence(">hindex deferred<", ">MariaDB, B-tree<")
                .doesNotContain("against");
        List<Double> widths = numbers(plot, "<rect class=\"c[01]\".* width=\"([0-9.]+)\" height=\"16");
        assertThat(widths.get(0)).isCloseTo(widths.get(1) / 2, within(0.2));
    }

    @Test
    void aStoreHasACurveOverTheShareOfReads() {
        String plot = plot(
                "mix-memory.svg",
                result("mix in memory, 100 % reads, throughput of one client, hindex deferred", 30),
                result("mix in memory, 25 % reads, throughput of one client, hindex deferred", 20),
                result("mix in memory, 25 % reads, throughput of one client, P", 10),
                result("mix in memory, 25 % reads, server CPU, P", 99));

        assertThat(numbers(plot, "<path class=\"c0\" transform=\"translate\\(([0-9.]+) "))
                .hasSize(3)
                .startsWith(236.5, 736.0);
        assertThat(plot).contains(">hindex deferred<", ">P<", ">100<").doesNotContain(">99<");
    }

    @Test
    void partsOfAWholeAreOneBar() {
        String plot = plot(
                "package-time.svg",
                result("whole package, sync, compacting", 10),
                result("whole package, sync, writing", 30));

        List<Double> starts = numbers(plot, "<rect class=\"c[01]\" x=\"([0-9.]+)\".* height=\"16");
        List<Double> widths = numbers(plot, "<rect class=\"c[01]\".* width=\"([0-9.]+)\" height=\"16");
        assertThat(starts.get(1)).isCloseTo(starts.get(0) + widths.get(0), within(0.2));
        assertThat(widths.get(0)).isCloseTo(3 * widths.get(1), within(0.2));
        assertThat(plot).contains(">whole package, sync<", ">writing<", ">compacting<", ">40<");
    }

    @Test
    void variantsOfRepairHaveABarForEachKindOfData() {
        String plot = plot(
                "compaction-bytes-read.svg",
                result("compaction without a limit of rows written once, plain, bytes read", 1),
                result("compaction without a limit of rows with three versions, plain, bytes read", 2),
                result("compaction without a limit of rows with three versions, isolated, bytes read", 4));

        assertThat(plot).contains(">plain<", ">isolated<", ">rows written once<", ">rows with three versions<");
        assertThat(numbers(plot, "<rect class=\"c1\".* width=\"([0-9.]+)\" height=\"16"))
                .hasSize(2);
    }

    @Test
    void aGetAfterACompactionIsALine() {
        String plot = plot(
                "get-by-files.svg",
                result("Get by key, 1 file, median", 1),
                result("Get by key, 27 files, median", 9),
                result("Get by key, 1 file after a compaction, median", 1));

        assertThat(plot).contains(">median<", ">median, 1 file after a compaction<", "stroke-dasharray");
    }

    @Test
    void ticksAreRoundNumbersThatReachTheGreatest() {
        assertThat(Scale.upTo(27).ticks()).containsExactly(0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0);
        assertThat(Scale.upTo(100).end()).isEqualTo(100);
        assertThat(Scale.upTo(0.3).end()).isCloseTo(0.3, within(1e-9));
        assertThat(Scale.upTo(0).end()).isPositive();
    }

    @Test
    void withoutFiguresThereAreNoPlots() {
        List<Result> others = List.of(result("something else", 1));

        assertThat(LazyTablesPlots.of(others)).isEmpty();
        assertThat(HindexPlots.of(others)).isEmpty();
    }

    private static String plot(String name, Result... results) {
        var plots = new TreeMap<>(LazyTablesPlots.of(List.of(results)));
        plots.putAll(HindexPlots.of(List.of(results)));

        assertThat(plots).containsKey(name);
        return plots.getOrDefault(name, "");
    }

    /** What a pattern's group has caught, in the order of the drawing. */
    private static List<Double> numbers(String plot, String pattern) {
        return Pattern.compile(pattern)
                .matcher(plot)
                .results()
                .map(match -> Double.valueOf(match.group(1)))
                .toList();
    }

    private static Result result(String name, double value) {
        return new Result(name, value, "s", null, Better.LOWER, "", "build/bench X", "a machine", "2026-01-01", "a");
    }
}
