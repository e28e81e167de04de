package io.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocTableTest {

    private static final String BEFORE = "# Page\n\n<!-- things -->\n";
    private static final String BEHIND = "<!-- end of things -->\n\nMore.\n";

    @TempDir
    private Path directory;

    @Test
    void writesBetweenItsCommentsAndFindsWhatItWrote() throws IOException {
        Path page = page("\n| old |\n\n");
        DocTable table = DocTable.of("Key", "Values");
        table.row("mode", "on|off");

        assertThatThrownBy(() -> table.assertIn(page, "things", false)).isInstanceOf(AssertionError.class);
        table.assertIn(page, "things", true);
        table.assertIn(page, "things", false);

        assertThat(page).hasContent(BEFORE + "\n| Key | Values |\n|---|---|\n| mode | on\\|off |\n\n" + BEHIND);
    }

    @Test
    void aPageWithoutItsCommentsIsNotWritten() throws IOException {
        Path page = page("");

        assertThatThrownBy(() -> DocTable.of("Key").assertIn(page, "others", true))
                .isInstanceOf(AssertionError.class);
        assertThat(page).hasContent(BEFORE + BEHIND);
    }

    private Path page(String between) throws IOException {
        return Files.writeString(directory.resolve("page.md"), BEFORE + between + BEHIND);
    }
}
