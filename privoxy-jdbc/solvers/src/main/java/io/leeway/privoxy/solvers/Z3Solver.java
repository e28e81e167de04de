package io.leeway.privoxy.solvers;

import io.leeway.privoxy.spi.Cancellation;
import io.leeway.privoxy.spi.Limits;
import io.leeway.privoxy.spi.Outcome;
import io.leeway.privoxy.spi.SmtScript;
import io.leeway.privoxy.spi.SmtSolver;

/**
 * Z3, in process. Every check has a context of its own, so checks do not share state and may run at once.
 *
 * <p>Beside cvc5, as neither is always the faster one (Chang, UCB/EECS-2021-244, section 3.7, figure 3.6, found the
 * same of three solvers).
 *
 * @since 0.1
 */
public final class Z3Solver implements SmtSolver {

    private static final NativeCode NATIVE = new NativeCode("Z3", Z3Session::probe);

    /** For {@link java.util.ServiceLoader}. */
    public Z3Solver() {}

    @Override
    public String name() {
        return "z3";
    }

    @Override
    public boolean isAvailable() {
        return NATIVE.isAvailable();
    }

    @Override
    public Outcome check(SmtScript script, Limits limits, Cancellation cancellation) {
        if (!isAvailable()) {
            return new Outcome.Unknown("Z3 is not available");
        }
        if (cancellation.isRequested()) {
            return Dialogue.CANCELLED;
        }
        return Z3Session.run(script, limits, cancellation);
    }
}
