package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.cache.Template;
import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.ChaseEngine;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Fact;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.decide.Shape;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.AssertedRow;
import io.leeway.privoxy.internal.request.TraceEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the rows of a trace that a decision looks at. Leaving rows out only loses proofs, since a proof from fewer
 * facts is one from all, and long results cost: so first only rows of short results and rows that share a value with
 * the question, then all, newest first, up to a bound.
 *
 * <p>Stateless but for the engine; thread-safe.
 */
final class Facts {

    /**
     * Results up to this length are taken whole; of longer ones, first only the rows that share a value with the
     * question.
     */
    private static final int SHORT = 10;

    private final CompiledPolicy policy;
    private final ChaseEngine chase;
    private final int bound;

    Facts(CompiledPolicy policy, ChaseEngine chase, int bound) {
        this.policy = policy;
        this.chase = chase;
        this.bound = bound;
    }

    /** Rows of short results, and rows with a value that the question has. */
    List<Fact> nearest(List<TraceEntry> trace, Set<Value> asked) {
        return select(trace, asked);
    }

    /** As many rows as the bound allows. */
    List<Fact> all(List<TraceEntry> trace) {
        return select(trace, null);
    }

    /**
     * Whether a template is proved with assertions only.
     *
     * <p>Asked once for each template and remembered there.
     */
    boolean needsAssertions(Template template) {
        return !policy.policy().inclusions().isEmpty() && !chase.isCompliantWithoutAssertions(template.problem(policy));
    }

    /** Whether a template's goal can have an answer for these arguments. */
    boolean canBeAnswered(Template template, @Nullable Value[] arguments, Map<String, Value> context) {
        List<Arg> asked = new ArrayList<>(arguments.length);
        for (Value argument : arguments) {
            asked.add(argument == null ? new Arg.Symbol(asked.size(), false) : Arg.of(argument));
        }
        return chase.canBeAnswered(
                new Problem(policy.goal(template.goal()), asked, arguments(context), List.of(), List.of()));
    }

    /**
     * Whether the rows that a template found are such as assertions allow, each by itself. The statements of a request
     * stand on the same few rows again and again; that one does is found out once.
     */
    boolean canHold(TraceEntry[] entries, int[] rows, Map<String, Value> context) {
        for (int i = 0; i < rows.length; i++) {
            if (!canHold(entries[i], rows[i], context)) {
                return false;
            }
        }
        return true;
    }

    private boolean canHold(TraceEntry entry, int row, Map<String, Value> context) {
        Shape shape = policy.shape(entry.query());
        if (!chase.isAsserted(shape)) {
            return true;
        }
        var asked = new AssertedRow(chase.knowledge(), context, row);
        // The answer is kept with the result, and so goes as soon as that changes. Only "can hold" is kept: what cannot
        // is forgotten.
        if (entry.isKnownToHold(asked)) {
            return true;
        }
        boolean can = chase.canHold(List.of(fact(shape, entry, row)), arguments(context));
        if (can) {
            entry.holds(asked);
        }
        return can;
    }

    /** The context as a problem has it. */
    Map<String, Arg> arguments(Map<String, Value> context) {
        Map<String, Arg> parameters = new HashMap<>();
        policy.policy().context().keySet().forEach(name -> {
            Value value = context.get(name);
            // Declared and not given: a view that names it shows nothing, so it must not be there.
            if (value != null) {
                parameters.put(name, Arg.of(value));
            }
        });
        return parameters;
    }

    /** Whether {@link #nearest} left something out. */
    static boolean leftOut(List<TraceEntry> trace) {
        for (TraceEntry entry : trace) {
            if (entry.rows() > SHORT) {
                return true;
            }
        }
        return false;
    }

    private List<Fact> select(List<TraceEntry> trace, @Nullable Set<Value> asked) {
        List<Fact> facts = new ArrayList<>();
        // Newest first, as the bound cuts off the rest.
        for (int e = trace.size() - 1; e >= 0 && facts.size() < bound; e--) {
            TraceEntry entry = trace.get(e);
            Shape shape = policy.shape(entry.query());
            for (int row = 0; row < entry.rows() && facts.size() < bound; row++) {
                if (asked == null || entry.rows() <= SHORT || shares(entry, row, asked)) {
                    facts.add(fact(shape, entry, row));
                }
            }
        }
        return facts;
    }

    private static boolean shares(TraceEntry entry, int row, Set<Value> asked) {
        for (int column = 0; column < entry.width(); column++) {
            Value value = entry.cell(row, column);
            if (value != null && asked.contains(value)) {
                return true;
            }
        }
        return false;
    }

    private static Fact fact(Shape shape, TraceEntry entry, int row) {
        List<@Nullable Arg> cells = new ArrayList<>(entry.width());
        for (int column = 0; column < entry.width(); column++) {
            Value value = entry.cell(row, column);
            cells.add(value == null ? null : Arg.of(value));
        }
        return new Fact(shape, entry.arguments().stream().map(Arg::of).toList(), cells);
    }
}
