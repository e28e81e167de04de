package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.spi.PrivoxyMetricsTracker.Stage;

/**
 * What was decided on an obligation of a statement.
 *
 * <p>Of one obligation for one choice; a statement is allowed if all of them are.
 */
sealed interface Decision permits Decision.Allowed, Refused {

    /** The last stage that had something to say. */
    Stage stage();

    /** Whether it is known to be compliant. */
    boolean isCompliant();

    /**
     * It is compliant.
     *
     * <p>Without a reason: which rows and views a proof used is nothing that anybody asks when it is allowed.
     *
     * @param stage the last stage that was needed
     */
    record Allowed(Stage stage) implements Decision {

        static final Allowed BY_COLUMNS = new Allowed(Stage.COLUMN);
        static final Allowed BY_TEMPLATE = new Allowed(Stage.TEMPLATE);
        static final Allowed BY_CHASE = new Allowed(Stage.CHASE);
        static final Allowed BY_SOLVER = new Allowed(Stage.SOLVER);

        @Override
        public boolean isCompliant() {
            return true;
        }
    }
}
