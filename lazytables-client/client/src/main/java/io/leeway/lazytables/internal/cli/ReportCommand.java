package io.leeway.lazytables.internal.cli;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.internal.report.RunFiles;
import io.leeway.lazytables.internal.report.RunReport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** {@code lazytables report}: makes a page of the records of runs. */
final class ReportCommand {

    static final String HELP = """
            lazytables report [--out=report.html] RECORDS ...
              Makes a page of what runs recorded, over each other: convergence, computing and waiting, lanes, staleness.
              Files that the processes of one run wrote, each its own, become one run: give them all.

            """;

    private static final String OUT = "out";

    private ReportCommand() {}

    /** All files are read and checked before the page is written: a fault leaves the page of before as it was. */
    static int run(List<String> arguments, PrintStream print) {
        Words words = Words.of(arguments, Set.of(OUT));
        if (words.names().isEmpty() || !words.options().isEmpty()) {
            throw Words.usage("report needs files of records, and --out if it is not to be report.html");
        }
        String given = words.text(OUT);
        String out = given == null ? "report.html" : given;
        var report = new RunReport(RunFiles.read(words.names()));
        try {
            Files.writeString(Path.of(out), report.html(), StandardCharsets.UTF_8);
        } catch (IOException | InvalidPathException e) {
            throw LazyTablesException.of(Code.BAD_ARGUMENT, out + " cannot be written: " + e.getMessage(), e);
        }
        report.warnings().forEach(warning -> print.println("warning: " + warning));
        print.println("wrote " + out);
        return 0;
    }
}
