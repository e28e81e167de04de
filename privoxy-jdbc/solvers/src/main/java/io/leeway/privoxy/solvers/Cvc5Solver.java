package io.leeway.privoxy.solvers;

import io.leeway.privoxy.spi.Cancellation;
import io.leeway.privoxy.spi.Limits;
import io.leeway.privoxy.spi.Outcome;
import io.leeway.privoxy.spi.SmtScript;
import io.leeway.privoxy.spi.SmtSolver;

/**
 * cvc5, in process.
 *
 * <p>cvc5 cannot be interrupted from outside, so a check is tried with little effort first and with four times as much
 * each time that was not enough; cancellation is looked at in between. Nearly all checks end in the first try, and one
 * that lost a race ends soon after. Trying again costs at most a third more.
 *
 * @since 0.1
 */
public final class Cvc5Solver implements SmtSolver {

    /** A unit is about a millisecond; what most checks need. */
    private static final long FIRST_EFFORT = 40;

    private static final long GROWTH = 4;

    private static final NativeCode NATIVE = new NativeCode("cvc5", Cvc5Session::probe);

    /** For {@link java.util.ServiceLoader}. */
    public Cvc5Solver() {}

    @Override
    public String name() {
        return "cvc5";
    }

    @Override
    public boolean isAvailable() {
        return NATIVE.isAvailable();
    }

    @Override
    public Outcome check(SmtScript script, Limits limits, Cancellation cancellation) {
        if (!isAvailable()) {
            return new Outcome.Unknown("cvc5 is not available");
        }
        long effort = Math.min(FIRST_EFFORT, limits.effort());
        while (!cancellation.isRequested()) {
            Outcome outcome = Cvc5Session.run(script, new Limits(effort, limits.wall()), cancellation);
            // Anything but a lack of effort would come out the same with more.
            if (effort >= limits.effort() || !outcome.equals(Dialogue.OUT_OF_EFFORT)) {
                return outcome;
            }
            effort = Math.min(effort * GROWTH, limits.effort());
        }
        return Dialogue.CANCELLED;
    }
}
