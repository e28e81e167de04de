package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.decide.Goal;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.decide.Verdict;
import io.leeway.privoxy.internal.model.Obligation;
import io.leeway.privoxy.internal.refute.Counterexample;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;
import org.jspecify.annotations.Nullable;

/** What was decided on a statement. */
sealed interface Decision {

    /**
     * It is compliant.
     *
     * @param stage the last stage that was needed
     */
    record Allowed(Stage stage) implements Decision {

        static final Allowed NOTHING_ASKED = new Allowed(Stage.NONE);
        static final Allowed BY_COLUMNS = new Allowed(Stage.COLUMN);
        static final Allowed BY_TEMPLATE = new Allowed(Stage.TEMPLATE);
        static final Allowed BY_CHASE = new Allowed(Stage.CHASE);
        static final Allowed BY_SOLVER = new Allowed(Stage.SOLVER);
    }

    /**
     * It is not known to be compliant.
     *
     * @param stage the last stage that had something to say
     * @param certain whether a violation was shown, no bound cut the search for a proof off, or only reviewed templates
     *     decide
     * @param obligation the part of the statement that is not covered
     * @param goal the same, compiled
     * @param problem what was asked
     * @param verdict where the proof got stuck; null if only templates were asked
     * @param example two databases that show the violation, or null
     */
    record Refused(
            Stage stage,
            boolean certain,
            Obligation obligation,
            Goal goal,
            Problem problem,
            Verdict.@Nullable NotShown verdict,
            @Nullable Counterexample example)
            implements Decision {}
}
