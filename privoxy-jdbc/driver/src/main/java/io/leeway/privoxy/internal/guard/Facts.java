package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Fact;
import io.leeway.privoxy.internal.decide.Shape;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.TraceEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the rows of a trace that a decision looks at. Leaving rows out only loses proofs (spec §4.5), and long results
 * cost: so first only rows of short results and rows that share a value with the question, then all, newest first, up to
 * a bound.
 */
final class Facts {

    /** Results up to this length are taken whole (spec §10 has the same figure). */
    private static final int SHORT = 10;

    private final CompiledPolicy policy;
    private final int bound;

    Facts(CompiledPolicy policy, int bound) {
        this.policy = policy;
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
