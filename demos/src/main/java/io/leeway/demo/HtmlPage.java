package io.leeway.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells on one page that needs nothing but itself: no script, no font and no picture from elsewhere. */
final class HtmlPage implements Teller {

    private final StringBuilder contents = new StringBuilder();
    private final StringBuilder body = new StringBuilder();
    private int parts;

    @Override
    public void heading(String title) {
        parts++;
        contents.append("<a href=\"#part%d\">%s</a>\n".formatted(parts, Html.escape(title)));
        body.append("<h2 id=\"part%d\">%s</h2>\n".formatted(parts, Html.escape(title)));
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

    /** Writes the page, and the directories that it needs. */
    void write(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, Html.page("Leeway: what the demo did", contents.toString(), body.toString()));
    }
}
