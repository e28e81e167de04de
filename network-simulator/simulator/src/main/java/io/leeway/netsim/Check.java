package io.leeway.netsim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an experiment expects of its results, and why they may differ.
 *
 * <pre>{@code
 * speedup{model=vgg-16, mechanism=ring} ~ 24.6 within 5 %
 * time ms{transport=atp-full} < time ms{transport=dctcp-es}; the reason if it is not so
 * last queue{background queue=4} ~ 3 within 1 %
 * }</pre>
 *
 * Both sides are a column, the cells that its rows have to have, and perhaps a factor. Each row of the left side is compared
 * with the row of the right side that has the same cells otherwise.
 *
 * @param text as it was written, without the reason
 * @param left what is looked at
 * @param operator {@code <}, {@code <=}, {@code >}, {@code >=} or {@code ~}
 * @param right what it is compared with; null for a number
 * @param number that number
 * @param within the deviation that {@code ~} allows
 * @param reason why it may not hold; empty if none was given
 */
record Check(
        String text, Side left, String operator, @Nullable Side right, double number, double within, String reason) {

    /** What {@code <=} and {@code >=} allow, since equal things differ by noise. */
    private static final double NOISE = 0.02;

    private static final double STANDARD_WITHIN = 0.15;
    private static final String SIDE = "[A-Za-z0-9][^{}<>~;*]*?(?:\\{[^}]*\\})?(?:\\s*\\*\\s*[\\d.]+)?";
    private static final Pattern FORM = Pattern.compile(
            "\\s*(" + SIDE + ")\\s*(<=|>=|<|>|~)\\s*(" + SIDE + ")(?:\\s+within\\s+([\\d.]+)\\s*%)?\\s*(?:;\\s*(.*))?");
    private static final Pattern SIDE_FORM = Pattern.compile(
            "(?:(mean|first|last|least|most)\\s+)?([^{}*]+?)\\s*(?:\\{([^}]*)\\})?\\s*(?:\\*\\s*([\\d.]+))?");

    /** One side. */
    record Side(String aggregate, String column, Map<String, String> cells, double factor) {

        static Side of(String text) {
            Matcher match = SIDE_FORM.matcher(text);
            if (!match.matches()) {
                throw new IllegalArgumentException("\"" + text + "\" is no column with cells");
            }
            Map<String, String> cells = new LinkedHashMap<>();
            if (match.group(3) != null) {
                for (String cell : match.group(3).split(",")) {
                    String[] parts = cell.split("=", 2);
                    if (parts.length < 2) {
                        throw new IllegalArgumentException("\"" + cell.strip() + "\" lacks a =");
                    }
                    cells.put(parts[0].strip(), parts[1].strip());
                }
            }
            double factor = match.group(4) == null ? 1 : Double.parseDouble(match.group(4));
            String aggregate = match.group(1) == null ? "" : match.group(1);
            return new Side(aggregate, match.group(2), cells, factor);
        }

        private void check(List<String> columns) {
            List<String> names = new ArrayList<>(cells.keySet());
            names.add(column);
            for (String name : names) {
                if (!columns.contains(name)) {
                    throw new IllegalArgumentException(
                            "there is no column " + name + "; there are " + String.join(", ", columns));
                }
            }
        }

        private boolean takes(Map<String, String> row) {
            return cells.entrySet().stream().allMatch(cell -> cell.getValue().equals(row.get(cell.getKey())));
        }

        /** A cell as a number; infinite for a time that never came. */
        private double value(Map<String, String> row) {
            String cell = row.getOrDefault(column, "-");
            if (cell.equals("-")) {
                return column.equals("time ms") ? Double.POSITIVE_INFINITY : Double.NaN;
            }
            return Double.parseDouble(cell) * factor;
        }

        private double aggregated(List<Map<String, String>> rows) {
            List<Double> values = rows.stream()
                    .filter(this::takes)
                    .map(this::value)
                    .filter(value -> !value.isNaN())
                    .toList();
            if (values.isEmpty()) {
                return Double.NaN;
            }
            OptionalDouble result = switch (aggregate) {
                case "first" -> OptionalDouble.of(values.get(0));
                case "last" -> OptionalDouble.of(values.get(values.size() - 1));
                case "least" -> values.stream().mapToDouble(Double::doubleValue).min();
                case "most" -> values.stream().mapToDouble(Double::doubleValue).max();
                default -> values.stream().mapToDouble(Double::doubleValue).average();
            };
            return result.orElse(Double.NaN);
        }
    }

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException with what is wrong with it
     */
    static Check of(String text, List<String> columns) {
        Matcher match = FORM.matcher(text);
        if (!match.matches()) {
            throw new IllegalArgumentException(
                    "write as `speedup{model=vgg-16, mechanism=ring} ~ 24.6 within 5 %` or `time ms{transport=atp} <"
                            + " time ms{transport=udp}; reason`");
        }
        Side left = Side.of(match.group(1));
        left.check(columns);
        if (match.group(3).contains(" within ")) {
            throw new IllegalArgumentException("write the deviation as `within 5 %`, a number and the sign");
        }
        Optional<Double> number = number(match.group(3));
        Side right = number.isPresent() ? null : Side.of(match.group(3));
        if (right != null) {
            right.check(columns);
        }
        double within = match.group(4) == null ? STANDARD_WITHIN : Double.parseDouble(match.group(4)) / 100;
        String reason = match.group(5) == null ? "" : match.group(5).strip();
        int end = text.indexOf(';');
        return new Check(
                (end < 0 ? text : text.substring(0, end)).strip(),
                left,
                match.group(2),
                right,
                number.orElse(Double.NaN),
                within,
                reason);
    }

    private static Optional<Double> number(String text) {
        return text.matches("-?[\\d.]+") ? Optional.of(Double.parseDouble(text)) : Optional.empty();
    }

    /** Looks at results. {@code keys} are the columns that say which case a row is. */
    Report.Verdict judge(List<String> columns, List<String> keys, List<List<String>> cells) {
        List<Map<String, String>> rows = cells.stream()
                .map(row -> {
                    Map<String, String> named = new LinkedHashMap<>();
                    for (int i = 0; i < columns.size(); i++) {
                        named.put(columns.get(i), row.get(i));
                    }
                    return named;
                })
                .toList();
        List<double[]> pairs = left.aggregate().isEmpty() ? pairs(keys, rows) : aggregates(rows);
        int holds = 0;
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        for (double[] pair : pairs) {
            holds += holds(pair[0], pair[1]) ? 1 : 0;
            double ratio = pair[1] == 0 && pair[0] == 0 ? 1 : pair[0] / pair[1];
            least = Math.min(least, ratio);
            most = Math.max(most, ratio);
        }
        boolean all = !pairs.isEmpty() && holds == pairs.size();
        return new Report.Verdict(text, all, measured(pairs, holds, least, most), all ? "" : reason);
    }

    private String measured(List<double[]> pairs, int holds, double least, double most) {
        if (pairs.isEmpty()) {
            return "there is no such case";
        }
        if (pairs.size() == 1) {
            double[] pair = pairs.get(0);
            return right == null && operator.equals("~")
                    ? String.format(Locale.ROOT, "%s (%+.1f %%)", Report.number(pair[0]), (least - 1) * 100)
                    : Report.number(pair[0]) + " against " + Report.number(pair[1]);
        }
        return String.format(
                Locale.ROOT,
                "in %d of %d cases; ratio %s to %s",
                holds,
                pairs.size(),
                Report.number(least),
                Report.number(most));
    }

    private boolean holds(double one, double other) {
        return switch (operator) {
            case "<" -> one < other;
            case "<=" -> one <= other * (1 + NOISE);
            case ">" -> one > other;
            case ">=" -> one >= other * (1 - NOISE);
            default -> Math.abs(one - other) <= within * Math.abs(other);
        };
    }

    private List<double[]> aggregates(List<Map<String, String>> rows) {
        double one = left.aggregated(rows);
        double other = right == null ? number : right.aggregated(rows);
        return Double.isNaN(one) || Double.isNaN(other) ? List.of() : List.of(new double[] {one, other});
    }

    private List<double[]> pairs(List<String> keys, List<Map<String, String>> rows) {
        List<double[]> pairs = new ArrayList<>();
        for (Map<String, String> row : rows) {
            if (!left.takes(row)) {
                continue;
            }
            double other = right == null ? number : counterpart(row, keys, rows, right);
            double one = left.value(row);
            if (!Double.isNaN(one) && !Double.isNaN(other) && !(Double.isInfinite(one) && Double.isInfinite(other))) {
                pairs.add(new double[] {one, other});
            }
        }
        return pairs;
    }

    private static double counterpart(
            Map<String, String> row, List<String> keys, List<Map<String, String>> rows, Side side) {
        for (Map<String, String> other : rows) {
            boolean same = keys.stream()
                    .allMatch(key -> side.cells().containsKey(key)
                            || String.valueOf(other.get(key)).equals(row.get(key)));
            if (same && side.takes(other)) {
                return side.value(other);
            }
        }
        return Double.NaN;
    }
}
