package io.leeway.benchmarks.results;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Lays a section's figures out. A figure is in a row and a column by its name. Rows that have columns in common are one
 * grid; what has nothing beside it, and grids that are not worth it, make a list behind them, so that no figure is lost.
 */
final class Layout {

    private static final String LIST = "figure";
    private static final String ONLY = "measured";

    private final Section section;
    private final List<Detail> details;
    private final Map<FigureName, Result> named = new LinkedHashMap<>();
    private final Map<String, Set<String>> rowsOf = new HashMap<>();
    private final List<Grid> grids = new ArrayList<>();
    private final Grid list = new Grid(LIST);

    private Layout(Section section, List<Detail> details) {
        this.section = section;
        this.details = details;
    }

    /** The tables of a section, one below the other. */
    static String of(Section section, Function<Result, FigureName> cutter, List<Detail> details) {
        var layout = new Layout(section, details);
        section.results().forEach(result -> layout.name(cutter.apply(result), result));
        layout.named.forEach(layout::place);
        return layout.markdown();
    }

    private void name(FigureName name, Result result) {
        if (name.column().isEmpty() || named.putIfAbsent(name, result) != null) {
            list(result);
        } else {
            rowsOf.computeIfAbsent(name.column(), none -> new HashSet<>()).add(name.row());
        }
    }

    private void place(FigureName name, Result result) {
        if (isShared(name) || isLikeOneThatIsShared(name.row(), result.unit())) {
            var grid = new Grid("");
            grid.put(section.shortened(name.row()), name.column(), result);
            join(grid);
        } else {
            list(result);
        }
    }

    private boolean isShared(FigureName name) {
        return rowsOf.getOrDefault(name.column(), Set.of()).size() > 1;
    }

    /** A column of its own is for figures of the same kind only: not for ratios beside what they are of. */
    private boolean isLikeOneThatIsShared(String row, String unit) {
        return named.entrySet().stream()
                .anyMatch(other -> other.getKey().row().equals(row)
                        && isShared(other.getKey())
                        && other.getValue().unit().equals(unit));
    }

    /** One grid of all that have a row or a column in common with this one. */
    private void join(Grid grid) {
        var joined = new Grid("");
        grids.removeIf(other -> {
            boolean isNear = other.touches(grid);
            if (isNear) {
                joined.putAll(other);
            }
            return isNear;
        });
        joined.putAll(grid);
        grids.add(joined);
    }

    private void list(Result result) {
        list.put(section.shortened(result.name()), ONLY, result);
    }

    private String markdown() {
        var out = new StringBuilder();
        for (Grid grid : grids) {
            if (grid.isWorthwhile(details)) {
                out.append(grid.markdown(details));
            } else {
                grid.results().forEach(this::list);
            }
        }
        return list.results().isEmpty()
                ? out.toString()
                : out.append(list.markdown(details)).toString();
    }
}
