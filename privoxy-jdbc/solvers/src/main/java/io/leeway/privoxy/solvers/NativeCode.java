package io.leeway.privoxy.solvers;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Native code that may be missing: wrong platform, a temporary directory that forbids execution, an excluded jar. Then
 * that is said once and the solver is absent. Thread-safe.
 */
final class NativeCode {

    private static final Logger LOG = System.getLogger("io.leeway.privoxy.solvers");

    private final String solver;
    private final Runnable use;
    private volatile State state = State.UNTRIED;

    /** Loads by using it once: {@code use} is to make the smallest call that needs the native code. */
    NativeCode(String solver, Runnable use) {
        this.solver = solver;
        this.use = use;
    }

    boolean isAvailable() {
        return (state == State.UNTRIED ? load() : state) == State.LOADED;
    }

    private synchronized State load() {
        if (state == State.UNTRIED) {
            state = tryToLoad();
        }
        return state;
    }

    private State tryToLoad() {
        try {
            use.run();
            return State.LOADED;
        } catch (LinkageError | RuntimeException fault) {
            LOG.log(
                    Level.WARNING,
                    "Solver {0} is not used because its native code cannot be loaded ({1}). Queries that need it are"
                            + " refused as undecided. It needs a 64-bit Linux with glibc 2.34 and a temporary directory"
                            + " (java.io.tmpdir) that allows execution.",
                    solver,
                    fault);
            return State.MISSING;
        }
    }

    private enum State {
        UNTRIED,
        LOADED,
        MISSING
    }
}
