package io.leeway.privoxy.solvers;

import io.leeway.testkit.PackagedJar;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The jar as users get it; the solvers themselves stay artifacts of their own. */
class PackagedJarIT {

    @Test
    void holdsItsOwnClassesTheStageAndItsTwoSolvers() {
        PackagedJar.ofThisBuild()
                .hasClassesOnlyIn("io.leeway.privoxy.solvers")
                .hasNoModuleInfoOrVersions()
                .hasServices(Map.of(
                        "io.leeway.privoxy.internal.solver.SolverStages",
                        List.of("io.leeway.privoxy.solvers.internal.stage.PortfolioStages"),
                        "io.leeway.privoxy.spi.SmtSolver",
                        List.of(Cvc5Solver.class.getName(), Z3Solver.class.getName())))
                .isSmallerThan(200_000);
    }
}
