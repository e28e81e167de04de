package io.leeway.benchmarks.results;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Figures in rows and columns. Details are told once for all of them, or else of each row, or else of each column. */
final class Grid {

    private final String corner;
    private final Map<String, Map<String, Result>> rows = new TreeMap<>(NaturalOrder.OF_NAMES);

    /** An empty one with what stands above the names of its rows. */
    Grid(String corner) {
        this.corner = corner;
    }

    void put(String row, String column, Result result) {
        Result other = rows.computeIfAbsent(row, none -> new TreeMap<>(NaturalOrder.OF_NAMES))
                .put(column, result);
        if (other != null) {
            throw new IllegalStateException("in one place: " + other.name() + " and " + result.name());
        }
    }

    void putAll(Grid other) {
        other.rows.forEach((row, cells) -> cells.forEach((column, result) -> put(row, column, result)));
    }

    /** Whether both have a row or a column of the same name. */
    boolean touches(Grid other) {
        return !Collections.disjoint(rows.keySet(), other.rows.keySet())
                || !Collections.disjoint(columns(), other.columns());
    }

    private Set<String> columns() {
        var columns = new TreeSet<>(NaturalOrder.OF_NAMES);
        rows.values().forEach(cells -> columns.addAll(cells.keySet()));
        return columns;
    }

    List<Result> results() {
        return rows.values().stream().flatMap(cells -> cells.values().stream()).toList();
    }

    /** Whether it tells more at a glance than a list: several columns, most cells filled, a place for each detail. */
    boolean isWorthwhile(List<Detail> details) {
        return columns().size() > 1
                && 2 * results().size() >= rows.size() * columns().size()
                && details.stream().allMatch(detail -> isBeside(detail) || isBelow(detail));
    }

    /** The table, with its longer side downwards. */
    String markdown(List<Detail> details) {
        return columns().size() > rows.size() ? transposed().upright(details) : upright(details);
    }

    private Grid transposed() {
        var transposed = new Grid(corner);
        rows.forEach((row, cells) -> cells.forEach((column, result) -> transposed.put(column, row, result)));
        return transposed;
    }

    private String upright(List<Detail> details) {
        List<Detail> own =
                details.stream().filter(detail -> !detail.isCommon(results())).toList();
        List<Detail> beside = own.stream().filter(this::isBeside).toList();
        var table = new ArrayList<List<String>>();
        rows.forEach((row, cells) -> table.add(line(row, cells, beside)));
        own.stream().filter(detail -> !isBeside(detail)).forEach(detail -> table.add(below(detail, beside.size())));
        return caption(details) + Markdown.table(head(beside), columns().size(), table) + "\n";
    }

    private String caption(List<Detail> details) {
        String caption = details.stream()
                .filter(detail -> detail.isCommon(results()))
                .filter(detail -> !detail.one(results()).isEmpty())
                .map(detail -> detail.head() + " " + detail.one(results()))
                .collect(Collectors.joining("; "));
        return caption.isEmpty()
                ? ""
                : caption.substring(0, 1).toUpperCase(Locale.ROOT) + caption.substring(1) + ".\n\n";
    }

    private List<String> head(List<Detail> beside) {
        var head = new ArrayList<>(List.of(corner));
        head.addAll(columns());
        beside.forEach(detail -> head.add(detail.head()));
        return head;
    }

    private List<String> line(String row, Map<String, Result> cells, List<Detail> beside) {
        var line = new ArrayList<>(List.of(row));
        for (String column : columns()) {
            Result result = cells.get(column);
            line.add(result == null ? "" : Numbers.withUnit(result.value(), result.unit()));
        }
        beside.forEach(detail -> line.add(detail.one(cells.values())));
        return line;
    }

    private List<String> below(Detail detail, int beside) {
        var line = new ArrayList<>(List.of("*" + detail.head() + "*"));
        columns().forEach(column -> line.add(detail.one(column(column))));
        for (int i = 0; i < beside; i++) {
            line.add("");
        }
        return line;
    }

    /** Whether a detail is told of each row, which is not exact if some of a row do not have it; columns may be. */
    private boolean isBeside(Detail detail) {
        boolean isExact = rows.values().stream().allMatch(cells -> detail.isCommon(cells.values()));
        boolean isPossible = rows.values().stream().allMatch(cells -> detail.isOne(cells.values()));
        return isExact || isPossible && !isEachColumns(detail);
    }

    private boolean isBelow(Detail detail) {
        return columns().stream().allMatch(column -> detail.isOne(column(column)));
    }

    private boolean isEachColumns(Detail detail) {
        return columns().stream().allMatch(column -> detail.isCommon(column(column)));
    }

    private Collection<Result> column(String column) {
        return rows.values().stream()
                .filter(cells -> cells.containsKey(column))
                .map(cells -> cells.get(column))
                .toList();
    }
}
