package io.leeway.benchmarks.plots;

import java.util.Locale;

/**
 * A picture of its own file. Texts are above all else, with an edge that keeps them readable there. It brings its paper along, light or dark as the reader has chosen, so that it can be read on
 * any page. Colours are those of Okabe and Ito, which colour-blind people can tell apart.
 */
final class Drawing {

    private static final int COLOURS = 6;
    private static final int SHAPES = 4;

    /** Of a sans-serif character at most, on average, so that texts get the room that they need whatever the font. */
    private static final double CHARACTER = 6.6;

    private static final String STYLE = """
            <style>
            .paper{fill:#fff}.edge{stroke:#fff}.text{fill:#1f2328;stroke:#fff;stroke-width:3px;paint-order:stroke}.on{fill:#000}.axis{stroke:#59636e}.grid{stroke:#d8dee4}
            .c0{color:#0072b2}.c1{color:#d55e00}.c2{color:#009e73}.c3{color:#cc79a7}.c4{color:#e69f00}.c5{color:#56b4e9}
            @media(prefers-color-scheme:dark){
            .paper{fill:#0d1117}.edge{stroke:#0d1117}.text{fill:#e6edf3;stroke:#0d1117}.axis{stroke:#9198a1}.grid{stroke:#30363d}
            .c0{color:#3d9fe0}.c1{color:#e8743b}.c2{color:#1db584}
            }
            </style>
            <rect class="paper" width="100%" height="100%"/>
            """;

    private final StringBuilder shapes = new StringBuilder();
    private final StringBuilder texts = new StringBuilder();

    /** An empty one with its title, which is also read aloud. */
    Drawing(double width, double height, String title) {
        add(
                shapes,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$.0f %2$.0f\" width=\"%1$.0f\" height=\"%2$.0f\""
                        + " role=\"img\" font-family=\"sans-serif\" font-size=\"12\">",
                width,
                height);
        shapes.append("<title>").append(escaped(title)).append("</title>\n").append(STYLE);
        add(
                texts,
                "<text class=\"text\" x=\"10\" y=\"20\" font-size=\"14\" font-weight=\"bold\">%s</text>",
                escaped(title));
    }

    /** The room that a text needs. */
    static double width(String text) {
        return text.length() * CHARACTER;
    }

    /** A text from its start, its middle or its end. */
    void text(double x, double y, String anchor, String text) {
        text("text", x, y, anchor, text);
    }

    /** A text on something coloured. */
    void textOnBar(double x, double y, String text) {
        text("on", x, y, "middle", text);
    }

    private void text(String kind, double x, double y, String anchor, String text) {
        add(
                texts,
                "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
                kind,
                x,
                y,
                anchor,
                escaped(text));
    }

    void bar(double x, double y, double width, double height, int colour) {
        add(
                shapes,
                "<rect class=\"c%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"currentColor\"/>",
                colour % COLOURS,
                x,
                y,
                width,
                height);
    }

    /** A line of the plot's own: {@code axis} or {@code grid}. */
    void rule(String kind, double x1, double y1, double x2, double y2) {
        add(shapes, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", kind, x1, y1, x2, y2);
    }

    void line(double x1, double y1, double x2, double y2, int colour, boolean isDashed) {
        add(
                shapes,
                "<line class=\"c%d\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"currentColor\""
                        + " stroke-width=\"2\"%s/>",
                colour % COLOURS,
                x1,
                y1,
                x2,
                y2,
                isDashed ? " stroke-dasharray=\"6 4\"" : "");
    }

    /** A dashed line downwards that shows on bars, too. */
    void across(double x, double top, double bottom, int colour) {
        add(
                shapes,
                "<line class=\"edge\" x1=\"%1$.1f\" y1=\"%2$.1f\" x2=\"%1$.1f\" y2=\"%3$.1f\" stroke-width=\"5\"/>",
                x,
                top,
                bottom);
        line(x, top, x, bottom, colour, true);
    }

    /** A mark whose shape goes with its colour. */
    void mark(double x, double y, int colour) {
        String shape = switch (colour % SHAPES) {
            case 0 -> "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z";
            case 1 -> "M-4 -4h8v8h-8z";
            case 2 -> "M0 -5l5 9h-10z";
            default -> "M0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z";
        };
        add(
                shapes,
                "<path class=\"c%d\" transform=\"translate(%.1f %.1f)\" d=\"%s\" fill=\"currentColor\"/>",
                colour % COLOURS,
                x,
                y,
                shape);
    }

    String end() {
        return shapes.append(texts).append("</svg>\n").toString();
    }

    private static void add(StringBuilder out, String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
