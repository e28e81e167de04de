package io.leeway.demo;

import java.util.List;

/** Pieces of HTML. */
final class Html {

    private static final String STYLE = """
            :root { --ink: #1c2430; --soft: #5b6675; --line: #dde3ea; --paper: #ffffff; --wash: #f5f7fa;
                    --accent: #2563a8; --good: #1a7f4b; --bad: #b3261e; color-scheme: light dark; }
            @media (prefers-color-scheme: dark) {
              :root { --ink: #e6eaf0; --soft: #9aa6b5; --line: #2d3744; --paper: #141a22; --wash: #1c242f;
                      --accent: #6ea8e6; --good: #58c48a; --bad: #f2857d; } }
            * { box-sizing: border-box; }
            body { margin: 0; background: var(--paper); color: var(--ink);
                   font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
            header { background: var(--wash); border-bottom: 1px solid var(--line); padding: 2.5rem 1.5rem 1.5rem; }
            header > div, main { max-width: 60rem; margin: 0 auto; }
            h1 { margin: 0 0 .75rem; font-size: 1.75rem; letter-spacing: -.01em; }
            h2 { margin: 2.5rem 0 .75rem; font-size: 1.25rem; }
            nav a { display: inline-block; margin: 0 1.25rem .25rem 0; color: var(--accent); text-decoration: none; }
            nav a:hover { text-decoration: underline; }
            main { max-width: 63rem; padding: 0 1.5rem 4rem; }
            p { margin: .5rem 0; max-width: 48rem; }
            main a { color: var(--accent); }
            pre, code { font: 14px/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; }
            pre { background: var(--wash); border: 1px solid var(--line); border-radius: 6px;
                  padding: .75rem 1rem; overflow-x: auto; white-space: pre-wrap; }
            figure { margin: 1.25rem 0; overflow-x: auto; }
            figcaption { color: var(--soft); margin-bottom: .4rem; }
            table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
            th, td { text-align: left; padding: .4rem .75rem; border-bottom: 1px solid var(--line);
                     vertical-align: top; }
            th { color: var(--soft); font-weight: 600; white-space: nowrap; }
            .right { text-align: right; }
            .decision { display: grid; grid-template-columns: 5rem 15rem 1fr; gap: 0 1rem; margin: .5rem 0;
                        padding: .5rem .9rem; background: var(--wash); border-left: 4px solid; border-radius: 4px; }
            .decision > p { grid-column: 2 / -1; margin: 0; color: var(--soft); }
            .decision code { overflow-wrap: anywhere; }
            .decision.allowed { border-color: var(--good); } .decision.allowed b { color: var(--good); }
            .decision.refused { border-color: var(--bad); } .decision.refused b { color: var(--bad); }
            svg { width: 100%; height: auto; font-size: 14px; }
            svg text { fill: var(--ink); } svg rect { fill: var(--accent); }
            @media (max-width: 40rem) { .decision { grid-template-columns: 1fr; }
                                        .decision > p { grid-column: 1; } }
            """;

    private Html() {}

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    static String page(String title, String contents, String body) {
        return """
               <!DOCTYPE html>
               <html lang="en">
               <head>
               <meta charset="utf-8">
               <meta name="viewport" content="width=device-width, initial-scale=1">
               <title>%1$s</title>
               <style>
               %2$s</style>
               </head>
               <body>
               <header><div><h1>%1$s</h1>
               <nav>
               %3$s</nav></div></header>
               <main>
               %4$s</main>
               </body>
               </html>
               """.formatted(escape(title), STYLE, contents, body);
    }

    static String table(Table table) {
        var html = new StringBuilder("<figure><figcaption>" + escape(table.caption()) + "</figcaption>\n<table>\n");
        html.append(row(table, table.columns(), "th"));
        table.rows().forEach(row -> html.append(row(table, row, "td")));
        return html.append("</table></figure>\n").toString();
    }

    private static String row(Table table, List<String> cells, String tag) {
        var html = new StringBuilder("<tr>");
        for (int column = 0; column < cells.size(); column++) {
            html.append('<').append(tag).append(table.isNumeric(column) ? " class=\"right\">" : ">");
            html.append(escape(cells.get(column)));
            html.append("</").append(tag).append('>');
        }
        return html.append("</tr>\n").toString();
    }
}
