package io.leeway.autotune.lab.internal.report;

import io.leeway.autotune.lab.internal.detect.Diagnosis;
import io.leeway.autotune.lab.internal.detect.Suspect;
import io.leeway.autotune.lab.internal.trace.CriticalPath;
import io.leeway.autotune.lab.internal.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The page of a diagnosis: suspects with reasons, and a trace as a timeline with its critical path. */
public final class TracePage {

    private static final int WIDTH = 960;
    private static final int LEFT = 230;
    private static final int ROW = 22;
    private static final int MOST_ROWS = 120;
    private static final int MOST_MENDED = 8;

    private TracePage() {}

    /** The whole page. */
    public static String of(String title, Diagnosis diagnosis, String model) {
        var page = new Html(title);
        page.element(
                "p",
                diagnosis.anomalous() + " of " + diagnosis.traces() + " requests are anomalous. Model: " + model + ".");
        page.element("h2", "Suspects");
        if (diagnosis.suspects().isEmpty()) {
            page.element("p", "None: no instance stands out.");
        } else {
            var rows = new ArrayList<List<String>>();
            diagnosis
                    .suspects()
                    .forEach(suspect ->
                            rows.add(List.of(suspect.instance(), Html.number(suspect.score()), suspect.reason())));
            page.table(List.of("Instance", "Score", "Why"), rows);
        }
        Trace example = diagnosis.example();
        if (example != null) {
            Set<String> suspects =
                    diagnosis.suspects().stream().map(Suspect::instance).collect(Collectors.toSet());
            timeline(page, example, suspects);
        }
        return page.end();
    }

    private static void timeline(Html page, Trace trace, Set<String> suspects) {
        var rows = new ArrayList<Trace.Node>();
        var depths = new ArrayList<Integer>();
        flatten(trace.root(), 0, rows, depths);
        List<CriticalPath.Segment> path = CriticalPath.of(trace);
        double scale = (WIDTH - LEFT - 70.0) / Math.max(1, trace.micros());
        var drawing = new StringBuilder();
        for (int i = 0; i < Math.min(MOST_ROWS, rows.size()); i++) {
            Trace.Node node = rows.get(i);
            double y = 8.0 + ROW * i;
            boolean isSuspect = suspects.contains(node.service());
            String tip = node.service() + " " + node.span().operation() + ": " + millis(node.micros()) + ", own "
                    + millis(node.selfMicros());
            drawing.append(Html.label(8 + 10.0 * Math.min(8, depths.get(i)), y + 12, "start", node.service()));
            drawing.append(bar("span", LEFT + node.start() * scale, y, node.micros() * scale, 14, tip));
            for (CriticalPath.Segment segment : path) {
                if (segment.node() == node) {
                    drawing.append(bar(
                            isSuspect ? "suspect" : "path",
                            LEFT + segment.start() * scale,
                            y + 3,
                            segment.micros() * scale,
                            8,
                            tip + ", on the critical path for " + millis(segment.micros())));
                }
            }
            drawing.append(Html.label(
                    Math.min(WIDTH - 60, LEFT + node.end() * scale + 6), y + 12, "start", millis(node.micros())));
        }
        page.element("h2", "A request: " + trace.type() + ", " + millis(trace.micros()))
                .svg(
                        "Timeline of a request with its critical path",
                        WIDTH,
                        16 + ROW * Math.min(MOST_ROWS, rows.size()),
                        drawing.toString())
                .note("Light: from start to end. Dark: on the critical path. Brown: on the critical path, of a suspect."
                        + (trace.mended().isEmpty() ? "" : " Mended: " + mended(trace.mended()) + "."));
    }

    private static String mended(List<String> all) {
        String told = String.join("; ", all.subList(0, Math.min(MOST_MENDED, all.size())));
        return all.size() > MOST_MENDED ? told + "; and " + (all.size() - MOST_MENDED) + " more" : told;
    }

    private static void flatten(Trace.Node node, int depth, List<Trace.Node> rows, List<Integer> depths) {
        rows.add(node);
        depths.add(depth);
        if (rows.size() < MOST_ROWS) {
            node.children().stream()
                    .sorted(java.util.Comparator.comparingLong(Trace.Node::start))
                    .forEach(child -> flatten(child, depth + 1, rows, depths));
        }
    }

    private static String bar(String style, double x, double y, double width, double height, String title) {
        return Html.shape(
                "rect",
                String.format(
                        Locale.ROOT,
                        "class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.0f\"",
                        style,
                        Math.max(LEFT, Math.min(WIDTH - 10, x)),
                        y,
                        Math.max(1, Math.min(WIDTH - 10 - x, width)),
                        height),
                title);
    }

    private static String millis(long micros) {
        return String.format(Locale.ROOT, "%.1f ms", micros / 1e3);
    }
}
