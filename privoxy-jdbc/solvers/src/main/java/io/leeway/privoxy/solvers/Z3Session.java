package io.leeway.privoxy.solvers;

import com.microsoft.z3.Context;
import com.microsoft.z3.Native;
import com.microsoft.z3.Z3Exception;
import io.leeway.privoxy.spi.Cancellation;
import io.leeway.privoxy.spi.Limits;
import io.leeway.privoxy.spi.Outcome;
import io.leeway.privoxy.spi.SmtScript;

/** One run of Z3: everything that touches its classes. */
final class Z3Session {

    /** Z3's resource units in a millisecond, measured on unbounded quantifier instantiation. */
    private static final long UNITS_PER_EFFORT = 1_000;

    private Z3Session() {}

    /** The smallest use of the native code. */
    static void probe() {
        new Context().close();
    }

    static Outcome run(SmtScript script, Limits limits, Cancellation cancellation) {
        try (Context context = new Context()) {
            Cancellation.Handle handle = cancellation.onRequest(context::interrupt);
            try {
                String reply = say(context, commands(script, limits));
                return Dialogue.outcome(script, reply, more -> say(context, more), cancellation);
            } finally {
                handle.close();
            }
        } catch (Z3Exception fault) {
            return cancellation.isRequested() ? Dialogue.CANCELLED : Dialogue.FAULT;
        }
    }

    private static String commands(SmtScript script, Limits limits) {
        return Dialogue.options(script)
                + "(set-option :rlimit " + limits.effort() * UNITS_PER_EFFORT + ")\n"
                + "(set-option :timeout " + limits.wall().toMillis() + ")\n"
                + script.text()
                + Dialogue.check(script);
    }

    private static String say(Context context, String commands) {
        return Native.evalSmtlib2String(context.nCtx(), commands);
    }
}
