package io.leeway.eppi.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.eppi.EppiException;
import io.leeway.testkit.DocTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReferenceDocsTest {

    private static final Pattern NAMED = Pattern.compile("\\| `([a-z.]*\\.)?([A-Z]\\w+)\\.(\\w+)` \\|");

    @Test
    void optionsAreDocumented() throws IOException {
        var table = DocTable.of("Option", "Type", "Default", "Allowed", "What it does");
        for (EppiOption<?> each : EppiOptions.all()) {
            table.row("`" + each.key() + "`", each.type(), each.preset(), each.bounds(), each.text());
        }
        table.assertIn("eppi/configuration.md", "eppi options");
    }

    @Test
    void metricsAreDocumented() throws IOException {
        var table = DocTable.of("Metric", "Kind", "Tags", "What it says");
        for (EppiMetrics.Metric each : EppiMetrics.all()) {
            table.row("`" + each.name() + "`", each.kind(), each.tags(), each.description());
        }
        table.assertIn("eppi/operations.md", "eppi metrics");
    }

    @Test
    void errorsAreDocumented() throws IOException {
        var table = DocTable.of("Code", "What happened", "What to do");
        for (EppiException.Code each : EppiException.Code.values()) {
            table.row("`" + each.id() + "`", each.meaning(), each.remedy());
        }
        table.assertIn("eppi/operations.md", "eppi errors");
    }

    @Test
    void theAnswersOfTheDesignPageExist() throws Exception {
        String page = Files.readString(Path.of(System.getProperty("leeway.root", ".."), "docs/eppi/design.md"));
        List<MatchResult> answers = NAMED.matcher(page).results().toList();
        assertThat(answers).hasSize(10);
        for (MatchResult each : answers) {
            Class<?> type =
                    Class.forName("io.leeway.eppi." + (each.group(1) == null ? "" : each.group(1)) + each.group(2));
            assertThat(Arrays.stream(type.getDeclaredMethods()).map(method -> method.getName()))
                    .contains(each.group(3));
        }
    }
}
