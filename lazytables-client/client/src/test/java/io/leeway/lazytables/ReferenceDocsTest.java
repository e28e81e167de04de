package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.DocTable;
import io.leeway.testkit.NamedTests;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * The tables of the documentation are those of the catalogues. {@code -Dleeway.docs.write=true} writes them.
 */
class ReferenceDocsTest {

    @Test
    void theTableOfErrorsIsTheCatalogue() throws IOException {
        DocTable table = DocTable.of("Code", "What happened", "What to do");
        for (LazyTablesException.Code code : LazyTablesException.Code.values()) {
            table.row(code.text(), code.meaning(), code.remedy());
        }

        table.assertIn("reference/errors.md", "lazytables errors");
    }

    @Test
    void numbersOfErrorsAreUnique() {
        assertThat(LazyTablesException.Code.values())
                .extracting(LazyTablesException.Code::number)
                .doesNotHaveDuplicates();
    }

    @Test
    void theTableOfMetricsIsTheListOfNames() throws IOException {
        DocTable table = DocTable.of("Name", "Kind", "What", "Tags");
        for (LazyTablesMetrics.Metric metric : LazyTablesMetrics.all()) {
            table.row('`' + metric.name() + '`', metric.kind(), metric.description(), metric.tags());
        }

        table.assertIn("reference/metrics.md", "lazytables metrics");
    }

    @Test
    void theTableOfOptionsIsTheRegistry() throws IOException {
        DocTable table = DocTable.of("Key", "Type", "Default", "Values", "What it does");
        for (LazyTablesOption<?> option : LazyTablesOptions.all()) {
            String preset = option.preset().isEmpty() ? "" : '`' + option.preset() + '`';
            table.row('`' + option.key() + '`', option.type(), preset, option.bounds(), option.text());
        }

        table.assertIn("lazytables/configuration.md", "lazytables options");
    }

    @Test
    void testsOnThePageOnGuaranteesAreThere() throws IOException {
        NamedTests.assertThere("lazytables/guarantees.md", "lazytables-client");
    }
}
