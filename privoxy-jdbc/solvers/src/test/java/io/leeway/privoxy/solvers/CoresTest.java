package io.leeway.privoxy.solvers;

import static io.leeway.privoxy.solvers.Sketch.arg;
import static io.leeway.privoxy.solvers.Sketch.me;
import static io.leeway.privoxy.solvers.Sketch.parameter;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.refute.PlainProblem;
import io.leeway.privoxy.internal.solver.Form;
import io.leeway.privoxy.internal.solver.SolverDecision;
import io.leeway.privoxy.solvers.internal.smt.Operand;
import io.leeway.privoxy.solvers.internal.smt.SmtBudget;
import io.leeway.privoxy.solvers.internal.smt.SmtCore;
import io.leeway.privoxy.solvers.internal.smt.SmtDecider;
import io.leeway.privoxy.spi.Limits;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoresTest {

    private static final Limits STEP = Limits.ofEffort(60);
    private static final SmtBudget QUICK = new SmtBudget(STEP, STEP, null);

    private final Sketch calendar = DecisionsTest.calendar();

    @ParameterizedTest
    @ValueSource(strings = {"cvc5", "z3"})
    void aTemplateOfTheSeedsExampleNamesNoUserAndNoEvent(String solver) {
        SmtDecider decider = new SmtDecider(Solvers.portfolio(solver));
        PlainProblem problem = problem(title(), ownRow(true), attendance(2, 42));

        SmtCore core = core(decider, problem);

        assertThat(core.facts()).containsExactly(1);
        assertThat(core.groups())
                .containsExactlyInAnyOrder(
                        new SmtCore.Group(
                                Set.of(new Operand.ContextValue("Me"), new Operand.FactArgument(1, 0)),
                                Value.of(2),
                                false,
                                false),
                        new SmtCore.Group(
                                Set.of(new Operand.GoalArgument(0), new Operand.FactArgument(1, 1)),
                                Value.of(42),
                                false,
                                false));
    }

    @Test
    void aConstantThatTheProofNeedsStaysFixed() {
        PlainProblem problem = problem(title(), ownRow(true), attendance(3, 42));

        SmtCore core = core(Solvers.BOTH, problem);

        assertThat(core.facts()).containsExactlyInAnyOrder(0, 1);
        assertThat(core.groups())
                .contains(new SmtCore.Group(Set.of(new Operand.FactCell(0, 1)), Value.TRUE, true, true))
                .noneMatch(group -> group.isFixed() && !group.value().equals(Value.TRUE));
    }

    @Test
    void aCellThatMustNotBeNullIsNotFixedForThat() {
        Sketch notes = new Sketch()
                .table("notes", "id! key", "owner")
                .table("owners", "id! key", "name text")
                .foreignKey("notes.owner", "owners.id");
        notes.view(
                "owners of notes",
                notes.query("notes n", "owners o").where("n.owner", "=", "o.id").select("n.id", "o.id", "o.name"));
        ConjunctiveQuery seen =
                notes.query("notes n").where("n.id", "=", parameter(0)).select("n.owner");
        ConjunctiveQuery goal =
                notes.query("owners o").where("o.id", "=", parameter(0)).select("o.name");
        PlainProblem problem = PlainProblem.of(
                UnionQuery.of(goal),
                List.of(arg(7)),
                Map.of("Me", arg(2)),
                List.of(new PlainProblem.Fact(seen, List.of(arg(1)), List.of(arg(7)))));

        SmtCore core = Solvers.BOTH
                .core(problem, notes.policy(), Form.STRONG, Solvers.LIMITS)
                .orElseThrow();

        assertThat(core.groups())
                .noneMatch(SmtCore.Group::isFixed)
                .anyMatch(group ->
                        group.operands().equals(Set.of(new Operand.GoalArgument(0), new Operand.FactCell(0, 0))));
    }

    @Test
    void whatCannotBeProvedHasNoCore() {
        Optional<SmtCore> core = Solvers.BOTH.core(problem(title()), calendar.policy(), Form.STRONG, Solvers.LIMITS);

        assertThat(core).isEmpty();
    }

    @Test
    void whatACoreLeavesOutIsNotNeeded() {
        var draws = new Random(Seeds.seed("cores"));
        int cores = 0;
        for (int i = 0; i < 120; i++) {
            RandomProblem random = RandomProblem.draw(draws);
            PlainProblem problem = random.problem();
            for (Form form : Form.values()) {
                Optional<SmtCore> core = Solvers.BOTH.core(problem, random.policy(), form, STEP);
                // A core is asked for where there is a proof, which there is not of what has no answer.
                if (core.isPresent()
                        && Solvers.BOTH.decide(problem, random.policy(), QUICK) instanceof SolverDecision.Compliant) {
                    PlainProblem symbolic = new Symbols(problem, core.get()).problem();
                    SolverDecision decision = Solvers.BOTH.decide(symbolic, random.policy(), Solvers.BUDGET);
                    assertThat(decision)
                            .as("%s of problem %d: %s", core.get(), i, random)
                            .isInstanceOf(SolverDecision.Compliant.class);
                    cores++;
                }
            }
        }
        assertThat(cores).isPositive();
    }

    private SmtCore core(SmtDecider decider, PlainProblem problem) {
        return decider.core(problem, calendar.policy(), Form.STRONG, Solvers.LIMITS)
                .orElseThrow();
    }

    private ConjunctiveQuery title() {
        return calendar.query("events e").where("e.eid", "=", parameter(0)).select("e.title");
    }

    private PlainProblem problem(ConjunctiveQuery goal, PlainProblem.Fact... facts) {
        return PlainProblem.of(UnionQuery.of(goal), List.of(arg(42)), Map.of("Me", arg(2)), List.of(facts));
    }

    private PlainProblem.Fact ownRow(boolean admin) {
        ConjunctiveQuery query =
                calendar.query("users u").where("u.uid", "=", me()).select("u.uid", "u.admin");
        return new PlainProblem.Fact(query, List.of(), List.of(arg(2), arg(admin)));
    }

    private PlainProblem.Fact attendance(long user, long event) {
        ConjunctiveQuery query = calendar.query("attendances a")
                .where("a.uid", "=", parameter(0))
                .where("a.eid", "=", parameter(1))
                .select("a.uid", "a.eid");
        return new PlainProblem.Fact(query, List.of(arg(user), arg(event)), List.of(arg(user), arg(event)));
    }

    /** The problem with a symbol for everything that the core does not fix, and without the facts it does not name. */
    private static final class Symbols {

        private final PlainProblem problem;
        private final SmtCore core;
        private int next;

        Symbols(PlainProblem problem, SmtCore core) {
            this.problem = problem;
            this.core = core;
            this.next = core.groups().size();
        }

        PlainProblem problem() {
            List<PlainProblem.Fact> facts = new ArrayList<>();
            for (int fact : core.facts()) {
                facts.add(fact(fact));
            }
            List<Arg> arguments = new ArrayList<>();
            for (int i = 0; i < problem.arguments().size(); i++) {
                arguments.add(symbol(new Operand.GoalArgument(i)));
            }
            Map<String, Arg> context = Map.of("Me", symbol(new Operand.ContextValue("Me")));
            return PlainProblem.of(problem.goal(), arguments, context, facts);
        }

        private PlainProblem.Fact fact(int number) {
            PlainProblem.Fact fact = problem.facts().get(number);
            List<Arg> arguments = new ArrayList<>();
            for (int i = 0; i < fact.arguments().size(); i++) {
                arguments.add(symbol(new Operand.FactArgument(number, i)));
            }
            List<@Nullable Arg> row = new ArrayList<>();
            for (int i = 0; i < fact.row().size(); i++) {
                row.add(symbol(new Operand.FactCell(number, i)));
            }
            return new PlainProblem.Fact(fact.query(), arguments, row);
        }

        private Arg symbol(Operand operand) {
            for (int i = 0; i < core.groups().size(); i++) {
                SmtCore.Group group = core.groups().get(i);
                if (group.operands().contains(operand)) {
                    return group.isFixed() ? Arg.of(group.value()) : new Arg.Symbol(i, group.isNotNull());
                }
            }
            return new Arg.Symbol(next++, false);
        }
    }
}
