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
 * @param about what it shows
 * @param columns the head of the table
 * @param rows as many cells each as there are columns
 * @param plots which columns are drawn
 * @param verdicts what was expected, and whether it is so
 * @param events events handled in all runs
 * @param packets packets delivered in all runs, or segments
 */
public record Report(
        String title,
        String about,
        List<String> columns,
        List<List<String>> rows,
        List<Plot> plots,
        List<Verdict> verdicts,
        long events,
        long packets) {

    /** Copies. */
    public Report {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        plots = List.copyOf(plots);
        verdicts = List.copyOf(verdicts);
    }

    /**
     * Lines in a plane, or bars where there is one place only.
     *
     * @param title above it
     * @param x the column along the bottom
     * @param y the columns upwards; if there are several, each is a line
     * @param series the columns of which each combination of values is a line
     */
    public record Plot(String title, String x, List<String> y, List<String> series) {

        /** Copies. */
        public Plot {
            y = List.copyOf(y);
            series = List.copyOf(series);
        }
    }

    /**
     * What was expected.
     *
     * @param claim as the experiment says it
     * @param holds whether it is so in all cases
     * @param measured what was measured
     * @param reason why it is not so; empty if it is, or if none is known
     */
    public record Verdict(String claim, boolean holds, String measured, String reason) {

        /** {@code agrees}, or {@code differs} with the reason. */
        public String outcome() {
            return holds ? "agrees" : reason.isEmpty() ? "differs" : "differs: " + reason;
        }
    }

    /** The number in a column of the first row whose cells begin like these; not a number if there is none. */
    public double value(String column, String... start) {
        for (List<String> row : rows) {
            if (row.subList(0, start.length).equals(List.of(start))) {
                String cell = row.get(columns.indexOf(column));
                return cell.matches("[-+.\\deE]+") && !cell.equals("-") ? Double.parseDouble(cell) : Double.NaN;
            }
        }
        return Double.NaN;
    }

    /** Writes {@code index.html}, {@code results.csv} and, if anything was expected, {@code checks.csv} to a directory, which is made. */
    public void writeTo(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("index.html"), page());
        List<List<String>> table = new ArrayList<>(rows);
        table.add(0, columns);
        writeCsv(directory.resolve("results.csv"), table);
        if (!verdicts.isEmpty()) {
            List<List<String>> checks = new ArrayList<>();
            checks.add(List.of("expected", "measured", "outcome"));
            verdicts.forEach(verdict -> checks.add(List.of(verdict.claim(), verdict.measured(), verdict.outcome())));
            writeCsv(directory.resolve("checks.csv"), checks);
        }
    }

    private static void writeCsv(Path file, List<List<String>> table) throws IOException {
        Files.write(
                file,
                table.stream()
                        .map(row -> String.join(
                                ",", row.stream().map(Report::quoted).toList()))
                        .toList());
    }

    private static String quoted(String cell) {
        return cell.matches("[^,\"\\n\\r]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }

    private String page() {
        List<List<String>> checks = verdicts.stream()
                .map(verdict -> List.of(verdict.claim(), verdict.measured(), verdict.outcome()))
                .toList();
        return new HtmlReport(title, about, columns, rows, checks, drawings()).page();
    }

    private List<HtmlReport.Drawing> drawings() {
        return plots.stream()
                .map(plot -> new HtmlReport.Drawing(
                        plot.title(),
                        columns.indexOf(plot.x()),
                        plot.y().stream().map(columns::indexOf).toList(),
                        plot.series().stream().map(columns::indexOf).toList()))
                .toList();
    }

    static String number(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return "-";
        }
        if (value == Math.rint(value) && Math.abs(value) < 1e9) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        String text = String.format(Locale.ROOT, "%.4g", value);
        boolean isWhole = text.contains("e") || !text.contains(".");
        return isWhole ? text : text.replaceFirst("\\.?0+$", "");
    }
}
