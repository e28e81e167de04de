package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.Assumption;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Fact;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.model.UnionQuery;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A decision template: <em>whenever</em> a request's context and trace have values, one for each variable, that fit the
 * patterns and fulfil the demands, <em>then</em> the goal is compliant.
 *
 * <p>A template is a statement about symbols, hence itself a decision problem ({@link #problem}); it is true if that
 * problem is compliant. Equal templates are equal records: variables are numbered in the order of first occurrence
 * (arguments, context, premises), and a variable that says nothing is {@link Pattern#ANY}.
 *
 * <p>In the dissertation's figure the premises stand above a line and the query below (Chang, UCB/EECS-2021-244,
 * section 3.5). Rows are premises there as here; that a row is absent is no premise, as nothing is proved from absence.
 *
 * @param goal what may be asked
 * @param arguments of the goal
 * @param context parameters that the request must have
 * @param premises what it must have seen
 * @param notNull variables whose value must not be null, in order
 * @param comparisons demanded in addition
 */
public record Template(
        UnionQuery goal,
        List<Pattern> arguments,
        SortedMap<String, Pattern> context,
        List<Premise> premises,
        List<Integer> notNull,
        List<PatternComparison> comparisons) {

    public Template {
        arguments = List.copyOf(arguments);
        context = Collections.unmodifiableSortedMap(new TreeMap<>(context));
        premises = List.copyOf(premises);
        notNull = List.copyOf(notNull);
        comparisons = List.copyOf(comparisons);
    }

    /** The template in canonical form; variables may be numbered at will, and premises may be there twice. */
    public static Template canonical(
            UnionQuery goal,
            List<Pattern> arguments,
            Map<String, Pattern> context,
            List<Premise> premises,
            List<Integer> notNull,
            List<PatternComparison> comparisons) {
        Template raw = new Template(goal, arguments, new TreeMap<>(context), premises, notNull, comparisons);
        int before;
        do { // A variable that says nothing makes premises equal, and where one of them goes another says nothing.
            before = raw.premises.size();
            // Ends, since each round that changes something has fewer premises.
            raw = new Canonicaliser(raw.withoutTwins()).canonical();
        } while (raw.withoutTwins().premises.size() < before);
        return raw;
    }

    private Template withoutTwins() {
        List<Premise> distinct = premises.stream().distinct().toList();
        return new Template(goal, arguments, context, distinct, notNull, comparisons);
    }

    /** Number of variables. */
    public int variables() {
        int[] highest = {-1};
        patterns().forEach(pattern -> {
            if (pattern instanceof Pattern.Variable variable) {
                highest[0] = Math.max(highest[0], variable.index());
            }
        });
        return highest[0] + 1;
    }

    /** All patterns in canonical order. */
    List<Pattern> patterns() {
        List<Pattern> all = new ArrayList<>(arguments);
        all.addAll(context.values());
        for (Premise premise : premises) {
            all.addAll(premise.arguments());
            all.addAll(premise.row());
        }
        return all;
    }

    /**
     * Names the template by its content, the same at all times and places.
     *
     * <p>Twelve digits are for people and for files; the store compares whole templates.
     */
    public String id() {
        return StableHash.of(this).substring(0, 12);
    }

    /** The decision problem that the template stands for: it holds if this is compliant. */
    public Problem problem(CompiledPolicy policy) {
        Symbols symbols = new Symbols();
        Map<String, Arg> parameters = new HashMap<>();
        context.forEach((name, pattern) -> parameters.put(name, symbols.arg(pattern)));
        List<Fact> facts = new ArrayList<>();
        for (Premise premise : premises) {
            facts.add(new Fact(
                    policy.shape(premise.query()), symbols.args(premise.arguments()), symbols.cells(premise.row())));
        }
        List<Assumption> assumptions = new ArrayList<>();
        for (PatternComparison comparison : comparisons) {
            assumptions.add(new Assumption(
                    comparison.operator(), symbols.arg(comparison.left()), symbols.arg(comparison.right())));
        }
        return new Problem(policy.goal(goal), symbols.args(arguments), parameters, facts, assumptions);
    }

    /** Shows values; for tests and for people who may see the policy file. */
    @Override
    public String toString() {
        return "template[" + goal + " " + arguments + " " + context + " " + premises + " notNull " + notNull + " "
                + comparisons + "]";
    }

    /** Turns patterns into arguments; each ANY is a symbol of its own. */
    private final class Symbols {

        private int next = variables();

        Arg arg(Pattern pattern) {
            if (pattern instanceof Pattern.Constant constant) {
                return Arg.of(constant.value());
            }
            if (pattern instanceof Pattern.Variable variable) {
                return new Arg.Symbol(variable.index(), notNull.contains(variable.index()));
            }
            // It may be NULL: a request whose value is unknown may have NULL there (UnreadParametersIT).
            return new Arg.Symbol(next++, false);
        }

        List<Arg> args(List<Pattern> patterns) {
            List<Arg> args = new ArrayList<>(patterns.size());
            for (Pattern pattern : patterns) {
                args.add(arg(pattern));
            }
            return args;
        }

        List<@Nullable Arg> cells(List<Pattern> patterns) {
            List<@Nullable Arg> cells = new ArrayList<>(patterns.size());
            for (Pattern pattern : patterns) {
                // A cell of which nothing is said is an unknown of its own.
                cells.add(pattern instanceof Pattern.Any ? null : arg(pattern));
            }
            return cells;
        }
    }
}
