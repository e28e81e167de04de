package io.leeway.lazytables.internal.report;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads files of records, in each of which one run or several follow each other, or a process's part of them. */
public final class RunFiles {

    /** What was read, in its order; then the runs that it makes. */
    private List<RunRecords> runs = new ArrayList<>();

    private RunFiles() {}

    /**
     * Reads files.
     *
     * @throws LazyTablesException naming file and line of what cannot be read, or two files that do not fit together
     */
    public static RunFiles read(List<String> names) {
        var files = new RunFiles();
        names.forEach(files::read);
        if (files.runs.isEmpty()) {
            throw wrong("there is no run in " + String.join(", ", names) + ": a run begins with a record of kind run");
        }
        files.runs = JoinedRuns.of(files.runs);
        files.nameApart();
        return files;
    }

    List<RunRecords> runs() {
        return runs;
    }

    /**
     * Reads one file. A line that was cut off is let pass only where nothing of the same run follows: a process that
     * was killed left it, and one that was started again in the same file begins a new run behind it. Anywhere else the
     * file is damaged, and is refused.
     */
    private void read(String name) {
        try (BufferedReader reader = Files.newBufferedReader(Path.of(name), StandardCharsets.UTF_8)) {
            RunRecords run = null;
            int number = 0;
            LazyTablesException cut = null;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                number++;
                if (line.isBlank()) {
                    continue;
                }
                Map<String, Object> values;
                try {
                    values = values(name, number, line);
                } catch (LazyTablesException e) {
                    if (cut != null || !isCut(line)) {
                        throw e;
                    }
                    cut = e;
                    continue;
                }
                if ("run".equals(values.get("kind"))) {
                    cut = null;
                    run = new RunRecords(name, values);
                    runs.add(run);
                } else if (cut != null) {
                    throw cut;
                } else if (run == null) {
                    throw wrong(name + ", line " + number + ": the first record is not of kind run");
                } else {
                    run.add(values);
                }
            }
        } catch (IOException | InvalidPathException e) {
            throw LazyTablesException.of(Code.BAD_ARGUMENT, name + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Whether a process was killed while it wrote the line. Such a line is the last one of a run. */
    private static boolean isCut(String line) {
        return line.startsWith("{") && !line.endsWith("}");
    }

    private static Map<String, Object> values(String name, int number, String line) {
        try {
            return JsonLine.parse(line);
        } catch (IllegalArgumentException e) {
            throw wrong(name + ", line " + number + ", is no record: " + e.getMessage());
        }
    }

    /**
     * Runs with the same settings get a number.
     *
     * <p>In the order in which they were given, which is the order of the page.
     */
    private void nameApart() {
        var seen = new HashMap<String, Integer>();
        for (RunRecords run : runs) {
            int times = seen.merge(run.label, 1, Integer::sum);
            if (times > 1) {
                run.label += " (" + times + ")";
            }
        }
    }

    private static LazyTablesException wrong(String what) {
        return LazyTablesException.of(Code.BAD_ARGUMENT, what);
    }
}
