package io.leeway.lazybase;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.DocTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of the documentation are those of the code. {@code -Dleeway.docs.write=true} writes them. */
class ReferenceDocsTest {

    private static final Path ROOT = Path.of(System.getProperty("leeway.root", ".."));

    @Test
    void theTableOfErrorsIsTheCatalogue() throws IOException {
        DocTable table = DocTable.of("Code", "SQLSTATE", "What happened", "What to do");
        for (LazyBaseException.Code code : LazyBaseException.Code.values()) {
            table.row(code.text(), code.sqlState(), code.meaning(), code.remedy());
        }
        table.assertIn("lazybase/operations.md", "lazybase errors");
    }

    @Test
    void numbersOfErrorsAreUnique() {
        assertThat(LazyBaseException.Code.values())
                .extracting(LazyBaseException.Code::number)
                .doesNotHaveDuplicates();
    }

    @Test
    void theTableOfMetricsIsTheListOfNames() throws IOException {
        DocTable table = DocTable.of("Name", "Kind", "What", "Tags");
        for (LazyBaseMetrics.Metric metric : LazyBaseMetrics.all()) {
            table.row('`' + metric.name() + '`', metric.kind(), metric.description(), metric.tags());
        }
        table.assertIn("lazybase/operations.md", "lazybase metrics");
    }

    @Test
    void theTableOfOptionsIsTheRegistry() throws IOException {
        DocTable table = DocTable.of("Key", "Type", "Default", "Values", "What it does");
        for (LazyBaseOption<?> option : LazyBaseOptions.all()) {
            String preset = option.preset().isEmpty() ? "" : '`' + option.preset() + '`';
            table.row('`' + option.key() + '`', option.type(), preset, option.bounds(), option.text());
        }
        table.assertIn("lazybase/configuration.md", "lazybase options");
    }

    @Test
    void methodsThatTheDesignNamesAreThere() throws IOException {
        String design = Files.readString(ROOT.resolve("docs/lazybase/design.md"));
        Matcher matcher =
                Pattern.compile("\\| `([A-Z][A-Za-z]+)\\.([a-z][A-Za-z]+)` \\|").matcher(design);
        int count = 0;
        while (matcher.find()) {
            count++;
            assertThat(source(matcher.group(1))).as(matcher.group()).contains(" " + matcher.group(2) + "(");
        }
        assertThat(count).isGreaterThanOrEqualTo(10);
    }

    private static String source(String type) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("lazybase-server/server/src/main/java"))) {
            Path file = files.filter(each -> each.endsWith(type + ".java"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no class " + type));
            return Files.readString(file);
        }
    }
}
