package io.leeway.privoxy.spi;

/**
 * A solver for first-order formulas in SMT-LIB 2, found through {@link java.util.ServiceLoader}.
 *
 * <p>The artifact {@code privoxy-solvers} writes the formulas, so a solver is asked only where that is on the class path
 * too; without it the driver says in the log that it is missing.
 *
 * <p>Thread-safe: several checks may run at once. An implementation whose native code cannot be loaded says so once in
 * the log and answers {@link #isAvailable} with false; it never throws for that.
 *
 * @since 0.1
 */
public interface SmtSolver {

    /** Short name for logs and metrics, as {@code cvc5}. */
    String name();

    /** Whether it can be asked. The first call may load native code and take a second. */
    boolean isAvailable();

    /**
     * Decides a script. Blocks the calling thread until there is an answer, the limits are used up or the check is
     * cancelled; a check that was cancelled answers {@link Outcome.Unknown} whatever the solver found. Faults of the
     * solver are an {@link Outcome.Unknown} too.
     *
     * @param script what to decide
     * @param limits when to give up
     * @param cancellation how the caller stops the check from another thread
     */
    Outcome check(SmtScript script, Limits limits, Cancellation cancellation);
}
