package io.leeway.pipelining.internal.view;

import io.leeway.pipelining.PipelineDecision;
import io.leeway.pipelining.PipelineGraph;
import io.leeway.pipelining.PipelineGraph.Operator;
import io.leeway.pipelining.PipelineStatus;
import io.leeway.pipelining.internal.propagate.ThreadPropagation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A status as one page without scripts: the graph drawn with a colour a thread, and a table of the decisions. */
public final class GraphPage {

    private static final String[] COLOURS = {
        "#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#76b7b2", "#e15759", "#9c755f", "#edc948"
    };
    private static final int WIDTH = 190;
    private static final int HEIGHT = 46;
    private static final int COLUMN = 240;
    private static final int ROW = 66;

    private GraphPage() {}

    /** The page. */
    public static String of(PipelineStatus status) {
        return "<!doctype html><html lang=en><meta charset=utf-8><meta http-equiv=refresh content=2>"
                + "<title>auto-pipelining: " + escape(status.host()) + "</title><style>body{font:15px"
                + " sans-serif;margin:2em;color:#222;background:#fff}table{border-collapse:collapse;margin-top:1em}td,th{padding:.3em"
                + " .8em;border-bottom:1px solid"
                + " #ccc;text-align:left}svg{max-width:100%}"
                + ".kept{color:#2a7a2a}.reverted{color:#b03030}pre{background:#f4f4f4;padding:1em;overflow:auto}"
                + "</style><h1>" + escape(status.host()) + "</h1><p>"
                + status.phase().name().toLowerCase(Locale.ROOT) + ", "
                + GraphText.counted(status.ports().size(), "thread")
                + " put in. One colour is one thread; an arrow with a bar is a queue.</p>"
                + drawing(status) + decisions(status) + "<h2>As text</h2><pre>" + escape(GraphText.of(status))
                + "</pre></html>";
    }

    /** The graph alone, as SVG. */
    public static String drawing(PipelineStatus status) {
        PipelineGraph graph = status.graph();
        Map<Integer, int[]> places = places(graph);
        ThreadPropagation threads = ThreadPropagation.of(graph, status.ports());
        List<Integer> order = threads.threads();
        int right = places.values().stream().mapToInt(place -> place[0]).max().orElse(0) + WIDTH + 20;
        int bottom = places.values().stream().mapToInt(place -> place[1]).max().orElse(0) + HEIGHT + 20;
        var svg = new StringBuilder("<svg xmlns='http://www.w3.org/2000/svg' width='" + right + "' height='" + bottom
                + "' viewBox='0 0 " + right + " " + bottom + "' font-family='sans-serif' font-size='13'>");
        for (PipelineGraph.Stream stream : graph.streams()) {
            int[] from = places.getOrDefault(stream.from(), new int[2]);
            int[] to = places.getOrDefault(stream.to(), new int[2]);
            line(svg, from, to, status.ports().contains(stream.to()));
        }
        for (Operator operator : graph.operators()) {
            int[] place = places.getOrDefault(operator.id(), new int[2]);
            var run = threads.threadsIn(operator.id());
            String colour = run.size() != 1
                    ? "#777777"
                    : COLOURS[Math.floorMod(order.indexOf(run.iterator().next()), COLOURS.length)];
            box(svg, place, colour, operator.name(), share(status, operator.id()));
        }
        return svg.append("</svg>").toString();
    }

    private static String share(PipelineStatus status, int operator) {
        double share = status.profile().threads().stream()
                .mapToDouble(thread -> thread.ports().getOrDefault(operator, 0.0))
                .sum();
        return share == 0 ? "" : String.format(Locale.ROOT, "%.0f%% with all after it", 100 * share);
    }

    private static void box(StringBuilder svg, int[] place, String colour, String name, String share) {
        svg.append("<rect x='")
                .append(place[0])
                .append("' y='")
                .append(place[1])
                .append("' rx='7' width='")
                .append(WIDTH)
                .append("' height='")
                .append(HEIGHT)
                .append("' fill='")
                .append(colour)
                .append("'/><text fill='#fff' x='")
                .append(place[0] + 10)
                .append("' y='")
                .append(place[1] + 20)
                .append("'>")
                .append(escape(shortened(name)))
                .append("</text><text fill='#fff' font-size='11' x='")
                .append(place[0] + 10)
                .append("' y='")
                .append(place[1] + 37)
                .append("'>")
                .append(share)
                .append("</text>");
    }

    private static void line(StringBuilder svg, int[] from, int[] to, boolean queue) {
        int x1 = from[0] + WIDTH;
        int y1 = from[1] + HEIGHT / 2;
        int x2 = to[0];
        int y2 = to[1] + HEIGHT / 2;
        svg.append("<line x1='")
                .append(x1)
                .append("' y1='")
                .append(y1)
                .append("' x2='")
                .append(x2)
                .append("' y2='")
                .append(y2)
                .append("' stroke='#555' stroke-width='1.5'/>");
        if (queue) {
            int x = x2 - 16;
            svg.append("<rect x='")
                    .append(x)
                    .append("' y='")
                    .append(y2 - 9)
                    .append("' width='14' height='18' fill='#222'/>");
        }
    }

    /** Columns by the longest way from a source, rows by turn. */
    private static Map<Integer, int[]> places(PipelineGraph graph) {
        var columns = new HashMap<Integer, Integer>();
        graph.operators().forEach(operator -> columns.put(operator.id(), 0));
        // In a cycle the longest way has no end: as many rounds as operators are enough for all others.
        for (int round = 0; round < graph.operators().size(); round++) {
            for (PipelineGraph.Stream stream : graph.streams()) {
                int after = columns.getOrDefault(stream.from(), 0) + 1;
                if (after < graph.operators().size()) {
                    columns.merge(stream.to(), after, Math::max);
                }
            }
        }
        var taken = new HashMap<Integer, Integer>();
        var places = new HashMap<Integer, int[]>();
        for (Operator operator : graph.operators()) {
            int column = columns.getOrDefault(operator.id(), 0);
            int row = taken.merge(column, 1, Integer::sum) - 1;
            places.put(operator.id(), new int[] {10 + column * COLUMN, 10 + row * ROW});
        }
        return places;
    }

    private static String decisions(PipelineStatus status) {
        var rows = new ArrayList<String>();
        for (PipelineDecision decision : status.decisions()) {
            String outcome = decision.outcome().name().toLowerCase(Locale.ROOT);
            rows.add("<tr class='" + outcome + "'><td>" + escape(GraphText.line(status.graph(), decision))
                    + "</td></tr>");
        }
        return rows.isEmpty() ? "<p>No decision yet.</p>" : "<table>" + String.join("", rows) + "</table>";
    }

    private static String shortened(String name) {
        return name.length() <= 24 ? name : name.substring(0, 23) + "…";
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&#39;");
    }
}
