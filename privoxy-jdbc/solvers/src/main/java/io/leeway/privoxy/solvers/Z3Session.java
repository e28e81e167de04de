package io.leeway.privoxy.solvers;

import com.microsoft.z3.Context;
import com.microsoft.z3.Native;
import com.microsoft.z3.Z3Exception;
import io.leeway.privoxy.spi.Cancellation;
import io.leeway.privoxy.spi.Limits;
import io.leeway.privoxy.spi.Outcome;
import io.leeway.privoxy.spi.SmtScript;

/**
 * One run of Z3: everything that touches its classes.
 *
 * <p>Z3's context is not thread-safe, so each check has its own, which costs a millisecond.
 */
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
            // Interrupting is the one call that another thread may make.
            Cancellation.Handle handle = cancellation.onRequest(context::interrupt);
            try {
                String reply = say(context, commands(script, limits));
                return Dialogue.outcome(script, reply, more -> say(context, more), cancellation);
                // Before the context goes: to interrupt one that is closed would touch freed memory.
            } finally {
                handle.close();
            }
        } catch (Z3Exception fault) {
            return cancellation.isRequested() ? Dialogue.CANCELLED : Dialogue.FAULT;
        }
    }

    private static String commands(SmtScript script, Limits limits) {
        // rlimit and not only timeout: under load a limit of six seconds of wall time left a second of CPU and made
        // "unknown" of "unsat".
        return Dialogue.options(script)
                + "(set-option :rlimit " + limits.effort() * UNITS_PER_EFFORT + ")\n"
                + "(set-option :timeout " + limits.wall().toMillis() + ")\n"
                + script.text()
                + Dialogue.check(script);
    }

    /** As text, as with cvc5: Z3's objects would each be a call into native code. */
    private static String say(Context context, String commands) {
        return Native.evalSmtlib2String(context.nCtx(), commands);
    }
}
