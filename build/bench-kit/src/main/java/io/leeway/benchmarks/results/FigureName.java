package io.leeway.benchmarks.results;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/**
 * A figure's name cut in two: at its last colon, or else at its last comma. Commas in parentheses do not count, nor one
 * whose sides always occur together, as in {@code MariaDB, B-tree}.
 *
 * @param row what is measured
 * @param column what sets it apart from figures beside it; empty if the name has one part
 */
record FigureName(String row, String column) {

    private static final String COLON = ": ";
    private static final String COMMA = ", ";

    /** How to cut the names of these figures. */
    static Function<Result, FigureName> cutter(Collection<Result> results) {
        Set<String> bound = bound(results);
        return result -> of(result.name(), bound);
    }

    private static FigureName of(String name, Set<String> bound) {
        int colon = last(name, COLON);
        int comma = last(name, COMMA);
        if (colon < 0 && comma > 0 && bound.contains(name.substring(comma))) {
            int earlier = last(name.substring(0, comma), COMMA);
            comma = earlier < 0 ? comma : earlier;
        }
        int cut = colon < 0 ? comma : colon;
        return cut < 0
                ? new FigureName(name, "")
                : new FigureName(name.substring(0, cut), name.substring(cut + COMMA.length()));
    }

    /** Last parts, with their commas, that follow the same part in several names and never another one. */
    private static Set<String> bound(Collection<Result> results) {
        var before = new HashMap<String, Set<String>>();
        var heads = new HashMap<String, Set<String>>();
        for (Result result : results) {
            String name = result.name();
            int comma = last(name, COMMA);
            if (comma > 0) {
                int earlier = Math.max(0, last(name.substring(0, comma), COMMA));
                String part = name.substring(comma);
                before.computeIfAbsent(part, none -> new HashSet<>()).add(name.substring(earlier, comma));
                heads.computeIfAbsent(part, none -> new HashSet<>()).add(name.substring(0, earlier));
            }
        }
        heads.values().removeIf(several -> several.size() == 1);
        before.values().removeIf(others -> others.size() > 1);
        before.keySet().retainAll(heads.keySet());
        return before.keySet();
    }

    /** Where a separator is for the last time outside of parentheses, or -1. */
    private static int last(String name, String separator) {
        int depth = 0;
        for (int i = name.length() - 1; i > 0; i--) {
            depth += name.charAt(i) == ')' ? 1 : name.charAt(i) == '(' ? -1 : 0;
            if (depth == 0 && name.startsWith(separator, i)) {
                return i;
            }
        }
        return -1;
    }
}
