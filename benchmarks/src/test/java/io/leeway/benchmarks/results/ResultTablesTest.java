package io.leeway.benchmarks.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultTablesTest {

    @TempDir
    Path root;

    @Test
    void theDocumentationShowsWhatIsRecorded() throws IOException {
        Path repository = Path.of(System.getProperty("leeway.root", ".."));

        for (String product : ResultTables.products(repository)) {
            assertThat(ResultTables.page(repository, product))
                    .as("run: benchmarks/run tables")
                    .hasContent(ResultTables.renewed(repository, product));
        }
    }

    @Test
    void aFigureThatMissesItsGoalSaysSo() {
        String table = ResultTables.table(List.of(Results.of("slow", 70.26, 50.0), Results.of("fast", 0.01234, 50.0)));

        assertThat(table)
                .contains("| slow | 70.3 µs | at most 50 | **no** |")
                .contains("| fast | 0.0123 µs | at most 50 | yes |");
    }

    @Test
    void aFigureWithoutGoalNeitherMeetsNorMissesIt() {
        assertThat(ResultTables.table(List.of(Results.of("memory", 1200, null))))
                .contains("| memory | 1200 µs |  |  |");
    }

    @Test
    void theTextAroundTheTableStays() throws IOException {
        ResultFile.of(root, "p").merge(List.of(Results.of("a", 1, null)));
        Path page = ResultTables.page(root, "p");
        Files.createDirectories(page.getParent());
        Files.writeString(page, ResultTables.renewed(root, "p") + "Why a is slow.\n");
        ResultFile.of(root, "p").merge(List.of(Results.of("a", 2, null)));

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
}
