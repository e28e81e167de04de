package io.leeway.benchmarks.results;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Names as a reader sorts them: numbers in them by what they are worth, whatever the case of letters. */
public final class NaturalOrder {

    /** The order; names that differ are never equal in it. */
    public static final Comparator<String> OF_NAMES =
            ((Comparator<String>) NaturalOrder::compare).thenComparing(Comparator.naturalOrder());

    private static final Pattern RUN = Pattern.compile("\\d+|\\D+");

    private NaturalOrder() {}

    private static int compare(String one, String other) {
        List<String> ones = runs(one);
        List<String> others = runs(other);
        for (int i = 0; i < Math.min(ones.size(), others.size()); i++) {
            int order = compareRuns(ones.get(i), others.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(ones.size(), others.size());
    }

    private static List<String> runs(String name) {
        return RUN.matcher(name).results().map(MatchResult::group).toList();
    }

    private static int compareRuns(String one, String other) {
        return isNumber(one) && isNumber(other)
                ? new BigInteger(one).compareTo(new BigInteger(other))
                : one.compareToIgnoreCase(other);
    }

    private static boolean isNumber(String run) {
        return Character.isDigit(run.charAt(0));
    }
}
