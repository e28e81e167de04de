package io.leeway.benchmarks.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultTablesTest {

    @TempDir
    Path root;

    @Test
    void theDocumentationShowsWhatIsRecorded() throws IOException {
        Path repository = Path.of(System.getProperty("leeway.root", ".."));

        for (String product : ResultTables.products(repository)) {
            for (Map.Entry<Path, String> page :
                    ResultTables.renewed(repository, product).entrySet()) {
                assertThat(page.getKey()).as("run: build/bench tables").hasContent(page.getValue());
            }
        }
    }

    @Test
    void aFigureThatMissesItsGoalSaysSoAndComesFirst() {
        assertThat(goals(Results.of("fast", 0.01234, 50.0), Results.of("slow", 70.26, 50.0)))
                .contains("1 of 2 goals are met.")
                .contains("""
                        | slow | 70.3 µs | at most 50 µs | **no** |  | A |
                        | fast | 0.0123 µs | at most 50 µs | yes |  | A |
                        """);
    }

    @Test
    void aFigureWithoutGoalIsNotAmongThem() {
        assertThat(goals(Results.of("memory", 1200, null), Results.of("fast", 1, 50.0)))
                .contains("fast")
                .doesNotContain("memory");
        assertThat(goals(Results.of("memory", 1200, null))).isEmpty();
    }

    @Test
    void theGoalsSayWhereTheyWereMeasured() throws IOException {
        ResultFile.of(root, "p").merge(List.of(Results.of("a", 1, 2.0)));

        assertThat(ResultTables.renewed(root, "p").get(ResultTables.page(root, "p")))
                .contains("Measured on a machine; 2026-01-01. [All 1 figures](p-figures.md)");
    }

    @Test
    void theTextAroundTheTableStays() throws IOException {
        ResultFile.of(root, "p").merge(List.of(Results.of("a", 1, 3.0)));
        Path page = ResultTables.page(root, "p");
        Files.createDirectories(page.getParent());
        ResultTables.main(new String[] {root.toString()});
        Files.writeString(page, "Why a is slow.\n", StandardOpenOption.APPEND);
        ResultFile.of(root, "p").merge(List.of(Results.of("a", 2, 3.0)));

        ResultTables.main(new String[] {root.toString()});

        assertThat(page)
                .content()
                .startsWith("# Benchmarks of p")
                .contains("| a | 2 µs |")
                .endsWith("Why a is slow.\n");
    }

    @Test
    void aPageWithoutThePlaceForTheTableIsRefused() throws IOException {
        Path page = ResultTables.page(root, "p");
        Files.createDirectories(page.getParent());
        Files.writeString(page, "no markers");

        assertThatThrownBy(() -> ResultTables.renewed(root, "p")).hasMessageContaining("<!-- end of results -->");
    }

    private static String goals(Result... results) {
        return GoalTable.of(List.of(results), new Runs(List.of(results)));
    }
}
