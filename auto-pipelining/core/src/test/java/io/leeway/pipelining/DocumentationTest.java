package io.leeway.pipelining;

import io.leeway.testkit.DocTable;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class DocumentationTest {

    @Test
    void hasAllOptions() throws IOException {
        DocTable table = DocTable.of("Key", "Default", "May be", "What it does");
        PipeliningOptions.all()
                .forEach(option -> table.row(
                        "`" + option.key() + "`",
                        option.preset().isEmpty() ? "" : "`" + option.preset() + "`",
                        option.bounds(),
                        option.text()));
        table.assertIn("pipelining/configuration.md", "pipelining options");
    }

    @Test
    void hasAllMetrics() throws IOException {
        DocTable table = DocTable.of("Metric", "Type", "Tags", "What it says");
        PipeliningMetrics.all()
                .forEach(metric -> table.row(
                        "`" + metric.name() + "`",
                        metric.type(),
                        metric.tags().isEmpty() ? "" : "`" + metric.tags() + "`",
                        metric.text()));
        table.assertIn("pipelining/operations.md", "pipelining metrics");
    }

    @Test
    void hasAllErrors() throws IOException {
        DocTable table = DocTable.of("Code", "What happened", "What to do");
        for (PipeliningError error : PipeliningError.values()) {
            table.row("`" + error.code() + "`", error.meaning(), error.remedy());
        }
        table.assertIn("pipelining/operations.md", "pipelining errors");
    }
}
