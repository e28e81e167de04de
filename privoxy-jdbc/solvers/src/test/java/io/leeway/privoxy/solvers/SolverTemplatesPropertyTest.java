package io.leeway.privoxy.solvers;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.cache.Pattern;
import io.leeway.privoxy.internal.cache.Template;
import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Fact;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.refute.PlainProblem;
import io.leeway.privoxy.internal.solver.Form;
import io.leeway.privoxy.internal.solver.SolverDecision;
import io.leeway.privoxy.solvers.internal.stage.SolverTemplates;
import io.leeway.privoxy.spi.Limits;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Templates that solvers make of random problems, filled with other values: whatever such a template accepts, a fresh
 * decision does not refute, and no two tiny databases contradict.
 */
class SolverTemplatesPropertyTest {

    private static final int PROBLEMS = Depth.of(20, 400);
    private static final int FILLINGS = 6;
    private static final Limits STEP = Limits.ofEffort(60);

    private int templates;
    private int accepted;
    private int provedAgain;

    @Test
    void acceptOnlyWhatAFreshDecisionAccepts() {
        var random = new Random(Seeds.seed("templates of solvers"));
        for (int i = 0; i < PROBLEMS; i++) {
            RandomProblem drawn = RandomProblem.draw(random);
            CompiledPolicy policy = CompiledPolicy.of(drawn.policy());
            Problem problem = problem(drawn.problem(), policy);
            SolverTemplates maker = new SolverTemplates(policy, Solvers.BOTH, STEP);
            for (Form form : Form.values()) {
                Template template = maker.generalise(problem, form);
                if (template != null) {
                    templates++;
                    for (int f = 0; f < FILLINGS; f++) {
                        accepts(template, policy, drawn, random);
                    }
                }
            }
        }

        System.out.printf("%d templates accept %d problems, %d proved again%n", templates, accepted, provedAgain);
        assertThat(templates).as("templates").isGreaterThan(PROBLEMS / 10);
        assertThat(provedAgain).as("proofs of what is accepted").isGreaterThan(accepted * 9 / 10);
    }

    private void accepts(Template template, CompiledPolicy policy, RandomProblem drawn, Random random) {
        Filling filling = new Filling(template, random);
        Problem filled = filling.problem(policy);
        String what = template + " filled as " + filled + " under " + drawn;
        accepted++;

        SolverDecision fresh = Solvers.BOTH.decide(PlainProblem.of(filled), drawn.policy(), Solvers.BUDGET);
        assertThat(fresh).as(what).isNotInstanceOf(SolverDecision.Refuted.class);
        provedAgain += fresh instanceof SolverDecision.Compliant ? 1 : 0;

        Map<String, Value> context = new HashMap<>();
        filled.context().forEach((name, arg) -> context.put(name, value(arg)));
        List<TinyWorld> worlds = new ArrayList<>(new Worlds(drawn.policy()).all());
        for (Fact fact : filled.facts()) {
            worlds.removeIf(
                    world -> world.ask(UnionQuery.of(fact.query().query()), values(fact.arguments()), context).stream()
                            .noneMatch(row -> fits(row, fact.row())));
        }
        assertThat(Worlds.isCompliant(
                        worlds, drawn.policy(), context, filled.goal().query(), values(filled.arguments())))
                .as("by definition: %s", what)
                .isTrue();
    }

    private static boolean fits(List<Value> row, List<@Nullable Arg> cells) {
        for (int i = 0; i < cells.size(); i++) {
            Arg cell = cells.get(i);
            if (cell != null && !value(cell).equals(row.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static Problem problem(PlainProblem problem, CompiledPolicy policy) {
        List<Fact> facts = problem.facts().stream()
                .map(fact -> new Fact(policy.shape(fact.query()), fact.arguments(), fact.row()))
                .toList();
        return new Problem(policy.goal(problem.goal()), problem.arguments(), problem.context(), facts, List.of());
    }

    private static List<Value> values(List<Arg> args) {
        return args.stream().map(SolverTemplatesPropertyTest::value).toList();
    }

    private static Value value(Arg arg) {
        return ((Arg.Known) arg).value();
    }

    /** A problem that fits a template: the same value wherever the same variable stands. */
    private static final class Filling {

        private final Template template;
        private final Random random;
        private final Map<Integer, Value> variables = new HashMap<>();

        Filling(Template template, Random random) {
            this.template = template;
            this.random = random;
        }

        Problem problem(CompiledPolicy policy) {
            Map<String, Arg> context = new HashMap<>();
            template.context().forEach((name, pattern) -> context.put(name, arg(pattern)));
            // A parameter that the template does not ask for may have any value.
            context.putIfAbsent("Me", Arg.of(any(true)));
            List<Fact> facts = template.premises().stream()
                    .map(premise ->
                            new Fact(policy.shape(premise.query()), args(premise.arguments()), cells(premise.row())))
                    .toList();
            return new Problem(policy.goal(template.goal()), args(template.arguments()), context, facts, List.of());
        }

        private List<Arg> args(List<Pattern> patterns) {
            return patterns.stream().map(this::arg).toList();
        }

        private List<@Nullable Arg> cells(List<Pattern> patterns) {
            List<@Nullable Arg> cells = new ArrayList<>();
            patterns.forEach(pattern -> cells.add(pattern instanceof Pattern.Any ? null : arg(pattern)));
            return cells;
        }

        private Arg arg(Pattern pattern) {
            if (pattern instanceof Pattern.Constant constant) {
                return Arg.of(constant.value());
            }
            if (pattern instanceof Pattern.Variable variable) {
                variables.computeIfAbsent(
                        variable.index(), index -> any(template.notNull().contains(index)));
                return Arg.of(Objects.requireNonNull(variables.get(variable.index())));
            }
            return Arg.of(any(false));
        }

        private Value any(boolean notNull) {
            return !notNull && random.nextInt(6) == 0 ? Value.NULL : Value.of(random.nextInt(2));
        }
    }
}
