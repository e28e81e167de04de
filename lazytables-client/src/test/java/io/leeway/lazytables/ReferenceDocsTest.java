package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * The tables of the documentation are those of the catalogues. {@code -Dleeway.docs.write=true} writes them.
 */
class ReferenceDocsTest {

    private static final Path DOCS = Path.of(System.getProperty("leeway.root", ".."), "docs");

    @Test
    void theTableOfErrorsIsTheCatalogue() throws IOException {
        var table = new ArrayList<>(List.of("| Code | What happened | What to do |", "|---|---|---|"));
        for (LazyTablesException.Code code : LazyTablesException.Code.values()) {
            table.add(row(code.text(), code.meaning(), code.remedy()));
        }

        assertTable("reference/errors.md", "lazytables errors", table);
    }

    @Test
    void numbersOfErrorsAreUnique() {
        assertThat(LazyTablesException.Code.values())
                .extracting(LazyTablesException.Code::number)
                .doesNotHaveDuplicates();
    }

    @Test
    void theTableOfMetricsIsTheListOfNames() throws IOException {
        var table = new ArrayList<>(List.of("| Name | Kind | What | Tags |", "|---|---|---|---|"));
        for (LazyTablesMetrics.Metric metric : LazyTablesMetrics.all()) {
            table.add(row('`' + metric.name() + '`', metric.kind(), metric.description(), metric.tags()));
        }

        assertTable("reference/metrics.md", "lazytables metrics", table);
    }

    @Test
    void theTableOfOptionsIsTheRegistry() throws IOException {
        var table =
                new ArrayList<>(List.of("| Key | Type | Default | Values | What it does |", "|---|---|---|---|---|"));
        for (LazyTablesOption<?> option : LazyTablesOptions.all()) {
            String preset = option.preset().isEmpty() ? "" : '`' + option.preset() + '`';
            table.add(row('`' + option.key() + '`', option.type(), preset, option.bounds(), option.text()));
        }

        assertTable("lazytables/configuration.md", "lazytables options", table);
    }

    private static void assertTable(String file, String name, List<String> table) throws IOException {
        Path page = DOCS.resolve(file);
        String text = Files.readString(page);
        String begin = "<!-- " + name + " -->\n";
        String end = "<!-- end of " + name + " -->";
        assertThat(text).as(file).contains(begin, end);
        String expected = text.substring(0, text.indexOf(begin) + begin.length()) + "\n" + String.join("\n", table)
                + "\n\n" + text.substring(text.indexOf(end));
        if (Boolean.getBoolean("leeway.docs.write")) {
            Files.writeString(page, expected);
        }
        assertThat(Files.readString(page)).as(file).isEqualTo(expected);
    }

    private static String row(String... cells) {
        var escaped = new ArrayList<String>();
        for (String cell : cells) {
            escaped.add(cell.replace("|", "\\|"));
        }
        return String.format(Locale.ROOT, "| %s |", String.join(" | ", escaped));
    }
}
