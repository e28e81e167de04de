package io.leeway.demo;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Tells in the terminal, with colours where one looks at it. */
final class Terminal implements Teller {

    private static final int LONGEST_BAR = 40;
    private static final int WIDEST_CELL = 60;
    private static final String ERASED = "\r\u001b[K";

    private final PrintStream out;
    private final boolean colours;
    private boolean isBarShown;

    Terminal(PrintStream out, boolean colours) {
        this.out = out;
        this.colours = colours;
    }

    /** Colours if the script asks for them: only it knows whether somebody looks. */
    static Terminal standard() {
        return new Terminal(System.out, Boolean.getBoolean("leeway.demo.colours"));
    }

    @Override
    public void heading(String title) {
        out().println();
        out().println(paint("1", title));
        out().println("─".repeat(title.length()));
    }

    @Override
    public void text(String paragraph) {
        out().println(paragraph);
    }

    @Override
    public void code(String text) {
        text.lines().forEach(line -> out().println(paint("36", "    " + line)));
    }

    @Override
    public void decision(Decision decision) {
        String verdict = decision.isAllowed() ? paint("32", "✓ allowed") : paint("31", "✗ refused");
        out().println("  " + verdict + "  " + decision.who() + ": " + decision.what());
        out().println("             " + decision.why());
    }

    @Override
    public void table(Table table) {
        out().println(paint("2", table.caption()));
        int[] widths = IntStream.range(0, table.columns().size())
                .map(column -> width(table, column))
                .toArray();
        out().println("  " + paint("1", line(table, table.columns(), widths)));
        table.rows().forEach(row -> out().println("  " + line(table, row, widths)));
    }

    @Override
    public void bars(Bars bars) {
        out().println(paint("2", bars.caption()));
        int widest =
                bars.bars().stream().mapToInt(bar -> bar.label().length()).max().orElse(0);
        for (Bars.Bar bar : bars.bars()) {
            int length = Math.max(1, (int) Math.round(bars.share(bar) * LONGEST_BAR));
            out().println("  " + padded(bar.label(), widest, false) + "  " + paint("34", "█".repeat(length)) + " "
                    + bars.text(bar));
        }
    }

    @Override
    public void page(String what, Path page) {
        out().println(what + ": " + page);
    }

    @Override
    public void progress(String what, double share) {
        if (colours) {
            int filled = (int) Math.round(Math.min(1, Math.max(0, share)) * LONGEST_BAR);
            out.print(ERASED + "  " + what + "  " + paint("34", "█".repeat(filled)) + "░".repeat(LONGEST_BAR - filled)
                    + " " + Math.round(100 * share) + " %");
            out.flush();
            isBarShown = true;
        }
    }

    /** What is told takes the place of a bar. */
    private PrintStream out() {
        if (isBarShown) {
            out.print(ERASED);
            isBarShown = false;
        }
        return out;
    }

    private static int width(Table table, int column) {
        int widest = table.rows().stream()
                .mapToInt(row -> row.get(column).length())
                .max()
                .orElse(0);
        return Math.min(
                WIDEST_CELL, Math.max(widest, table.columns().get(column).length()));
    }

    private static String line(Table table, List<String> cells, int[] widths) {
        return IntStream.range(0, cells.size())
                .mapToObj(column -> padded(cells.get(column), widths[column], table.isNumeric(column)))
                .collect(Collectors.joining("  "))
                .stripTrailing();
    }

    private static String padded(String cell, int width, boolean right) {
        String cut = cell.length() <= width ? cell : cell.substring(0, width - 1) + "…";
        String space = " ".repeat(width - cut.length());
        return right ? space + cut : cut + space;
    }

    private String paint(String colour, String text) {
        return colours ? "\u001b[" + colour + "m" + text + "\u001b[0m" : text;
    }
}
