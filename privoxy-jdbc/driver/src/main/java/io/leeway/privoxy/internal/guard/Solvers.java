package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.solver.SolverStage;
import io.leeway.privoxy.internal.solver.SolverStages;
import io.leeway.privoxy.spi.PrivoxyMetricsTracker;
import io.leeway.privoxy.spi.SmtSolver;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the solvers' artifact, if the options allow it.
 *
 * <p>The driver's jar has no solver and no text of SMT-LIB in it; it knows one interface, and whoever wants solvers
 * adds an artifact.
 */
final class Solvers {

    private static final System.Logger LOG = System.getLogger("io.leeway.privoxy.solvers");

    private Solvers() {}

    /** The stage for a policy; counterexamples are looked for only if refusals show them. */
    static SolverStage stage(PrivoxyConfig config, CompiledPolicy policy, PrivoxyMetricsTracker tracker) {
        SolverStages stages = config.get(PrivoxyOptions.SOLVER) == PrivoxyOptions.Solver.OFF ? null : Found.STAGES;
        if (stages == null) {
            return SolverStage.NONE;
        }
        // To look for an example takes much longer than to give up.
        boolean withExamples = config.get(PrivoxyOptions.EXPLAIN) == PrivoxyOptions.Explain.COUNTEREXAMPLE;
        SolverStage stage = stages.stage(policy, config.get(PrivoxyOptions.EFFORT), withExamples, tracker);
        return new RememberingSolvers(stage, System::nanoTime);
    }

    /** What a loader has, or null after a warning that says what is missing, if anything is. */
    static @Nullable SolverStages find(ClassLoader loader) {
        try {
            SolverStages found =
                    ServiceLoader.load(SolverStages.class, loader).findFirst().orElse(null);
            if (found == null) {
                warnOfSolversThatCannotBeAsked(loader);
            }
            return found;
            // Another version, or a jar that lacks another: the driver goes on without.
        } catch (ServiceConfigurationError | LinkageError fault) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The solvers cannot be used: {0}. Take privoxy-solvers in the version of privoxy-jdbc.",
                    fault.getMessage());
            return null;
        }
    }

    /** Somebody who brings a solver of his own may not know that the driver does not speak to it itself. */
    private static void warnOfSolversThatCannotBeAsked(ClassLoader loader) {
        String solvers = ServiceLoader.load(SmtSolver.class, loader).stream()
                .map(solver -> solver.type().getName())
                .collect(Collectors.joining(", "));
        if (!solvers.isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "There is a solver on the class path ({0}), but not io.leeway:privoxy-solvers, which puts the"
                            + " questions to it: add that artifact. Queries that need a solver are refused as undecided.",
                    solvers);
        }
    }

    /** Found once: the class path of a process does not change. */
    private static final class Found {
        static final @Nullable SolverStages STAGES = find(Solvers.class.getClassLoader());
    }
}
