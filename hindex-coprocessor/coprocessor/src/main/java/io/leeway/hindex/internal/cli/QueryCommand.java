package io.leeway.hindex.internal.cli;

import io.leeway.hindex.ColumnName;
import io.leeway.hindex.Condition;
import io.leeway.hindex.HindexAdmin;
import io.leeway.hindex.IndexDefinition;
import io.leeway.hindex.IndexQuery;
import io.leeway.hindex.IndexedRow;
import io.leeway.hindex.IndexedRows;
import io.leeway.hindex.IndexedTable;
import io.leeway.hindex.internal.console.Arguments;
import io.leeway.hindex.internal.console.CommandException;
import io.leeway.hindex.internal.console.Console;
import io.leeway.hindex.internal.console.ProgressLine;
import io.leeway.hindex.internal.console.Usage;
import io.leeway.hindex.internal.console.Words;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.jspecify.annotations.Nullable;

/** {@code hindex query}: rows by the values of indexed columns. */
final class QueryCommand {

    private static final int CHECKED = 100;

    private QueryCommand() {}

    static Command command() {
        var options = new ArrayList<>(ConditionOptions.OPTIONS);
        options.addAll(List.of(
                new Usage.Option("limit", "ROWS", "the first so many only"),
                new Usage.Option("descending", "", "the other way round"),
                new Usage.Option("as-of", "TIME", "as it was then: 2026-01-31T17:30:00Z, or milliseconds since 1970"),
                new Usage.Option("versions", "NUMBER", "found by so many of their newest versions"),
                new Usage.Option(
                        "column", "COLUMN", "with what this column holds, as family:qualifier;\nmay be repeated"),
                new Usage.Option("times", "", "with the timestamps of what was found"),
                new Usage.Option("format", "FORMAT", "text (the default), tsv or json, an object a line"),
                new Usage.Option("output", "FILE", "write the rows there; with progress, on a terminal")));
        options.addAll(Site.OPTIONS);
        var usage = new Usage(
                Command.PROGRAM,
                "query",
                "show the rows that have certain values, by an index",
                "TABLE INDEX",
                List.of("Conditions are given for the columns of the index in their order; all but the last must be\n"
                        + "--is (--or) or --absent. Without any, all rows that are in the index are shown."),
                options);
        return new Command(usage, QueryCommand::run);
    }

    private static int run(Arguments arguments, Connection connection, Console console)
            throws IOException, CommandException {
        TableName table = TableName.valueOf(arguments.operands().get(0));
        String name = arguments.operands().get(1);
        RowPrinter.Format format = format(arguments);
        IndexDefinition index = HindexAdmin.of(connection).get(table, name).definition();
        List<ColumnName> columns =
                arguments.all("column").stream().map(ColumnName::parse).toList();
        IndexQuery query = query(arguments, ConditionOptions.read(arguments, index), columns);
        IndexedTable indexed = IndexedTable.open(connection, table, name);
        String output = arguments.get("output");
        long shown;
        try (IndexedRows rows = indexed.query(query);
                PrintStream out = output == null ? null : open(output)) {
            var printer =
                    new RowPrinter(out == null ? console.out() : out, format, arguments.has("times"), index, columns);
            shown = print(rows, printer, out == null ? console.out() : out, progress(out, console, name));
        }
        if (output != null || format == RowPrinter.Format.TEXT) {
            console.out().println(Words.count(shown, "row"));
        }
        return Command.FINE;
    }

    /** Rows on the screen are progress enough. */
    private static @Nullable ProgressLine progress(@Nullable PrintStream file, Console console, String index) {
        return file == null ? null : ProgressLine.of(console, "Reading by " + index);
    }

    private static long print(IndexedRows rows, RowPrinter printer, PrintStream out, @Nullable ProgressLine progress)
            throws IOException, CommandException {
        try (ProgressLine line = progress) {
            long shown = 0;
            printer.begin();
            for (IndexedRow row = rows.next(); row != null; row = rows.next()) {
                printer.print(row);
                shown++;
                if (line != null) {
                    line.count(shown, "row");
                }
                if (shown % CHECKED == 0 && out.checkError()) {
                    throw cannotWrite(shown);
                }
            }
            if (out.checkError()) {
                throw cannotWrite(shown);
            }
            return shown;
        }
    }

    private static CommandException cannotWrite(long shown) {
        return new CommandException("the rows cannot be written any more, after " + Words.count(shown, "row")
                + "; is the disk full, or has the reader gone?");
    }

    private static PrintStream open(String file) throws CommandException {
        try {
            OutputStream out = Files.newOutputStream(Path.of(file));
            return new PrintStream(new BufferedOutputStream(out), false, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new CommandException(
                    "the file " + file + " cannot be written (" + e.getClass().getSimpleName() + "); give another", e);
        }
    }

    private static RowPrinter.Format format(Arguments arguments) throws CommandException {
        String format = arguments.get("format");
        return switch (format == null ? "text" : format.toLowerCase(Locale.ROOT)) {
            case "text" -> RowPrinter.Format.TEXT;
            case "tsv" -> RowPrinter.Format.TSV;
            case "json" -> RowPrinter.Format.JSON;
            default -> throw arguments.problem("there is no format " + format + "; give text, tsv or json");
        };
    }

    private static IndexQuery query(Arguments arguments, List<Condition> conditions, List<ColumnName> columns)
            throws CommandException {
        IndexQuery query = IndexQuery.where(
                conditions.get(0), conditions.subList(1, conditions.size()).toArray(Condition[]::new));
        String limit = arguments.get("limit");
        if (limit != null) {
            query = query.limit(number("limit", limit, arguments));
        }
        String versions = arguments.get("versions");
        if (versions != null) {
            query = query.versions((int) number("versions", versions, arguments));
        }
        String asOf = arguments.get("as-of");
        if (asOf != null) {
            try {
                query = query.asOf(ValueText.time(asOf));
            } catch (IllegalArgumentException e) {
                throw arguments.problem("--as-of " + asOf + " is no point in time; " + e.getMessage());
            }
        }
        if (!columns.isEmpty()) {
            query = query.withColumns(columns.toArray(ColumnName[]::new));
        }
        return arguments.has("descending") ? query.descending() : query;
    }

    private static long number(String option, String text, Arguments arguments) throws CommandException {
        if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) == 0) {
            throw arguments.problem(
                    "--" + option + " " + text + " is no number above nought; write for instance --" + option + " 20");
        }
        return Integer.parseInt(text);
    }
}
