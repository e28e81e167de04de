package io.leeway.privoxy;

import io.leeway.testkit.DocTable;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * The tables of the documentation are those of the catalogues. {@code -Dleeway.docs.write=true} writes them.
 */
class ReferenceDocsTest {

    @Test
    void theTableOfErrorsIsTheCatalogue() throws IOException {
        DocTable table = DocTable.of("Code", "SQLState", "What happened", "What to do");
        for (PrivoxyErrorCode code : PrivoxyErrorCode.values()) {
            table.row(code.code(), code.sqlState(), code.meaning(), code.remedy());
        }

        table.assertIn("reference/errors.md", "privoxy errors");
    }

    @Test
    void theTableOfMetricsIsTheListOfNames() throws IOException {
        DocTable table = DocTable.of("Name", "Kind", "What", "Tags");
        for (PrivoxyMetrics.Metric metric : PrivoxyMetrics.all()) {
            table.row('`' + metric.name() + '`', metric.kind(), metric.description(), metric.tags());
        }

        table.assertIn("reference/metrics.md", "privoxy metrics");
    }

    @Test
    void theTableOfOptionsIsTheRegistry() throws IOException {
        DocTable table = DocTable.of("Key", "Type", "Default", "Values", "What it does");
        for (PrivoxyOption<?> option : PrivoxyOptions.all()) {
            String preset = option.defaultText().isEmpty() ? "" : '`' + option.defaultText() + '`';
            table.row('`' + option.key() + '`', option.type(), preset, option.bounds(), option.description());
        }

        table.assertIn("privoxy/configuration.md", "privoxy options");
    }
}
