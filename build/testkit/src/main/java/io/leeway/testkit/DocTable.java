package io.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table of the documentation that a test makes from the code, between two comments in a page. {@code -Dleeway.docs.write=true} writes it.
 *
 * <pre>{@code
 * var table = DocTable.of("Key", "What it does");
 * options.forEach(option -> table.row(option.key(), option.text()));
 * table.assertIn("privoxy/configuration.md", "privoxy options");
 * }</pre>
 */
public final class DocTable {

    private static final Path DOCS = Path.of(System.getProperty("leeway.root", ".."), "docs");

    private final List<String> lines = new ArrayList<>();

    private DocTable() {}

    /** A table with these columns and no rows. */
    public static DocTable of(String... columns) {
        var table = new DocTable();
        table.row(columns);
        table.lines.add("|" + "---|".repeat(columns.length));
        return table;
    }

    /** One row more; what would end a cell is escaped. */
    public void row(String... cells) {
        List<String> escaped =
                Arrays.stream(cells).map(cell -> cell.replace("|", "\\|")).toList();
        lines.add("| " + String.join(" | ", escaped) + " |");
    }

    /** Asserts that a page below {@code docs} has it between {@code <!-- name -->} and {@code <!-- end of name -->}, or writes it there. */
    public void assertIn(String page, String name) throws IOException {
        assertIn(DOCS.resolve(page), name, Boolean.getBoolean("leeway.docs.write"));
    }

    void assertIn(Path page, String name, boolean write) throws IOException {
        String text = Files.readString(page);
        String begin = "<!-- " + name + " -->\n";
        String end = "<!-- end of " + name + " -->";
        assertThat(text).as(page.toString()).contains(begin, end);
        String expected = text.substring(0, text.indexOf(begin) + begin.length()) + "\n" + String.join("\n", lines)
                + "\n\n" + text.substring(text.indexOf(end));
        if (write) {
            Files.writeString(page, expected);
        }
        assertThat(Files.readString(page)).as(page.toString()).isEqualTo(expected);
    }
}
