package io.leeway.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MarkdownLinksTest {

    @TempDir
    Path directory;

    @Test
    void everyLinkInTheRepositoryLeadsSomewhere() throws IOException {
        var broken = new ArrayList<String>();
        for (Path file : Repository.markdownFiles()) {
            broken.addAll(MarkdownLinks.broken(file));
        }

        assertThat(Repository.markdownFiles()).contains(Repository.ROOT.resolve("README.md"));
        assertThat(broken).isEmpty();
    }

    @Test
    void findsAMissingFileAndAMissingHeading() throws IOException {
        Path file = Files.writeString(directory.resolve("a.md"), """
                # A title, with: signs
                [gone](gone.md) [here](a.md) [elsewhere](https://example.org/gone.md)
                [up](#a-title-with-signs) [nowhere](a.md#no-such-heading)
                `[code](is-not-a-link.md)`
                """);

        assertThat(MarkdownLinks.broken(file)).containsExactly(file + " -> gone.md", file + " -> a.md#no-such-heading");
    }
}
