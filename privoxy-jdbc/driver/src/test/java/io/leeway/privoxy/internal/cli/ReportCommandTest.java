package io.leeway.privoxy.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {

    @TempDir
    private Path folder;

    private Site site;

    @BeforeEach
    void open() throws SQLException, IOException {
        site = new Site(folder);
        try (Connection connection = site.connect("")) {
            for (long user = 2; user <= 3; user++) {
                site.request(
                        connection,
                        user,
                        "SELECT name FROM users",
                        "SELECT * FROM attendances WHERE user_id = " + user,
                        "SELECT title FROM events WHERE id = 50",
                        "SELECT text AS \"<b>\" FROM secrets WHERE text = 'sesame'");
            }
        }
        site.flush();
    }

    @AfterEach
    void close() throws SQLException {
        site.close();
    }

    @Test
    void showsDecisionsRefusalsAndTimesWithoutData() throws IOException {
        String page = folder.resolve("page.html").toString();

        Site.Ran ran = site.run("report", "--output", page, site.recording.toString());

        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
        assertThat(ran.outIn(folder)).isEqualTo("page.html: 8 decisions on 4 queries\n");
        String html = Files.readString(Path.of(page));
        assertThat(html)
                .contains(
                        "<b>8</b><span>decisions</span>",
                        "<b>75.0 %</b><span>allowed</span>",
                        "<b>2</b><span>refused</span>")
                .contains("columns alone", "template", "Slowest decisions")
                .contains("SELECT text AS &quot;&lt;b&gt;&quot; FROM secrets WHERE text = ?")
                .contains("The policy does not show")
                .doesNotContain("sesame")
                .doesNotContain("<h2>Views</h2>");
        assertEveryTagIsClosed(html);
        assertThat(html).as("nothing from elsewhere").doesNotContain("http:", "https:", "src=", "<script", "@import");
    }

    @Test
    void withAPolicyItTellsWhichViewsAreNeededAndWhatTemplatesThereAre() throws IOException {
        String page = folder.resolve("page.html").toString();
        String policy = site.file("more.sql", Site.POLICY + """
                CREATE VIEW my_titles AS
                  SELECT e.id, e.title FROM events e JOIN attendances a ON e.id = a.event_id WHERE a.user_id = ?MyUId;
                CREATE VIEW emails AS SELECT id, email FROM users;
                """);

        assertThat(site.live("report", "--output", page, "--policy", policy, site.recording.toString())
                        .code())
                .isZero();

        String html = Files.readString(Path.of(page));
        assertThat(row(html, "user_names")).doesNotContain("class=\"tag");
        assertThat(row(html, "my_events")).doesNotContain("class=\"tag");
        assertThat(row(html, "my_titles")).contains("redundant: other views show all of it");
        assertThat(row(html, "emails")).contains("not needed here");
        assertThat(html)
                .contains("<h2>Templates</h2>", "<pre>template #")
                .containsPattern("<summary>1 time <code>SELECT [^<]* FROM [^<]* WHERE [^<]*</code></summary>");
        assertEveryTagIsClosed(html);
    }

    private static void assertEveryTagIsClosed(String html) {
        var open = new ArrayDeque<String>();
        Matcher tag = Pattern.compile("<(/?)([a-z][a-z0-9]*)[^>]*?(/?)>").matcher(html);
        while (tag.find()) {
            String name = tag.group(2);
            if (tag.group(1).equals("/")) {
                assertThat(open.pop()).as("open at %s", tag.end()).isEqualTo(name);
            } else if (tag.group(3).isEmpty() && !name.equals("meta")) {
                open.push(name);
            }
        }
        assertThat(open).isEmpty();
    }

    @Test
    void aPageThatCannotBeWrittenIsTold() {
        Site.Ran ran =
                site.run("report", "--output", folder.resolve("no/page.html").toString(), site.recording.toString());

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("cannot write");
    }

    @Test
    void durationsAreShort() {
        assertThat(ReportPage.time(900)).isEqualTo("0.9 µs");
        assertThat(ReportPage.time(45_000)).isEqualTo("45 µs");
        assertThat(ReportPage.time(4_500_000)).isEqualTo("4.5 ms");
        assertThat(ReportPage.time(45_000_000)).isEqualTo("45 ms");
        assertThat(ReportPage.time(4_500_000_000L)).isEqualTo("4.5 s");
    }

    private static String row(String html, String view) {
        int start = html.indexOf("<tr><td>" + view + "</td>");
        assertThat(start).as(view).isPositive();
        return html.substring(start, html.indexOf("</tr>", start));
    }
}
