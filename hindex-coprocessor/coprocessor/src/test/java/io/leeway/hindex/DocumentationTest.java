package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.hindex.internal.config.Option;
import io.leeway.hindex.internal.config.Options;
import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.testkit.DocTable;
import io.leeway.testkit.NamedTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Pages are what the code does. {@code -Dleeway.docs.write=true} writes their tables. */
class DocumentationTest {

    private static final Path PAGE =
            Path.of(System.getProperty("leeway.root", ".."), "docs", "hindex", "configuration.md");

    @Test
    void theTableOfOptionsIsTheRegistry() throws IOException {
        DocTable table = DocTable.of("Key", "Type", "Default", "Values", "What it does");
        for (Option<?> option : Options.all()) {
            table.row(
                    '`' + option.key() + '`',
                    option.type(),
                    '`' + option.preset() + '`',
                    option.bounds(),
                    option.text());
        }

        table.assertIn("hindex/configuration.md", "hindex options");
    }

    @Test
    void definitionsOnThePageAreOnes() throws IOException {
        Matcher line =
                Pattern.compile("'hindex\\.index\\.([a-z_]+)' => '([^']*)'").matcher(Files.readString(PAGE));
        int found = 0;
        while (line.find()) {
            assertThat(IndexDefinition.parse(line.group(1), line.group(2)).columns())
                    .isNotEmpty();
            found++;
        }
        assertThat(found).isGreaterThanOrEqualTo(6);
    }

    @Test
    void testsOnThePageOnGuaranteesAreThere() throws IOException {
        NamedTests.assertThere("hindex/guarantees.md", "hindex-coprocessor");
    }

    /** But for blanks, in a test that runs. */
    @Test
    void examplesOnThePageOnReadingAreRun() throws IOException {
        String run = Files.readString(Path.of(
                        System.getProperty("leeway.root", ".."),
                        "hindex-coprocessor/coprocessor/src/test/java/io/leeway/hindex/ReadingExamplesTest.java"))
                .replaceAll("\\s", "");
        Matcher example =
                Pattern.compile("(?s)```java\n(.*?)```").matcher(Files.readString(PAGE.resolveSibling("reading.md")));
        int found = 0;
        while (example.find()) {
            assertThat(run).contains(example.group(1).replaceAll("\\s", ""));
            found++;
        }
        assertThat(found).isGreaterThanOrEqualTo(5);
    }

    @Test
    void encodingsOnThePageAreAllThereAre() throws IOException {
        Matcher row =
                Pattern.compile("(?m)^\\| `([a-z0-9]+)(\\([^`]*\\))?` \\|").matcher(Files.readString(PAGE));
        var names = new ArrayList<String>();
        while (row.find()) {
            names.add(row.group(1));
        }
        assertThat(names)
                .contains(
                        "utf8", "fold", "bytes", "fixed", "long", "int", "short", "byte", "double", "float", "decimal")
                .contains("boolean", "date", "time", "datetime", "millis", "uuid");
        for (String name : names) {
            if (!name.equals("fixed")
                    && !List.of("columns", "covers", "versions", "mode", "salt", "strict", "state")
                            .contains(name)) {
                assertThat(Encoding.parse(name)).hasToString(name);
            }
        }
    }

    @Test
    void theTableOfMetricsIsTheRegistry() throws IOException {
        for (Metrics.Side side : Metrics.Side.values()) {
            DocTable table = DocTable.of("Name", "What it says");
            for (Metrics.Count count : Metrics.Count.values()) {
                if (count.side() == side) {
                    table.row('`' + count.key() + '`', count.text());
                }
            }

            table.assertIn(
                    "hindex/operations.md", "hindex metrics: " + side.name().toLowerCase(Locale.ROOT));
        }
    }
}
