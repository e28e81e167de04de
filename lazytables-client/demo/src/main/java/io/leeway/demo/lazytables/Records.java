package io.leeway.demo.lazytables;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the workers of a run have recorded, each in a file of its own: the first has told the measure, and every one its clocks.
 *
 * @param lines all of them: those of the first worker, then clocks and staleness of the others
 */
record Records(List<String> lines) {

    private static final double NANOS = 1e9;

    /**
     * The measure.
     *
     * @param passes that were done
     * @param seconds since the begin
     * @param value itself
     */
    record Measured(double passes, double seconds, double value) {}

    /** Reads files; a last line that is not whole yet is left out. */
    static Records read(List<Path> files) throws IOException {
        var lines = new ArrayList<String>();
        for (Path file : files) {
            boolean first = file.equals(files.get(0));
            for (String line : Files.readAllLines(file)) {
                if (line.endsWith("}") && (first || is(line, "clock") || is(line, "staleness"))) {
                    lines.add(line);
                }
            }
        }
        return new Records(lines);
    }

    /** The measure while it ran. */
    List<Measured> measured() {
        return lines.stream()
                .filter(line -> is(line, "measure"))
                .map(line -> new Measured(number(line, "passes"), number(line, "nanos") / NANOS, number(line, "value")))
                .toList();
    }

    /** The passes that were measured so far. */
    double passes() {
        List<Measured> all = measured();
        return all.isEmpty() ? 0 : all.get(all.size() - 1).passes();
    }

    /** The measure in the end, from exact reads, and when the last worker was done. */
    Measured end() {
        String end = lines.stream().filter(line -> is(line, "end")).findFirst().orElseThrow();
        return new Measured(passes(), sum("end", "nanos") / NANOS, number(end, "value"));
    }

    /** The share of workers' time that was waited. */
    double waited() {
        double waited = sum("clock", "wait");
        return waited / (waited + sum("clock", "compute") + sum("clock", "measure"));
    }

    private double sum(String kind, String name) {
        return lines.stream()
                .filter(line -> is(line, kind))
                .mapToDouble(line -> number(line, name))
                .sum();
    }

    private static boolean is(String line, String kind) {
        return line.startsWith("{\"kind\":\"" + kind + "\"");
    }

    private static double number(String line, String name) {
        Matcher number = Pattern.compile("\"" + name + "\":([-+.0-9E]+)").matcher(line);
        return number.find() ? Double.parseDouble(number.group(1)) : Double.NaN;
    }
}
