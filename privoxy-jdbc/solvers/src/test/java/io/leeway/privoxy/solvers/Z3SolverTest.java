package io.leeway.privoxy.solvers;

import io.leeway.privoxy.spi.SmtSolver;

class Z3SolverTest extends SolverContract {

    @Override
    SmtSolver solver() {
        return new Z3Solver();
    }
}
