package io.leeway.privoxy.solvers;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Native code that may be missing: wrong platform, a temporary directory that forbids execution, an excluded jar. Then
 * that is said once and the solver is absent. Thread-safe.
 *
 * <p>Without a solver privoxy decides by itself and refuses what it cannot, so a library that does not load must never
 * end the application or its connections.
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
        // Loaded with the first question, which takes a second; applications that never ask do not pay for it.
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
            // What comes out of a missing library depends on the binding and on which of its classes was touched first.
        } catch (LinkageError | RuntimeException fault) {
            LOG.log(
                    Level.WARNING,
                    "Solver {0} is not used because {1} ({2}). Queries that need it are refused as undecided. {3}",
                    solver,
                    isJarMissing(fault) ? "its jar is not on the class path" : "its native code cannot be loaded",
                    fault,
                    isJarMissing(fault)
                            ? "Add the jars that privoxy-solvers depends on, those with a classifier too, or take it away."
                            : "It needs a 64-bit Linux with glibc 2.34 and a temporary directory (java.io.tmpdir) that"
                                    + " allows execution.");
            return State.MISSING;
        }
    }

    /**
     * A class that is not there is of the solver's own jar; what the C library lacks is another error.
     *
     * <p>The remedy differs: a jar is added, a C library or a mount option is not the developer's to change.
     */
    private static boolean isJarMissing(Throwable fault) {
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            if (cause instanceof ClassNotFoundException
                    || cause instanceof NoClassDefFoundError missing && !isFailedInitializer(missing)) {
                return true;
            }
        }
        return false;
    }

    /** A class whose native code could not be loaded the first time is not found the second time either. */
    private static boolean isFailedInitializer(NoClassDefFoundError fault) {
        return String.valueOf(fault.getMessage()).startsWith("Could not initialize");
    }

    private enum State {
        UNTRIED,
        LOADED,
        MISSING
    }
}
