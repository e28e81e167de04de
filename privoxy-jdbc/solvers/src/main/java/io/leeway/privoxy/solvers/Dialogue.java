package io.leeway.privoxy.solvers;

import io.leeway.privoxy.spi.Cancellation;
import io.leeway.privoxy.spi.Outcome;
import io.leeway.privoxy.spi.SmtScript;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What is said to a solver around a script, in SMT-LIB 2, and how its replies are understood.
 *
 * <p>Both solvers are spoken to in text. That is the same script for each, any other solver can be put in their place,
 * and what was asked can be looked at.
 */
final class Dialogue {

    static final Outcome CANCELLED = new Outcome.Unknown("cancelled");
    static final Outcome OUT_OF_EFFORT = Outcome.Unknown.OUT_OF_LIMITS;
    static final Outcome FAULT = new Outcome.Unknown("the solver reports a fault");

    private static final Outcome GAVE_UP = new Outcome.Unknown("the solver knows no way to decide it");

    private Dialogue() {}

    /** Options for what the script asks beyond a yes or no. */
    static String options(SmtScript script) {
        StringBuilder options = new StringBuilder();
        // Asked for only where it is used: cores and models make solvers slower.
        if (!script.assumptions().isEmpty()) {
            options.append("(set-option :produce-unsat-assumptions true)\n");
        }
        if (!script.values().isEmpty()) {
            options.append("(set-option :produce-models true)\n");
        }
        return options.toString();
    }

    /**
     * Assumptions and not named assertions: they can be changed from check to check without writing the script anew,
     * which the search for a core does some ten times.
     */
    static String check(SmtScript script) {
        return script.assumptions().isEmpty()
                ? "(check-sat)\n"
                : "(check-sat-assuming (" + String.join(" ", script.assumptions()) + "))\n";
    }

    /**
     * Understands the reply to {@link #check}.
     *
     * @param more says another command and returns the reply to it
     */
    static Outcome outcome(SmtScript script, String reply, UnaryOperator<String> more, Cancellation cancellation) {
        // An interrupted solver may print anything.
        if (cancellation.isRequested()) {
            return CANCELLED;
        }
        String answer = reply.strip();
        if (answer.equals("unsat")) {
            List<String> core =
                    script.assumptions().isEmpty() ? List.of() : Replies.names(more.apply("(get-unsat-assumptions)\n"));
            return new Outcome.Unsatisfiable(core);
        }
        if (answer.equals("sat")) {
            Map<String, String> values = script.values().isEmpty()
                    ? Map.of()
                    : Replies.values(more.apply("(get-value (" + String.join(" ", script.values()) + "))\n"));
            return new Outcome.Satisfiable(values);
        }
        // Also where a reply has an error in front: only the three answers of the standard count.
        if (!answer.startsWith("unknown")) {
            return FAULT;
        }
        String reason = more.apply("(get-info :reason-unknown)\n").toLowerCase(Locale.ROOT);
        // Told apart because more effort helps the one and nothing helps the other.
        boolean ranOut = Stream.of("resource", "timeout", "cancel").anyMatch(reason::contains);
        return ranOut ? OUT_OF_EFFORT : GAVE_UP;
    }
}
