package io.leeway.netsim;

import io.leeway.netsim.internal.report.HtmlReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What an experiment came to. Immutable.
 *
 * @param title the experiment's
 * @param columns the head of the table
 * @param rows as many cells each as there are columns
 * @param plots which columns are drawn
 * @param events events handled in all runs
 * @param packets packets delivered in all runs, or segments
 */
public record Report(
        String title, List<String> columns, List<List<String>> rows, List<Plot> plots, long events, long packets) {

    /** Copies. */
    public Report {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        plots = List.copyOf(plots);
    }

    /**
     * Lines in a plane: one for each value of a column.
     *
     * @param title above it
     * @param x the column along the bottom
     * @param y the column upwards
     * @param series the column of which each value is a line
     */
    public record Plot(String title, String x, String y, String series) {}

    /** The number in a column of the first row whose cells begin like these; not a number if there is none. */
    public double value(String column, String... start) {
        for (List<String> row : rows) {
            if (row.subList(0, start.length).equals(List.of(start))) {
                String cell = row.get(columns.indexOf(column));
                return cell.matches("[-+.\\deE]+") ? Double.parseDouble(cell) : Double.NaN;
            }
        }
        return Double.NaN;
    }

    /** Writes {@code index.html} and {@code results.csv} to a directory, which is made. */
    public void writeTo(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("index.html"), HtmlReport.page(title, columns, rows, drawings()));
        List<String> lines = new ArrayList<>();
        lines.add(String.join(",", columns));
        rows.forEach(row -> lines.add(String.join(",", row)));
        Files.write(directory.resolve("results.csv"), lines);
    }

    private List<HtmlReport.Drawing> drawings() {
        return plots.stream()
                .map(plot -> new HtmlReport.Drawing(
                        plot.title(),
                        columns.indexOf(plot.x()),
                        columns.indexOf(plot.y()),
                        columns.indexOf(plot.series())))
                .toList();
    }

    static String number(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        return value == Math.rint(value) && Math.abs(value) < 1e9
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.4g", value);
    }
}
