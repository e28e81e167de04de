package io.leeway.benchmarks.results;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The figures of which something was asked for, and whether they give it; those that do not come first. */
final class GoalTable {

    private GoalTable() {}

    /** A heading, the table and where it was measured; nothing if there are no goals. */
    static String of(List<Result> results, Runs runs) {
        List<Result> asked = results.stream()
                .filter(result -> result.goal() != null)
                .sorted(Comparator.comparing(Result::isMet).thenComparing(Result::name, NaturalOrder.OF_NAMES))
                .toList();
        if (asked.isEmpty()) {
            return "";
        }
        long met = asked.stream().filter(Result::isMet).count();
        return "## Goals\n\n%d of %d goals are met.\n\n".formatted(met, asked.size())
                + Markdown.table(
                        List.of("figure", "measured", "goal", "met", "compared with", "run"),
                        2,
                        asked.stream().map(result -> cells(result, runs)).toList())
                + "\n";
    }

    private static List<String> cells(Result result, Runs runs) {
        var cells = new ArrayList<>(List.of(result.name(), Numbers.withUnit(result.value(), result.unit())));
        cells.add(goal(result));
        cells.add(result.isMet() ? "yes" : "**no**");
        cells.add(result.peer());
        cells.add(runs.letter(result));
        return cells;
    }

    private static String goal(Result result) {
        return result.goal() == null
                ? ""
                : result.better().bound() + " " + Numbers.withUnit(result.goal(), result.unit());
    }
}
