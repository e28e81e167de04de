package io.leeway.eppi.internal.web;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.internal.report.Report;
import io.leeway.eppi.internal.search.Searcher.Answer;
import io.leeway.eppi.internal.search.Searcher.Found;
import java.util.List;
import java.util.Locale;

/** Pages for people. No script is needed but for the progress, and nothing is loaded from elsewhere. */
final class Pages {

    private static final String STYLE = """
            :root{color-scheme:light dark;--line:#8884;--soft:#8881;--good:#2a7d4f;--bad:#b3402f}
            body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}
            nav a{margin-right:1rem}h1{font-size:1.5rem}table{border-collapse:collapse;width:100%;display:block;overflow-x:auto}
            th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
            td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
            input,button{font:inherit;padding:.4rem .6rem}input{width:min(20rem,100%)}
            td.n{white-space:nowrap}
            .bar{height:.6rem;background:var(--soft);border-radius:.3rem;overflow:hidden}
            .bar i{display:block;height:100%;background:var(--good)}
            .good{color:var(--good)}.bad{color:var(--bad)}small{opacity:.75}
            """;

    private Pages() {}

    static String page(String title, String navigation, String body) {
        return "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\""
                + " content=\"width=device-width,initial-scale=1\"><title>" + escaped(title) + "</title><style>" + STYLE
                + "</style></head><body><nav>" + navigation + "</nav><main><h1>" + escaped(title) + "</h1>" + body
                + "</main></body></html>";
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** What went wrong, and what to do. */
    static String error(EppiException e) {
        return "<p class=\"bad\">" + escaped(String.valueOf(e.getMessage())) + "</p>";
    }

    /** The privacy report of the network. */
    static String report(Report report) {
        var text = new StringBuilder("<p>Epoch " + report.epoch() + ": " + report.persons() + " persons, "
                + report.providers() + " providers, policy <code>" + escaped(report.policy()) + "</code>.</p>");
        text.append("<table><thead><tr><th class=n>ε asked<th class=n>persons<th class=n>noise got<th class=n>wish"
                + " met<th class=n>published everywhere<th class=n>providers to ask, median<th class=n>mean</tr></thead>"
                + "<tbody>");
        for (Report.OfClass each : report.classes()) {
            boolean isCounted = each.isKnown();
            text.append(String.format(
                    Locale.ROOT,
                    "<tr><td class=n>%.2f<td class=n>%d<td class=n>%s<td class=n>%s<td class=n>%d<td class=n>%d<td"
                            + " class=n>%.1f</tr>",
                    each.epsilon(),
                    each.persons(),
                    isCounted ? percent(each.got()) : "–",
                    isCounted ? percent(each.satisfied()) : "–",
                    each.everywhere(),
                    each.medianCost(),
                    each.meanCost()));
        }
        text.append("</tbody></table>");
        if (report.classes().stream().anyMatch(Report.OfClass::isCrowded)) {
            text.append("<p>").append(Report.CROWDED).append("</p>");
        }
        return text.append("<p><small>Noise got is the share of a list that holds nothing, on average"
                        + " over persons whose frequency is known. Persons published everywhere are the common ones and"
                        + " those who were drawn to hide them; of these nobody knows the share.</small></p>")
                .toString();
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }

    /** What a search found. */
    static String found(Found found, int providers) {
        var text = new StringBuilder("<p>"
                + String.format(
                        Locale.ROOT, "ε = %.2f was wished: ", found.entry().epsilon())
                + escaped(found.privacy(providers)) + ". Asked: "
                + found.answers().size() + " of " + providers + " providers; " + found.holders() + " had records.</p>");
        for (Answer answer : found.answers()) {
            if (!answer.rows().isEmpty()) {
                text.append("<h2>")
                        .append(escaped(answer.provider()))
                        .append("</h2>")
                        .append(table(answer));
            }
        }
        if (found.answers().stream().allMatch(each -> !each.rows().isEmpty())) {
            return text.toString();
        }
        text.append("<h2>The others</h2><ul>");
        for (Answer answer : found.answers()) {
            if (answer.rows().isEmpty()) {
                String said = answer.isAnswered() ? "nothing" : answer.error();
                text.append("<li>")
                        .append(escaped(answer.provider() + ": " + said))
                        .append("</li>");
            }
        }
        return text.append("</ul>").toString();
    }

    private static String table(Answer answer) {
        var text = new StringBuilder("<table><thead><tr>");
        answer.columns().forEach(each -> text.append("<th>").append(escaped(each)));
        text.append("</tr></thead><tbody>");
        for (List<String> row : answer.rows()) {
            text.append("<tr>");
            row.forEach(each -> text.append("<td>").append(escaped(each)));
            text.append("</tr>");
        }
        return text.append("</tbody></table>").toString();
    }

    /** The form of a search. */
    static String form(String identity) {
        return "<form method=\"post\" action=\"/search\"><label>Identity <input name=\"identity\" required"
                + " autocomplete=\"off\" value=\"" + escaped(identity) + "\"></label> <button>Search</button></form>";
    }

    /** The state of a node, renewed every second. */
    static String state(String json) {
        return "<p id=\"step\"></p><div class=\"bar\"><i id=\"bar\" style=\"width:0\"></i></div><pre id=\"all\">"
                + escaped(json) + """
                </pre><script>
                async function renew(){try{const s=await(await fetch('/status')).json();
                document.getElementById('all').textContent=JSON.stringify(s,null,1);
                document.getElementById('step').textContent=s.construction.text;
                document.getElementById('bar').style.width=100*s.construction.share+'%'}catch(e){}
                setTimeout(renew,1000)}renew()</script>""";
    }
}
