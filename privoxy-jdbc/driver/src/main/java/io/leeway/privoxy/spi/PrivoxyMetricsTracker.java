package io.leeway.privoxy.spi;

/**
 * Takes what Privoxy measures. Implementations are found by {@link java.util.ServiceLoader}; every method does nothing
 * unless overridden. Called on the application's threads, often, from many at once: it must be quick, thread-safe and
 * must not throw.
 *
 * @since 0.1
 */
public interface PrivoxyMetricsTracker {

    /** What decided. */
    enum Stage {
        /** The columns alone. */
        COLUMN,
        /** A template made by an earlier decision. */
        TEMPLATE,
        /** The chase. */
        CHASE,
        /** A solver. */
        SOLVER,
        /** Nothing had to be decided, or nothing could. */
        NONE
    }

    /** The decision. */
    enum Outcome {
        ALLOW,
        DENY,
        UNDECIDED,
        UNSUPPORTED,
        ERROR
    }

    /** What happened to a template. */
    enum TemplateEvent {
        CREATED,
        LOADED,
        EVICTED,
        REJECTED
    }

    /** How a solver did. */
    enum SolverResult {
        /** It answered, and first. */
        WON,
        /** Another one answered first. */
        LOST,
        /** It knows no way to answer, or failed. */
        UNKNOWN,
        /** Its limits were used up before anybody answered. */
        TIMEOUT
    }

    /** A statement was decided on. */
    default void checked(Stage stage, Outcome outcome, long nanos) {}

    /** A statement passed that would have been refused in enforce mode. */
    default void audited(Outcome outcome) {}

    /** Something happened to a template. */
    default void template(TemplateEvent event) {}

    /** A solver that was asked ended. */
    default void solver(String solver, SolverResult result, long nanos) {}

    /** Size of the trace that a decision saw. */
    default void traceSize(int entries, int cells) {}
}
