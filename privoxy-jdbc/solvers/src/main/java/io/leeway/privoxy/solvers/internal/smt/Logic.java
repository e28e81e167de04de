package io.leeway.privoxy.solvers.internal.smt;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Formulas as SMT-LIB text; what is trivially true or false is simplified away.
 *
 * <p>A text instead of terms of a solver's binding, so that any solver can be asked. Simplifying while writing keeps
 * scripts short, and finds many contradictions without a solver.
 */
final class Logic {

    static final String TRUE = "true";
    static final String FALSE = "false";

    private Logic() {}

    static String and(Collection<String> parts) {
        return join("and", parts, TRUE, FALSE);
    }

    static String and(String... parts) {
        return and(List.of(parts));
    }

    static String or(Collection<String> parts) {
        return join("or", parts, FALSE, TRUE);
    }

    static String or(String... parts) {
        return or(List.of(parts));
    }

    private static String join(String operator, Collection<String> parts, String neutral, String absorbing) {
        Set<String> kept = new LinkedHashSet<>();
        for (String part : parts) {
            if (part.equals(absorbing)) {
                return absorbing;
            }
            if (!part.equals(neutral)) {
                // A set: the same row or condition often comes from several places.
                kept.add(part);
            }
        }
        return switch (kept.size()) {
            case 0 -> neutral;
            case 1 -> kept.iterator().next();
            default -> apply(operator, kept);
        };
    }

    /** A double negation goes away, so that equalities compare as texts. */
    static String not(String formula) {
        return switch (formula) {
            case TRUE -> FALSE;
            case FALSE -> TRUE;
            default ->
                formula.startsWith("(not ") ? formula.substring(5, formula.length() - 1) : "(not " + formula + ")";
        };
    }

    /** A premise that is false at sight drops the whole statement. */
    static String implies(String premise, String conclusion) {
        if (premise.equals(FALSE) || conclusion.equals(TRUE)) {
            return TRUE;
        }
        if (premise.equals(TRUE)) {
            return conclusion;
        }
        return conclusion.equals(FALSE) ? not(premise) : "(=> " + premise + " " + conclusion + ")";
    }

    static String forall(List<String> variables, String body) {
        return quantify("forall", variables, body);
    }

    static String exists(List<String> variables, String body) {
        return quantify("exists", variables, body);
    }

    private static String quantify(String quantifier, List<String> variables, String body) {
        // Sorts are not empty in SMT-LIB, so a quantifier over a constant body is the body.
        if (variables.isEmpty() || body.equals(TRUE) || body.equals(FALSE)) {
            return body;
        }
        List<String> sorted = new ArrayList<>();
        for (String variable : variables) {
            sorted.add("(" + variable + " " + Vocabulary.SORT + ")");
        }
        return "(" + quantifier + " (" + String.join(" ", sorted) + ") " + body + ")";
    }

    /** An application; a symbol without arguments stands alone. */
    static String apply(String symbol, Collection<String> arguments) {
        return arguments.isEmpty() ? symbol : "(" + symbol + " " + String.join(" ", arguments) + ")";
    }
}
