package io.leeway.privoxy.solvers.internal.stage;

import io.leeway.privoxy.internal.cache.Pattern;
import io.leeway.privoxy.internal.cache.Premise;
import io.leeway.privoxy.internal.cache.Template;
import io.leeway.privoxy.internal.decide.Fact;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.solvers.internal.smt.Operand;
import io.leeway.privoxy.solvers.internal.smt.SmtCore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Words what a solver's proof needed as a template: the rows of the core are its premises, operands of one group are
 * one variable, or a constant where the value itself was needed, and all else may be anything. Whether the result holds
 * is for a proof of its own to show.
 *
 * <p>The step from an unsatisfiable core to a decision template (Chang, UCB/EECS-2021-244, section 3.5). There labels
 * are of whole results and of parameters; here of single rows and of single places, so that templates ask for less.
 */
final class CoreTemplate {

    private final Problem problem;
    private final SmtCore core;
    private final Map<Operand, Pattern> patterns = new HashMap<>();
    private final List<Integer> notNull = new ArrayList<>();

    private CoreTemplate(Problem problem, SmtCore core) {
        this.problem = problem;
        this.core = core;
        for (int i = 0; i < core.groups().size(); i++) {
            SmtCore.Group group = core.groups().get(i);
            Pattern pattern = group.isFixed() ? new Pattern.Constant(group.value()) : new Pattern.Variable(i);
            group.operands().forEach(operand -> patterns.put(operand, pattern));
            if (group.isNotNull() && !group.isFixed()) {
                notNull.add(i);
            }
        }
    }

    /** The template, with all parameters of the context. */
    static Template of(Problem problem, SmtCore core) {
        return new CoreTemplate(problem, core).template(problem.context().keySet());
    }

    /**
     * The same without the parameters of the context that neither the core nor a query names.
     *
     * <p>A label of a parameter of the context that is in no core says that its value does not matter; whether it has
     * to be there, only a proof without it can tell.
     */
    static Template withoutLooseContext(Problem problem, SmtCore core) {
        Set<String> needed = new TreeSet<>(problem.goal().contextNames());
        core.facts()
                .forEach(fact -> needed.addAll(problem.facts().get(fact).query().contextNames()));
        problem.context().keySet().stream()
                .filter(name -> core.groups().stream()
                        .anyMatch(group -> group.operands().contains(new Operand.ContextValue(name))))
                .forEach(needed::add);
        needed.retainAll(problem.context().keySet());
        return new CoreTemplate(problem, core).template(needed);
    }

    private Template template(Set<String> contextNames) {
        List<Pattern> arguments = IntStream.range(0, problem.arguments().size())
                .mapToObj(i -> pattern(new Operand.GoalArgument(i)))
                .toList();
        Map<String, Pattern> context = new HashMap<>();
        contextNames.forEach(name -> context.put(name, pattern(new Operand.ContextValue(name))));
        List<Premise> premises =
                new TreeSet<>(core.facts()).stream().map(this::premise).toList();
        // No comparisons: solvers are told values' order as arithmetic, of which the core does not tell which
        // comparison was used. So values stay fixed where order matters (limits.md).
        return Template.canonical(problem.goal().query(), arguments, context, premises, notNull, List.of());
    }

    private Premise premise(int number) {
        Fact fact = problem.facts().get(number);
        List<Pattern> arguments = IntStream.range(0, fact.arguments().size())
                .mapToObj(i -> pattern(new Operand.FactArgument(number, i)))
                .toList();
        List<Pattern> row = IntStream.range(0, fact.row().size())
                .mapToObj(i -> pattern(new Operand.FactCell(number, i)))
                .toList();
        return new Premise(fact.query().query(), arguments, row);
    }

    private Pattern pattern(Operand operand) {
        // In no group: the proof did without knowing anything of it.
        return patterns.getOrDefault(operand, Pattern.ANY);
    }
}
