package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.Refusal;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Obligation;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Says what a statement asks for, by tables and columns: no values, and short.
 *
 * <p>Names only, which come from the schema and the text: refusals are logged, and rows are not to get into logs that
 * way ({@code NoValuesInLogsTest}).
 */
final class Asked {

    private static final int NAMES = 6;

    private Asked() {}

    /** What this part of an obligation asks for, as "id, text of posts", or "whether there is a row of posts". */
    static String words(Obligation obligation, ConjunctiveQuery part, CompiledPolicy policy) {
        Map<String, Set<String>> columns = new LinkedHashMap<>();
        part.head().forEach(term -> collect(term, part, policy, columns));
        String what = columns.isEmpty() ? "whether there is a row of " + tables(part, policy) : columns(columns);
        boolean isWhole = obligation.reason().equals(Obligation.ROWS) || asksHowOften(obligation);
        return isWhole ? what : what + " (" + obligation.reason() + ")";
    }

    /**
     * Whether keys were added to what is asked for, as equal rows of the result are told apart by them.
     *
     * <p>The author of the statement did not ask for a key; that it is asked for all the same needs an explanation.
     */
    private static boolean asksHowOften(Obligation obligation) {
        return obligation.reason().equals(Obligation.ROWS_AS_OFTEN);
    }

    /** What to do where a view lacks nothing but such keys; empty if that is not so. */
    static String remedy(Obligation obligation, Refusal.NearestView view) {
        boolean lacksKeys = asksHowOften(obligation)
                && Stream.of(view.lacks().split("; "))
                        .allMatch(lack -> lack.startsWith("column ") && lack.endsWith(" is not shown"));
        return lacksKeys
                ? " It is asked for as equal rows are told apart by it: SELECT DISTINCT does without, or let the view show"
                        + " the key."
                : "";
    }

    private static String tables(ConjunctiveQuery query, CompiledPolicy policy) {
        Set<String> tables = new LinkedHashSet<>();
        query.atoms().forEach(atom -> tables.add(policy.shownName(atom.table())));
        return list(tables);
    }

    private static String columns(Map<String, Set<String>> columns) {
        return columns.entrySet().stream()
                .map(table -> list(table.getValue()) + " of " + table.getKey())
                .collect(Collectors.joining(" and "));
    }

    private static void collect(
            Term term, ConjunctiveQuery query, CompiledPolicy policy, Map<String, Set<String>> names) {
        if (term instanceof Term.Variable variable) {
            for (Atom atom : query.atoms()) {
                int column = variable.index() - atom.firstVariable();
                if (column < atom.arity()) {
                    Table table = policy.table(atom.table());
                    names.computeIfAbsent(policy.shownName(atom.table()), name -> new LinkedHashSet<>())
                            .add(
                                    table == null
                                            ? "columns"
                                            : table.columns().get(column).name());
                    return;
                }
            }
        } else if (term instanceof Term.Function function) {
            function.arguments().forEach(argument -> collect(argument, query, policy, names));
        }
    }

    private static String list(Set<String> names) {
        List<String> shown = new ArrayList<>(names);
        // A table of three hundred columns would make the message unreadable.
        return names.size() <= NAMES
                ? String.join(", ", shown)
                : String.join(", ", shown.subList(0, NAMES)) + " and " + (names.size() - NAMES) + " more";
    }
}
