package io.leeway.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoTest {

    @TempDir
    Path directory;

    private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();

    @Test
    void tellsTheSameInTheTerminalAndOnThePage() throws IOException {
        int exit = run(new Sample("one", context -> tellEverything(context.teller())));

        assertThat(exit).isZero();
        for (String text : List.of(printed(), page())) {
            assertThat(text)
                    .contains(
                            "a paragraph",
                            "more.html",
                            "allowed",
                            "refused",
                            "no view covers it",
                            "plain",
                            "12.5 ms",
                            "one");
        }
    }

    @Test
    void progressIsShownToWhoLooksOnAndWipedByWhatIsTold() {
        var out = new PrintStream(terminal, true, StandardCharsets.UTF_8);

        new Terminal(out, false).progress("half of it", 0.5);
        assertThat(printed()).isEmpty();

        var shown = new Terminal(out, true);
        shown.progress("half of it", 0.5);
        shown.text("all of it");
        assertThat(printed()).startsWith("\r\u001b[K  half of it").contains("50 %\r\u001b[Kall of it\n");
    }

    @Test
    void escapesWhatIsTold() throws IOException {
        run(new Sample("one", context -> context.teller().text("a < b && \"c\" <script>alert(1)</script>")));

        assertThat(page()).doesNotContain("<script>").contains("a &lt; b &amp;&amp; &quot;c&quot; &lt;script&gt;");
    }

    @Test
    void thePageNeedsNothingButItself() throws IOException {
        run(new Sample("one", context -> tellEverything(context.teller())));

        assertThat(page()).doesNotContainPattern("(?i)(src=|https?://|@import|url\\()");
        assertThat(openedAndNotClosed(page())).isEmpty();
    }

    @Test
    void aFailureIsToldAndTheExitCodeSaysSo() throws IOException {
        int exit = run(new Sample("one", context -> {
            throw new IllegalStateException("server <gone>");
        }));

        assertThat(exit).isEqualTo(1);
        assertThat(page()).contains("server &lt;gone&gt;", "failed");
    }

    @Test
    void pagesOfSeveralAreJoined() throws IOException {
        run(new Sample("one", context -> context.teller().text("first")));
        run(new Sample("two", context -> context.teller().text("second")));
        var out = new PrintStream(terminal, true, StandardCharsets.UTF_8);

        Path joined = JoinedPage.join(pages(), List.of("one=0", "two=1", "three=134"), new Terminal(out, false));

        assertThat(Files.readString(joined)).contains("first", "second", "three", "failed", "done");
        assertThat(openedAndNotClosed(Files.readString(joined))).isEmpty();
        assertThat(printed()).contains("three", "failed");
    }

    @Test
    void theShortFormIsPassedOn() throws IOException {
        run(new Sample("one", context -> context.teller().text("n=" + context.shortOrLong(1, 100))), "--short");

        assertThat(printed()).contains("n=1\n");
    }

    @Test
    void aWrongArgumentIsExplainedAndNothingRuns() throws IOException {
        var one = new Sample("one", context -> context.teller().text("ran"));

        int exit = run(one, "privacy");

        assertThat(exit).isEqualTo(2);
        assertThat(printed()).contains("unknown: privacy", "usage: ./demo").doesNotContain("ran\n");
    }

    /** Tags that are opened and never closed, apart from those that HTML does not close. */
    private static List<String> openedAndNotClosed(String html) {
        var open = new ArrayList<String>();
        var tags = Pattern.compile("<(/?)([a-z0-9]+)[^>]*?(/?)>").matcher(html);
        while (tags.find()) {
            if (!tags.group(1).isEmpty()) {
                assertThat(open.remove(open.size() - 1)).isEqualTo(tags.group(2));
            } else if (tags.group(3).isEmpty() && !tags.group(2).equals("meta")) {
                open.add(tags.group(2));
            }
        }
        return open;
    }

    private static void tellEverything(Teller teller) {
        teller.text("a paragraph");
        teller.progress("half of it", 0.5);
        teller.page("More of it", Path.of("target", "more.html"));
        teller.code("SELECT 1");
        teller.decision(new Decision("Ann", "SELECT * FROM events", true, "she attends"));
        teller.decision(new Decision("Ann", "SELECT * FROM users", false, "no view covers it"));
        teller.table(new Table("times", List.of("what", "ms"), List.of(List.of("plain", "12.5"))));
        teller.bars(new Bars("times", "ms", List.of(new Bars.Bar("plain", 12.5), new Bars.Bar("nothing", 0))));
    }

    private int run(DropIn dropIn, String... arguments) throws IOException {
        var all = new ArrayList<>(List.of(arguments));
        all.add("--directory=" + pages());
        var out = new PrintStream(terminal, true, StandardCharsets.UTF_8);
        return Demo.run(dropIn, new Terminal(out, false), all.toArray(String[]::new));
    }

    private Path pages() {
        return directory.resolve("sub");
    }

    private String printed() {
        return terminal.toString(StandardCharsets.UTF_8);
    }

    private String page() throws IOException {
        return Files.readString(pages().resolve("one.html"));
    }

    private interface Part {
        void tell(DemoContext context);
    }

    private record Sample(String name, Part part) implements DropIn {

        @Override
        public String title() {
            return "Sample " + name;
        }

        @Override
        public void run(DemoContext context) {
            part.tell(context);
        }
    }
}
