package io.leeway.benchmarks.results;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Where, when and of what figures were measured, told once for all that have it in common, and a letter for each. */
final class Runs {

    private static final int LETTERS = 26;

    private final Map<Run, String> letters = new LinkedHashMap<>();

    /** What repeats a figure, and what it depends on. */
    private record Run(String command, String date, String commit, String machine) {

        static Run of(Result result) {
            return new Run(result.command(), result.date(), result.commit(), result.machine());
        }
    }

    Runs(Collection<Result> results) {
        results.stream()
                .map(Run::of)
                .distinct()
                .sorted((one, other) -> NaturalOrder.OF_NAMES.compare(one.toString(), other.toString()))
                .forEach(run -> letters.put(run, name(letters.size())));
    }

    /** The letter of the run that a figure is from. */
    String letter(Result result) {
        return letters.getOrDefault(Run.of(result), "");
    }

    /** The machines and the days; nothing if nothing was measured. */
    String summary() {
        if (letters.isEmpty()) {
            return "";
        }
        var machines = new TreeSet<String>();
        var days = new TreeSet<String>();
        letters.keySet().forEach(run -> {
            machines.add(run.machine());
            days.add(run.date());
        });
        String when = days.size() == 1 ? days.first() : days.first() + " to " + days.last();
        return "Measured on " + String.join(" and on ", machines) + "; " + when + ". ";
    }

    /** All runs with their letters. */
    String table() {
        List<String> columns = List.of("run", "repeat with", "date", "commit", "machine");
        return Markdown.table(
                columns,
                0,
                letters.entrySet().stream()
                        .map(entry -> cells(entry.getValue(), entry.getKey()))
                        .toList());
    }

    private static List<String> cells(String letter, Run run) {
        return List.of(letter, "`" + run.command() + "`", run.date(), run.commit(), run.machine());
    }

    /** A to Z, then AA to AZ and so on. */
    private static String name(int number) {
        String last = String.valueOf((char) ('A' + number % LETTERS));
        return number < LETTERS ? last : name(number / LETTERS - 1) + last;
    }
}
