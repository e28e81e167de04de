package io.leeway.benchmarks.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Depth;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FigurePageTest {

    /** A figure that is lost would leave a hole: the page has as many numbers with their units as there are figures. */
    @Test
    void everyRecordedFigureIsOnItsPage() throws IOException {
        Path repository = Path.of(System.getProperty("leeway.root", ".."));

        for (String product : ResultTables.products(repository)) {
            assertThatAllAreShown(ResultFile.of(repository, product).read());
        }
    }

    /** As when a part of a benchmark is measured again, or figures come and go. */
    @Test
    void whicheverFiguresThereAreAndWhereverFromAllAreShown() throws IOException {
        Path repository = Path.of(System.getProperty("leeway.root", ".."));
        var random = new Random(1);

        for (String product : ResultTables.products(repository)) {
            for (int i = 0; i < Depth.of(2, 20); i++) {
                assertThatAllAreShown(ResultFile.of(repository, product).read().stream()
                        .filter(result -> random.nextBoolean())
                        .map(result ->
                                random.nextInt(10) > 0 ? result : Results.of(result.name(), result.value(), null))
                        .toList());
            }
        }
    }

    private static void assertThatAllAreShown(List<Result> results) {
        List<String> values = results.stream().map(FigurePageTest::value).toList();

        assertThat(cells(page(results)).stream().filter(cell -> cell.matches("-?[0-9][0-9,.]*( .+)?")))
                .filteredOn(values::contains)
                .containsExactlyInAnyOrderElementsOf(values);
    }

    @Test
    void figuresThatDifferInTheirLastPartStandSideBySide() {
        String page = page(
                Results.of("write, median, a", 1, null),
                Results.of("write, median, b", 2, null),
                Results.of("write, slowest, a", 3, null),
                Results.of("write, slowest, b", 4, null));

        assertThat(page).contains("""
                ## Write

                Run A.

                |  | a | b |
                |---|---:|---:|
                | median | 1 µs | 2 µs |
                | slowest | 3 µs | 4 µs |
                """);
    }

    @Test
    void theLongerSideGoesDown() {
        String page = page(Stream.of("a", "b", "c")
                .flatMap(store -> Stream.of(
                        Results.of("write, median, " + store, 1, null),
                        Results.of("write, slowest, " + store, 2, null)))
                .toArray(Result[]::new));

        assertThat(page).contains("|  | median | slowest |", "| c | 1 µs | 2 µs |");
    }

    @Test
    void aColonComesBeforeWhatIsMeasured() {
        String page = page(
                Results.of("A, b (c, d): time", 1, null),
                Results.of("A, b (c, d): bytes", 2, null),
                Results.of("A, e, f: time", 3, null),
                Results.of("A, e, f: bytes", 4, null));

        assertThat(page).contains("|  | bytes | time |", "| b (c, d) | 2 µs | 1 µs |", "| e, f | 4 µs | 3 µs |");
    }

    @Test
    void aCommaWithinAStoresNameDoesNotCut() {
        String page = page(
                Results.of("write, median, M, tree", 1, null),
                Results.of("write, median, b", 2, null),
                Results.of("write, slowest, M, tree", 3, null),
                Results.of("write, slowest, b", 4, null));

        assertThat(page).contains("|  | b | M, tree |", "| median | 2 µs | 1 µs |");
    }

    @Test
    void aRatioIsNotBesideWhatItIsOf() {
        String page = page(
                Results.of("write, median, a", 1, null),
                Results.of("write, median, b", 2, null),
                Results.of("write, slowest, a", 3, null),
                Results.of("write, slowest, b", 4, null),
                Results.of("write, median, a against b", 0.5, "×", null, "", Results.COMMAND));

        assertThat(page).contains("|  | a | b |", "| median, a against b | 0.5 × |");
    }

    @Test
    void whatAFigureIsComparedWithIsToldOfItsRowIfRowsDiffer() {
        String page = page(
                Results.of("write, median, a", 1, "µs", null, "peer 1", Results.COMMAND),
                Results.of("write, median, b", 2, "µs", null, "", Results.COMMAND),
                Results.of("write, slowest, a", 3, "µs", null, "peer 2", Results.COMMAND),
                Results.of("write, slowest, b", 4, "µs", null, "", Results.COMMAND));

        assertThat(page)
                .contains("|  | a | b | compared with |", "| median | 1 µs | 2 µs | peer 1 |")
                .contains("| slowest | 3 µs | 4 µs | peer 2 |");
    }

    @Test
    void whatAFigureIsComparedWithIsToldOfItsColumnIfColumnsDiffer() {
        String page = page(
                Results.of("write, median, a", 1, "µs", null, "peer", Results.COMMAND),
                Results.of("write, median, b", 2, "µs", null, "", Results.COMMAND),
                Results.of("write, slowest, a", 3, "µs", null, "peer", Results.COMMAND),
                Results.of("write, slowest, b", 4, "µs", null, "", Results.COMMAND));

        assertThat(page).contains("| *compared with* | peer |  |");
    }

    /** Each has its own here, so it is told with each of them. */
    @Test
    void figuresWhoseRunsHaveNoPatternAreAList() {
        String page = page(
                Results.of("write, median, a", 1, "µs", null, "", "run X"),
                Results.of("write, median, b", 2, "µs", null, "", "run Y"),
                Results.of("write, slowest, a", 3, "µs", null, "", "run Y"),
                Results.of("write, slowest, b", 4, "µs", null, "", "run X"));

        assertThat(page)
                .contains("| median, a | 1 µs | A |", "| median, b | 2 µs | B |", "| slowest, a | 3 µs | B |")
                .contains("| A | `run X` | 2026-01-01 | abc | a machine |");
    }

    @Test
    void aPartThatTheCommandNamesIsASection() {
        String page = page(
                Results.of("x", 1, "µs", null, "", "build/bench X part"),
                Results.of("y", 2, "µs", null, "", "build/bench X"));

        assertThat(page)
                .contains("[Part `part`](#part-part) · [Other figures](#other-figures)")
                .contains("## Part `part`", "| x | 1 µs |", "## Other figures", "| y | 2 µs |");
    }

    @Test
    void numbersInNamesAreSortedByWhatTheyAreWorth() {
        assertThat(Stream.of("100 %", "25 %", "b", "CPU", "a").sorted(NaturalOrder.OF_NAMES))
                .containsExactly("25 %", "100 %", "a", "b", "CPU");
    }

    @Test
    void numbersHaveThreeDigitsAndNoExponent() {
        assertThat(Stream.of(108_845.4, 1055.0, 0.012_34, 0.0, -7.788, 2.0).map(Numbers::rounded))
                .containsExactly("109,000", "1,060", "0.0123", "0", "-7.79", "2");
    }

    private static String page(Result... results) {
        return page(List.of(results));
    }

    private static String page(List<Result> results) {
        return FigurePage.of("p", results, new Runs(results));
    }

    private static String value(Result result) {
        return Numbers.withUnit(result.value(), result.unit());
    }

    private static List<String> cells(String page) {
        return page.lines()
                .filter(line -> line.startsWith("|"))
                .flatMap(line -> Stream.of(line.split(" \\| |^\\| | \\|$", -1)))
                .toList();
    }
}
