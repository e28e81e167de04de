package io.leeway.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells on one page that needs nothing but itself: no script, no font and no picture from elsewhere. */
final class HtmlPage implements Teller {

    static final String TITLE = "Leeway: what the demo did";

    private final StringBuilder body = new StringBuilder();

    @Override
    public void heading(String title) {
        body.append("<h2>%s</h2>\n".formatted(Html.escape(title)));
    }

    @Override
    public void text(String paragraph) {
        body.append("<p>").append(Html.escape(paragraph)).append("</p>\n");
    }

    @Override
    public void code(String text) {
        body.append("<pre>").append(Html.escape(text)).append("</pre>\n");
    }

    @Override
    public void decision(Decision decision) {
        body.append("""
                <div class="decision %s"><b>%s</b><span>%s</span><code>%s</code><p>%s</p></div>
                """.formatted(
                        decision.verdict(),
                        decision.verdict(),
                        Html.escape(decision.who()),
                        Html.escape(decision.what()),
                        Html.escape(decision.why())));
    }

    @Override
    public void table(Table table) {
        body.append(Html.table(table));
    }

    @Override
    public void bars(Bars bars) {
        body.append(BarPlot.svg(bars));
    }

    @Override
    public void page(String what, Path page) {
        body.append("<p><a href=\"%s\">%s</a></p>\n"
                .formatted(Html.escape(page.getFileName().toString()), Html.escape(what)));
    }

    @Override
    public void progress(String what, double share) {
        // Who reads the page sees the end.
    }

    /** Writes the page {@code name.html}, the part that is joined with others, and the directories that they need. */
    void write(Path directory, String name) throws IOException {
        Files.createDirectories(part(directory, name).getParent());
        Files.writeString(part(directory, name), body);
        Files.writeString(directory.resolve(name + ".html"), Html.page(TITLE, "", body.toString()));
    }

    /** Where the part of a drop-in is. */
    static Path part(Path directory, String name) {
        return directory.resolve("parts").resolve(name + ".html");
    }
}
