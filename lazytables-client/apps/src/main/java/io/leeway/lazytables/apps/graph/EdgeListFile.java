package io.leeway.lazytables.apps.graph;

import io.leeway.lazytables.apps.BadInputException;
import io.leeway.lazytables.apps.InputLines;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * An edge per line, {@code from to} or {@code from to length}, with spaces, tabulators or commas between; lines that begin with
 * {@code #} or {@code %} are remarks. That is how SNAP and others publish graphs. Vertices are numbered anew in the order in
 * which they come.
 *
 * @param graph the edges
 * @param id the number that each vertex has in the file
 */
@SuppressWarnings("ArrayRecordComponent") // As large as the graph, and compared by nobody.
public record EdgeListFile(Graph graph, long[] id) {

    private static final Pattern BETWEEN = Pattern.compile("[\\s,]+");

    /** Reads it. */
    public static EdgeListFile read(Path file) {
        Map<Long, Integer> numbers = new HashMap<>();
        int[] from = new int[1 << 10];
        int[] to = new int[1 << 10];
        int[] length = new int[1 << 10];
        int n = 0;
        try (InputLines lines = InputLines.open(file)) {
            for (String line = lines.next(); line != null; line = lines.next()) {
                if (line.isBlank() || line.startsWith("#") || line.startsWith("%")) {
                    continue;
                }
                String[] parts = BETWEEN.split(line.strip());
                if (parts.length < 2 || parts.length > 3) {
                    throw lines.fault("there are " + parts.length + " parts, not two vertices and perhaps a length");
                }
                if (n == from.length) {
                    int more = Math.addExact(n, n >> 1);
                    from = Arrays.copyOf(from, more);
                    to = Arrays.copyOf(to, more);
                    length = Arrays.copyOf(length, more);
                }
                from[n] = number(numbers, lines.whole("the vertex", parts[0], 0, Long.MAX_VALUE));
                to[n] = number(numbers, lines.whole("the vertex", parts[1], 0, Long.MAX_VALUE));
                // A length of zero or less would be a way to walk in circles for ever.
                length[n++] = parts.length == 2 ? 1 : (int) lines.whole("the length", parts[2], 1, Integer.MAX_VALUE);
            }
        }
        if (n == 0) {
            throw new BadInputException(file + " has no edges");
        }
        long[] id = new long[numbers.size()];
        numbers.forEach((original, number) -> id[number] = original);
        return new EdgeListFile(
                Graph.of(id.length, Arrays.copyOf(from, n), Arrays.copyOf(to, n), Arrays.copyOf(length, n)), id);
    }

    private static int number(Map<Long, Integer> numbers, long id) {
        Integer known = numbers.get(id);
        if (known == null) {
            known = numbers.size();
            numbers.put(id, known);
        }
        return known;
    }
}
