package io.leeway.privoxy.internal.config;

import java.util.Collection;
import java.util.Locale;

/** Finds the name that a mistyped one was meant to be. */
public final class DidYouMean {

    private static final int TOLERANCE = 3;

    private DidYouMean() {}

    /** The closest candidate in quotes of a question, or nothing if none is close. */
    public static String hint(String typed, Collection<String> candidates) {
        String best = "";
        int bestDistance = Math.min(TOLERANCE, typed.length() / 2) + 1;
        for (String candidate : candidates) {
            int distance = distance(typed.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (distance < bestDistance) {
                bestDistance = distance;
                best = candidate;
            }
        }
        return best.isEmpty() ? "" : ", did you mean " + best + "?";
    }

    /** Levenshtein's distance, one row at a time. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int substitute = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substitute, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
