package io.leeway.privoxy.solvers;

import io.leeway.privoxy.spi.SmtSolver;

class Cvc5SolverTest extends SolverContract {

    @Override
    SmtSolver solver() {
        return new Cvc5Solver();
    }
}
