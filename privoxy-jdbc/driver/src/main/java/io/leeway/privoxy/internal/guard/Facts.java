package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.cache.Template;
import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.ChaseEngine;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Fact;
import io.leeway.privoxy.internal.decide.Shape;
import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.Combination;
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
        return !chase.isCompliantWithoutAssertions(template.problem(policy));
    }

    /**
     * Whether the rows that a template found can hold together. The statements of a request stand on the same few rows
     * again and again; that these can is found out once.
     */
    boolean canHold(TraceEntry[] entries, int[] rows, Map<String, Value> context, boolean withAssertions) {
        if (!withAssertions && !chase.relatesTables() && !haveATableInCommon(entries)) {
            return true;
        }
        Combination combination = new Combination(chase.knowledge(), context, entries, rows);
        // The answer is kept with the first result, and so goes as soon as that changes. Only "can hold" is kept: what
        // cannot is forgotten.
        if (entries[0].isKnownToHold(combination)) {
            return true;
        }
        List<Fact> facts = new ArrayList<>(rows.length);
        for (int i = 0; i < rows.length; i++) {
            facts.add(fact(policy.shape(entries[i].query()), entries[i], rows[i]));
        }
        boolean can = chase.canHold(facts, arguments(context));
        if (can) {
            entries[0].holds(combination);
        }
        return can;
    }

    private static boolean haveATableInCommon(TraceEntry[] entries) {
        for (int i = 1; i < entries.length; i++) {
            for (Atom atom : entries[i].query().atoms()) {
                for (int j = 0; j < i; j++) {
                    for (Atom other : entries[j].query().atoms()) {
                        if (atom.table().equals(other.table())) {
                            return true;
                        }
                    }
                }
            }
        }
        return false;
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

    /**
     * What is still believed of results that cannot all be true: the newest of several, nothing of one.
     *
     * <p>Not one by one from the oldest: so two more tests are the most that there are.
     */
    static List<TraceEntry> less(List<TraceEntry> contradictory) {
        int size = contradictory.size();
        return size > 1 ? contradictory.subList(size - 1, size) : List.of();
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
