package io.leeway.privoxy.solvers;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.solver.SolverDecision;
import io.leeway.privoxy.solvers.internal.smt.SmtBudget;
import io.leeway.privoxy.spi.Limits;
import io.leeway.testkit.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Holds both solvers, and what is made of their answers, against the definition over all small databases. */
class AgainstDefinitionTest {

    /** About two in five are refuted, and of these the solvers find nine in ten: of so many, chance takes hardly any test below three in four. */
    private static final int PROBLEMS = 240;

    private static final SmtBudget BUDGET =
            new SmtBudget(Limits.ofEffort(60), Limits.ofEffort(60), Limits.ofEffort(60));

    @Test
    void noSolverProvesWhatTwoSmallDatabasesContradict() {
        // One generator for all: those of neighbouring seeds begin alike.
        var draws = new Random(Seeds.seed("solvers against the definition"));
        int refuted = 0;
        int found = 0;
        int proved = 0;
        for (int i = 0; i < PROBLEMS; i++) {
            RandomProblem random = RandomProblem.draw(draws);

            SolverDecision cvc5 = Solvers.CVC5.decide(random.problem(), random.policy(), BUDGET);
            SolverDecision z3 = Solvers.Z3.decide(random.problem(), random.policy(), BUDGET);

            String what = "problem " + i + ": " + random;
            assertThat(Solvers.contradict(cvc5, z3) || Solvers.contradict(z3, cvc5))
                    .as("the solvers contradict each other on %s", what)
                    .isFalse();
            boolean isProved = cvc5 instanceof SolverDecision.Compliant || z3 instanceof SolverDecision.Compliant;
            assertThat(isProved && random.isRefuted())
                    .as("proved although refuted: %s", what)
                    .isFalse();
            refuted += random.isRefuted() ? 1 : 0;
            found += random.isRefuted() && (isRefuted(cvc5) || isRefuted(z3)) ? 1 : 0;
            proved += isProved ? 1 : 0;
        }
        assertThat(proved).as("problems proved").isGreaterThan(PROBLEMS / 10);
        assertThat(found).as("counterexamples found, of %d", refuted).isGreaterThan(refuted * 3 / 4);
    }

    private static boolean isRefuted(SolverDecision decision) {
        return decision instanceof SolverDecision.Refuted;
    }
}
