package io.leeway.privoxy.solvers;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.Budget;
import io.leeway.privoxy.internal.decide.ChaseEngine;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Fact;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.decide.Refutation;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.View;
import io.leeway.privoxy.internal.refute.Counterexample;
import io.leeway.privoxy.internal.refute.CounterexampleCheck;
import io.leeway.privoxy.internal.refute.PlainProblem;
import io.leeway.privoxy.internal.solver.Form;
import io.leeway.privoxy.internal.solver.SolverDecision;
import io.leeway.privoxy.solvers.internal.smt.SmtBudget;
import io.leeway.privoxy.spi.Limits;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Chase, cvc5 and Z3 on the same random problems, with NULLs, unions, IN, IS NULL, orders and collations: whatever one
 * proves, none refutes. And every counterexample, whoever found it, is one when H2 runs it.
 */
class AgreementTest {

    private static final int PROBLEMS = Depth.of(30, 1_000);
    private static final SmtBudget BUDGET =
            new SmtBudget(Limits.ofEffort(60), Limits.ofEffort(60), Limits.ofEffort(60));

    private int proved;
    private int provedByChase;
    private int provedInStrongForm;
    private int strongOfThese;
    private int refuted;
    private int refutedByChase;
    private int run;

    @Test
    void whatOneProvesNoneRefutesAndCounterexamplesAreOnesWhenRun() throws SQLException {
        var draws = new Random(Seeds.seed("agreement of chase and solvers"));

        for (int i = 0; i < PROBLEMS; i++) {
            RandomProblem random = RandomProblem.draw(draws);
            compare(
                    random.problem().withFacts(random.problem().facts()),
                    random.policy(),
                    "problem " + i + ": " + random);
        }

        System.out.printf(
                "proved %d, by the chase %d; strong form by a solver %d, of these by the chase %d;"
                        + " refuted %d, by the chase %d; run by H2 %d%n",
                proved, provedByChase, provedInStrongForm, strongOfThese, refuted, refutedByChase, run);
        assertThat(provedByChase).as("proofs by the chase").isGreaterThan(PROBLEMS / 20);
        assertThat(proved).as("proofs").isGreaterThan(PROBLEMS / 10);
        assertThat(strongOfThese)
                .as("strong proofs that the chase finds too, of %d", provedInStrongForm)
                .isGreaterThan(provedInStrongForm * 7 / 10);
        assertThat(refutedByChase).as("refutations by the chase").isGreaterThan(PROBLEMS / 10);
        assertThat(refuted).as("refutations").isGreaterThan(PROBLEMS / 4);
        assertThat(run).as("counterexamples that H2 ran").isGreaterThan(refuted / 2);
    }

    private void compare(PlainProblem problem, Policy policy, String what) throws SQLException {
        CompiledPolicy compiled = CompiledPolicy.of(policy);
        ChaseEngine chase = new ChaseEngine(compiled, Budget.DEFAULT);
        Problem asked = problem(problem, compiled);
        boolean strong = chase.decide(asked).isCompliant();
        Refutation<Counterexample> refutation =
                chase.refute(asked, witness -> CounterexampleCheck.of(problem, policy, witness));
        SolverDecision cvc5 = Solvers.CVC5.decide(problem, policy, BUDGET);
        SolverDecision z3 = Solvers.Z3.decide(problem, policy, BUDGET);

        List<String> proofs = new ArrayList<>();
        List<String> refutations = new ArrayList<>();
        if (strong || refutation instanceof Refutation.Impossible) {
            proofs.add("chase");
        }
        if (refutation instanceof Refutation.Found<Counterexample> found) {
            refutations.add("chase");
            run(found.pair(), problem, policy, what);
        }
        for (SolverDecision decision : List.of(cvc5, z3)) {
            String name = decision == cvc5 ? "cvc5" : "Z3";
            if (decision instanceof SolverDecision.Compliant) {
                proofs.add(name);
            } else if (decision instanceof SolverDecision.Refuted found) {
                refutations.add(name);
                run(found.counterexample(), problem, policy, what);
            }
        }

        assertThat(proofs.isEmpty() || refutations.isEmpty())
                .as("proved by %s, refuted by %s: %s", proofs, refutations, what)
                .isTrue();
        proved += proofs.isEmpty() ? 0 : 1;
        provedByChase += proofs.contains("chase") ? 1 : 0;
        refuted += refutations.isEmpty() ? 0 : 1;
        refutedByChase += refutations.contains("chase") ? 1 : 0;
        if (Solvers.isProved(cvc5, Form.STRONG) || Solvers.isProved(z3, Form.STRONG)) {
            provedInStrongForm++;
            strongOfThese += strong ? 1 : 0;
        }
    }

    private static Problem problem(PlainProblem problem, CompiledPolicy policy) {
        List<Fact> facts = problem.facts().stream()
                .map(fact -> new Fact(policy.shape(fact.query()), fact.arguments(), fact.row()))
                .toList();
        return new Problem(policy.goal(problem.goal()), problem.arguments(), problem.context(), facts, List.of());
    }

    /** H2 takes both databases, gives what was seen and equal views on both, and the answer on the first only. */
    private void run(Counterexample example, PlainProblem problem, Policy policy, String what) throws SQLException {
        if (!example.functions().isEmpty()) {
            return;
        }
        Map<String, Value> context = new HashMap<>();
        problem.context().forEach((name, arg) -> context.put(name, value(arg)));
        List<Value> arguments = values(problem.arguments());
        try (H2World first = new H2World(policy.schema(), example.first(), context);
                H2World second = new H2World(policy.schema(), example.second(), context)) {
            for (H2World world : List.of(first, second)) {
                assertThat(world.fulfilsForeignKeys())
                        .as("foreign keys of %s, %s", example, what)
                        .isTrue();
                for (Inclusion inclusion : policy.inclusions()) {
                    assertThat(world.ask(inclusion.right(), List.of()))
                            .as("inclusion %s of %s, %s", inclusion.name(), example, what)
                            .containsAll(world.ask(inclusion.left(), List.of()));
                }
                for (PlainProblem.Fact fact : problem.facts()) {
                    assertThat(world.ask(fact.query(), values(fact.arguments())))
                            .as("what was seen in %s, %s", example, what)
                            .contains(values(fact.row()));
                }
            }
            for (View view : policy.views()) {
                assertThat(first.ask(view.query(), List.of()))
                        .as("view %s of %s, %s", view.name(), example, what)
                        .isEqualTo(second.ask(view.query(), List.of()));
            }
            assertThat(first.ask(problem.goal(), arguments))
                    .as("the answer of %s, %s", example, what)
                    .contains(example.answer());
            assertThat(second.ask(problem.goal(), arguments))
                    .as("the missing answer of %s, %s", example, what)
                    .doesNotContain(example.answer());
        }
        run++;
    }

    private static List<Value> values(List<? extends @Nullable Arg> args) {
        return args.stream().map(AgreementTest::value).toList();
    }

    private static Value value(@Nullable Arg arg) {
        return ((Arg.Known) Objects.requireNonNull(arg)).value();
    }
}
