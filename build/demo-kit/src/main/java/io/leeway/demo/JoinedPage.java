package io.leeway.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One page of what several drop-ins showed, each in a JVM of its own. */
public final class JoinedPage {

    private JoinedPage() {}

    /**
     * What {@code ./demo} starts after the drop-ins.
     *
     * @param arguments the directory of the pages, then for each drop-in its name and how it ended: {@code privoxy=0}
     */
    public static void main(String[] arguments) throws IOException {
        Path page = join(Path.of(arguments[0]), List.of(arguments).subList(1, arguments.length), Terminal.standard());
        Terminal.standard().text("\nThe same as a page: " + page);
    }

    static Path join(Path directory, List<String> outcomes, Teller terminal) throws IOException {
        var contents = new StringBuilder();
        var body = new StringBuilder();
        var summary = new ArrayList<List<String>>();
        for (String outcome : outcomes) {
            String name = outcome.substring(0, outcome.indexOf('='));
            summary.add(List.of(name, outcome.endsWith("=0") ? "done" : "failed"));
            Path part = HtmlPage.part(directory, name);
            if (Files.exists(part)) {
                contents.append("<a href=\"#%1$s\">%1$s</a>\n".formatted(Html.escape(name)));
                body.append("<section id=\"%s\">\n".formatted(Html.escape(name)))
                        .append(Files.readString(part))
                        .append("</section>\n");
            }
        }
        var table = new Table("What was shown", List.of("drop-in", "outcome"), summary);
        terminal.heading("Summary");
        terminal.table(table);
        Path page = directory.resolve("index.html");
        Files.writeString(page, Html.page(HtmlPage.TITLE, contents.toString(), Html.table(table) + body));
        return page;
    }
}
