package io.leeway.netsim.internal.training;

import io.leeway.netsim.internal.sim.Rng;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Traces as files, and what is done to them.
 *
 * <p>A trace is a directory: {@code distribution.csv} has the parameters in the order of the forward pass with the time of
 * each operation, {@code aggregation.csv} the gradients with the time at which each is there, from the first on. Both have
 * the columns {@code time_ns,param,size_bits,src,dst}.
 */
public final class Traces {

    private static final String COLUMNS = "time_ns,param,size_bits,src,dst";

    private record Row(long time, String parameter, long bits) {}

    private Traces() {}

    /** Writes a model as a trace. */
    public static void write(Model model, Path directory) throws IOException {
        Files.createDirectories(directory);
        List<String> forward = new ArrayList<>(List.of(head(model, "distribution"), COLUMNS));
        List<String> backward = new ArrayList<>(List.of(head(model, "aggregation"), COLUMNS));
        long time = 0;
        for (Tensor tensor : model.tensors()) {
            forward.add(time + "," + tensor.name() + "," + tensor.bits() + ",ps0,worker0");
            time += tensor.forwardNanos();
        }
        forward.add("# end " + time);
        time = 0;
        for (int i = model.tensors().size() - 1; i >= 0; i--) {
            Tensor tensor = model.tensors().get(i);
            time += tensor.backwardNanos();
            backward.add(time + "," + tensor.name() + "," + tensor.bits() + ",worker0,ps0");
        }
        Files.write(directory.resolve("distribution.csv"), forward);
        Files.write(directory.resolve("aggregation.csv"), backward);
    }

    private static String head(Model model, String phase) {
        return "# dnnsim-trace 1; model=" + model.name() + "; phase=" + phase + "; dtype_bits=32";
    }

    /**
     * Reads a trace.
     *
     * @throws IllegalArgumentException all that is wrong with it, a line each
     */
    public static Model read(Path directory) throws IOException {
        List<String> problems = new ArrayList<>();
        Path order = directory.resolve("distribution.csv");
        List<Row> forward = rows(order, problems);
        List<Row> backward = rows(directory.resolve("aggregation.csv"), problems);
        Map<String, Row> gradients = new HashMap<>();
        Map<String, Long> steps = new HashMap<>();
        long before = 0;
        for (Row row : backward) {
            if (gradients.put(row.parameter(), row) != null) {
                problems.add("aggregation.csv: " + row.parameter() + " is there twice; keep its last send only");
            }
            steps.put(row.parameter(), Math.max(0, row.time() - before));
            before = row.time();
        }
        List<Tensor> tensors = new ArrayList<>();
        long end = end(order);
        if (!forward.isEmpty() && end < forward.get(forward.size() - 1).time()) {
            problems.add("distribution.csv: the last line should be `# end TIME`, with the time at which the last"
                    + " operation ends");
        }
        for (int i = 0; i < forward.size(); i++) {
            Row row = forward.get(i);
            Row gradient = gradients.remove(row.parameter());
            if (gradient == null || Math.abs(gradient.bits() - row.bits()) > row.bits() / 1_000) {
                problems.add(
                        "aggregation.csv: " + row.parameter() + " should be there once with " + row.bits() + " bits");
                continue;
            }
            long next = Math.max(
                    row.time(), i + 1 < forward.size() ? forward.get(i + 1).time() : end);
            tensors.add(new Tensor(
                    row.parameter(), row.bits(), next - row.time(), steps.getOrDefault(row.parameter(), 0L)));
        }
        gradients.keySet().forEach(name -> problems.add("distribution.csv: " + name + " is missing"));
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
        return new Model(String.valueOf(directory.getFileName()), tensors);
    }

    private static long end(Path file) throws IOException {
        for (String line : lines(file)) {
            if (line.matches("# end \\d{1,18}")) {
                return Long.parseLong(line.substring(6));
            }
        }
        return -1;
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (MalformedInputException e) {
            throw new IllegalArgumentException(file.getFileName() + " is no text in UTF-8; save it as that", e);
        }
    }

    private static List<Row> rows(Path file, List<String> problems) throws IOException {
        List<Row> rows = new ArrayList<>();
        int number = 0;
        long before = 0;
        for (String line : lines(file)) {
            number++;
            if (line.startsWith("#") || line.isBlank() || line.equals(COLUMNS)) {
                continue;
            }
            String where = file.getFileName() + " line " + number + ": ";
            String[] cells = line.split(",", -1);
            if (cells.length != 5
                    || !isUpTo(cells[0], 0, Tensor.MOST_NANOS)
                    || !isUpTo(cells[2], 1, Tensor.MOST_BITS)) {
                problems.add(where + "expected " + COLUMNS + " with a time up to " + Tensor.MOST_NANOS
                        + " and a size of 1 to " + Tensor.MOST_BITS + ", found " + line);
                continue;
            }
            Row row = new Row(Long.parseLong(cells[0]), cells[1], Long.parseLong(cells[2]));
            if (row.time() < before) {
                problems.add(where + "time goes back; sort the file by time_ns");
            }
            before = Math.max(before, row.time());
            rows.add(row);
        }
        if (rows.isEmpty()) {
            problems.add(file.getFileName() + ": there are no rows; write one a parameter");
        }
        return rows;
    }

    private static boolean isUpTo(String cell, long least, long most) {
        return cell.matches("\\d{1,18}") && Long.parseLong(cell) >= least && Long.parseLong(cell) <= most;
    }

    /** Computes faster, in the operations whose parameter matches only. */
    public static Model scale(Model model, double factor, Pattern which) {
        matching(model, which);
        List<Tensor> tensors = model.tensors().stream()
                .map(tensor -> which.matcher(tensor.name()).find() ? tensor.faster(factor) : tensor)
                .toList();
        return new Model(model.name(), tensors);
    }

    private static List<Tensor> matching(Model model, Pattern which) {
        List<Tensor> found = model.tensors().stream()
                .filter(tensor -> which.matcher(tensor.name()).find())
                .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException(
                    "no parameter matches " + which + "; see distribution.csv for their names");
        }
        return found;
    }

    /** Puts so many copies of the parameters that match behind the last of them. */
    public static Model grow(Model model, int copies, Pattern which) {
        List<Tensor> module = matching(model, which);
        List<Tensor> tensors = new ArrayList<>(model.tensors());
        int at = tensors.lastIndexOf(module.get(module.size() - 1)) + 1;
        for (int copy = copies; copy > 0; copy--) {
            int number = copy;
            tensors.addAll(
                    at,
                    module.stream()
                            .map(tensor -> new Tensor(
                                    "copy" + number + "/" + tensor.name(),
                                    tensor.bits(),
                                    tensor.forwardNanos(),
                                    tensor.backwardNanos()))
                            .toList());
        }
        return new Model(model.name(), tensors);
    }

    /** The trace of another worker: all its times are longer or shorter by one random factor. */
    public static Model jitter(Model model, double deviation, long seed) {
        return model.faster(Math.exp(-deviation * new Rng(seed).nextGaussian()));
    }

    /** In what two traces differ, a line each; empty if in nothing. */
    public static List<String> diff(Model one, Model other) {
        List<String> lines = new ArrayList<>();
        Map<String, Tensor> rest = new HashMap<>();
        other.tensors().forEach(tensor -> rest.put(tensor.name(), tensor));
        for (Tensor tensor : one.tensors()) {
            Tensor counterpart = rest.remove(tensor.name());
            if (counterpart == null) {
                lines.add("- " + tensor.name() + " " + tensor.bits() + " bits");
            } else if (!counterpart.equals(tensor)) {
                lines.add(String.format(
                        Locale.ROOT,
                        "~ %s: bits %d -> %d, forward %d -> %d ns, backward %d -> %d ns",
                        tensor.name(),
                        tensor.bits(),
                        counterpart.bits(),
                        tensor.forwardNanos(),
                        counterpart.forwardNanos(),
                        tensor.backwardNanos(),
                        counterpart.backwardNanos()));
            }
        }
        List<String> added = new ArrayList<>(rest.keySet());
        Collections.sort(added);
        added.forEach(name -> lines.add("+ " + name));
        return lines;
    }
}
