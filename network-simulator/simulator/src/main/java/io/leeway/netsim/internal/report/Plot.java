package io.leeway.netsim.internal.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A plot as SVG: lines over numbers, bars over names or where there is one place only. The axis is logarithmic where the
 * largest value is more than a hundred times the smallest.
 */
final class Plot {

    /** Where the plane ends, and what the lines are begins. */
    private static final int EDGE = 530;

    private static final int HEIGHT = 340;
    private static final int LEFT = 70;
    private static final int BOTTOM = 44;
    private static final int LEAST_LEGEND = 230;
    private static final int LETTER = 7;
    private static final int TOP = 14;
    private static final int LOGARITHMIC_FROM = 100;
    /** Told apart also by those who see no red or green. */
    private static final String[] COLOURS = {
        "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555", "#8b6914"
    };

    private final HtmlReport.Drawing drawing;
    private final List<String> columns;
    private final List<String> places;
    private final Map<String, List<double[]>> lines = new LinkedHashMap<>();
    private final boolean isNumeric;
    private final boolean isLogarithmic;
    private final double bottom;
    private final double top;
    private final double step;
    private double firstX;
    private double lastX;

    Plot(HtmlReport.Drawing drawing, List<String> columns, List<List<String>> rows) {
        this.drawing = drawing;
        this.columns = columns;
        places = rows.stream().map(row -> row.get(drawing.x())).distinct().toList();
        isNumeric = places.size() > 1 && places.stream().allMatch(Plot::isNumber);
        double least = Double.MAX_VALUE;
        double most = 0;
        for (List<String> row : rows) {
            for (int y : drawing.y()) {
                String cell = row.get(y);
                if (isNumber(cell)) {
                    double value = Double.parseDouble(cell);
                    most = Math.max(most, value);
                    least = Math.min(least, value);
                    String place = row.get(drawing.x());
                    double x = isNumeric ? Double.parseDouble(place) : places.indexOf(place);
                    lines.computeIfAbsent(label(row, y), key -> new ArrayList<>())
                            .add(new double[] {x, value});
                }
            }
        }
        isLogarithmic = least > 0 && most > LOGARITHMIC_FROM * least;
        if (isLogarithmic) {
            step = 1;
            bottom = Math.floor(Math.log10(least));
            top = Math.ceil(Math.log10(most));
        } else {
            bottom = 0;
            step = step(most);
            top = step * Math.max(1, Math.ceil(most / step));
        }
        if (isNumeric) {
            firstX = places.stream().mapToDouble(Double::parseDouble).min().orElse(0);
            lastX = places.stream().mapToDouble(Double::parseDouble).max().orElse(1);
        }
    }

    /** A round number of which four or five reach the largest value. */
    private static double step(double most) {
        double rough = most == 0 ? 0.25 : most / 4.5;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double digits = rough / power;
        return power * (digits <= 1 ? 1 : digits <= 2 ? 2 : digits <= 2.5 ? 2.5 : digits <= 5 ? 5 : 10);
    }

    private static boolean isNumber(String cell) {
        return cell.matches("-?\\d+(\\.\\d+)?([eE][-+]?\\d+)?");
    }

    private String label(List<String> row, int y) {
        List<String> parts = new ArrayList<>();
        for (int column : drawing.series()) {
            String cell = row.get(column);
            parts.add(isNumber(cell) ? columns.get(column) + " " + cell : cell);
        }
        if (drawing.y().size() > 1 || parts.isEmpty()) {
            parts.add(columns.get(y));
        }
        return String.join(", ", parts);
    }

    String svg() {
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"%s\">",
                width(),
                Math.max(HEIGHT, TOP + 18 * (lines.size() + 1)),
                width(),
                HtmlReport.escape(drawing.title())));
        if (lines.isEmpty()) {
            return svg.append("<text x=\"70\" y=\"40\">nothing to draw: no case has a value</text></svg>")
                    .toString();
        }
        upwards(svg);
        along(svg);
        if (isNumeric) {
            lines(svg);
        } else {
            bars(svg);
        }
        return svg.append("</svg>").toString();
    }

    /** As wide as the longest name of a line needs. */
    private int width() {
        int longest = lines.keySet().stream().mapToInt(String::length).max().orElse(0);
        return EDGE + Math.max(LEAST_LEGEND, 46 + LETTER * longest);
    }

    private void upwards(StringBuilder svg) {
        int ticks = (int) Math.round((top - bottom) / step);
        for (int tick = 0; tick <= ticks; tick++) {
            double value = isLogarithmic ? Math.pow(10, bottom + tick) : step * tick;
            double y = y(value);
            svg.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\""
                            + " text-anchor=\"end\">%s</text>",
                    LEFT,
                    EDGE,
                    y,
                    y,
                    LEFT - 6,
                    y + 4,
                    short3(value)));
        }
    }

    /** Three digits, without an exponent where it can be read so. */
    private static String short3(double value) {
        if (value == 0) {
            return "0";
        }
        if (value >= 1e6 || value < 1e-4) {
            return String.format(Locale.ROOT, "%.0e", value);
        }
        int digits = (int) Math.max(0, 2 - Math.floor(Math.log10(value)));
        return String.format(Locale.ROOT, "%." + digits + "f", value)
                .replaceFirst("(\\.\\d*?)0+$", "$1")
                .replaceFirst("\\.$", "");
    }

    private void along(StringBuilder svg) {
        if (isNumeric) {
            List<Double> ticks = new ArrayList<>();
            if (places.size() <= 9) {
                places.forEach(place -> ticks.add(Double.parseDouble(place)));
            } else {
                for (int i = 0; i <= 5; i++) {
                    ticks.add(firstX + (lastX - firstX) * i / 5);
                }
            }
            for (double tick : ticks) {
                tickBelow(svg, x(tick), short3(tick));
            }
        } else {
            for (int i = 0; i < places.size(); i++) {
                tickBelow(svg, slot(i) + slotWidth() / 2, places.get(i));
            }
        }
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\">%s (upwards: %s%s)</text>",
                LEFT,
                HEIGHT - 6,
                HtmlReport.escape(columns.get(drawing.x())),
                HtmlReport.escape(
                        String.join(", ", drawing.y().stream().map(columns::get).toList())),
                isLogarithmic ? ", logarithmic" : ""));
    }

    private static void tickBelow(StringBuilder svg, double x, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                x,
                HEIGHT - BOTTOM + 16,
                HtmlReport.escape(text)));
    }

    private void lines(StringBuilder svg) {
        int number = 0;
        for (Map.Entry<String, List<double[]>> line : lines.entrySet()) {
            String colour = COLOURS[number % COLOURS.length];
            StringBuilder points = new StringBuilder();
            for (double[] point : line.getValue()) {
                double x = x(point[0]);
                double y = y(point[1]);
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
                if (line.getValue().size() <= 40) {
                    svg.append(String.format(
                            Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", x, y, colour));
                }
            }
            svg.append(String.format(
                    Locale.ROOT,
                    "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>",
                    points.toString().strip(),
                    colour,
                    dashes(number)));
            legend(svg, number, line.getKey(), colour);
            number++;
        }
    }

    private static String dashes(int number) {
        return switch (number / COLOURS.length) {
            case 0 -> "";
            case 1 -> " stroke-dasharray=\"6 3\"";
            default -> " stroke-dasharray=\"2 3\"";
        };
    }

    private void bars(StringBuilder svg) {
        int number = 0;
        double width = slotWidth() * 0.9 / lines.size();
        for (Map.Entry<String, List<double[]>> line : lines.entrySet()) {
            String colour = COLOURS[number % COLOURS.length];
            for (double[] point : line.getValue()) {
                double y = y(point[1]);
                svg.append(String.format(
                        Locale.ROOT,
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"%s/>",
                        slot((int) point[0]) + slotWidth() * 0.05 + width * number,
                        y,
                        Math.max(1, width - 1),
                        Math.max(0, HEIGHT - BOTTOM - y),
                        colour,
                        number < COLOURS.length ? "" : " fill-opacity=\"0.5\""));
            }
            legend(svg, number, line.getKey(), colour);
            number++;
        }
    }

    private static void legend(StringBuilder svg, int number, String text, String colour) {
        int y = TOP + 12 + number * 18;
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"3\"%s/><text x=\"%d\""
                        + " y=\"%d\">%s</text>",
                EDGE + 12,
                EDGE + 32,
                y - 4,
                y - 4,
                colour,
                dashes(number),
                EDGE + 38,
                y,
                HtmlReport.escape(text)));
    }

    private double slotWidth() {
        return (double) (EDGE - LEFT) / places.size();
    }

    private double slot(int place) {
        return LEFT + slotWidth() * place;
    }

    private double x(double value) {
        double margin = places.size() <= 9 ? 24 : 4;
        return LEFT + margin + (EDGE - LEFT - 2 * margin) * (value - firstX) / (lastX - firstX);
    }

    private double y(double value) {
        double share = isLogarithmic ? (Math.log10(value) - bottom) / (top - bottom) : value / top;
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share;
    }
}
