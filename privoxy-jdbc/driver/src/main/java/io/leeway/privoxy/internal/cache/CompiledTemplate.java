package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.RowIndex;
import io.leeway.privoxy.internal.request.TraceEntry;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A template as a small program that looks for values of its variables in a request.
 *
 * <p>Arguments and context come first; then the premises, each time the one with most places already bound. For a
 * premise every entry of its query is tried, and every row of those whose arguments fit; entries with many rows are
 * looked up through an index on a bound cell. Where a premise binds nothing that is used later, its first fitting row
 * is as good as any other, so the search does not come back to it.
 *
 * <p>Cost: one small array; no look-up beyond one per context parameter and one per premise. Thread-safe.
 */
final class CompiledTemplate {

    /**
     * From this many rows on an index is used.
     *
     * <p>An index is built with the first search in a result, which for a few rows costs more than to look at all of
     * them.
     */
    private static final int MANY_ROWS = 9;

    private final Template template;
    private final int variables;
    private final Check[] arguments;
    private final String[] contextNames;
    private final Check[] context;
    private final Demand[] demands;
    private final Step[] steps;
    /**
     * Found out when it first matters.
     *
     * <p>It takes a proof or two, and most templates are never matched with rows for which it matters.
     */
    private volatile @Nullable Boolean needsAssertions;

    /**
     * A comparison, tested as soon as both sides are bound.
     *
     * <p>Where the order of two values is not known a comparison does not hold, so a template never takes a request by
     * a comparison that the database may see otherwise.
     */
    private record Demand(PatternComparison comparison) {

        boolean holds(Value[] bindings) {
            return comparison.holds(value(comparison.left(), bindings), value(comparison.right(), bindings));
        }

        private static Value value(Pattern pattern, Value[] bindings) {
            return pattern instanceof Pattern.Constant constant
                    ? constant.value()
                    : bindings[((Pattern.Variable) pattern).index()];
        }
    }

    /**
     * A premise.
     *
     * @param demands tested after it
     * @param otherwise where to go on when what follows fails: only where something else would be bound
     */
    @SuppressWarnings("ArrayRecordComponent") // a program; never compared as a whole
    private record Step(
            ConjunctiveQuery query,
            int argumentCount,
            Check[] arguments,
            Check[] cells,
            Demand[] demands,
            Outcome otherwise) {}

    CompiledTemplate(Template template, CompiledPolicy policy) {
        this.template = template;
        this.variables = template.variables();
        BitSet bound = new BitSet();
        List<PatternComparison> waiting = new ArrayList<>(template.comparisons());
        this.arguments = Check.of(template.arguments(), template, bound);
        this.contextNames = template.context().keySet().toArray(String[]::new);
        // A parameter of the context has to be there even if nothing is asked of its value: a view that names a
        // missing one shows nothing.
        this.context = Check.of(List.copyOf(template.context().values()), template, bound);
        this.demands = ready(waiting, bound);
        List<Step> program = new ArrayList<>();
        List<Premise> open = new ArrayList<>(template.premises());
        while (!open.isEmpty()) {
            Premise next = mostBound(open, bound);
            open.remove(next);
            program.add(step(next, policy, bound, waiting));
        }
        this.steps = program.toArray(Step[]::new);
    }

    private Step step(Premise premise, CompiledPolicy policy, BitSet bound, List<PatternComparison> waiting) {
        int before = bound.cardinality();
        Check[] argumentChecks = Check.of(premise.arguments(), template, bound);
        int between = bound.cardinality();
        Check[] cellChecks = Check.of(premise.row(), template, bound);
        // Computed here once: if a row bound nothing that later steps read, another row of the same result fails
        // just so, and the search need not come back. Without it a template with three premises over long results
        // takes time with their product.
        Outcome otherwise = bound.cardinality() > between
                ? Outcome.NEXT_ROW
                : between > before ? Outcome.NEXT_ENTRY : Outcome.DEAD_END;
        ConjunctiveQuery interned = policy.shape(premise.query()).query();
        return new Step(
                interned, premise.arguments().size(), argumentChecks, cellChecks, ready(waiting, bound), otherwise);
    }

    /** As early as both sides are bound, since a demand that fails late has cost the search before it. */
    private static Demand[] ready(List<PatternComparison> waiting, BitSet bound) {
        List<Demand> ready = new ArrayList<>();
        waiting.removeIf(comparison -> isFixed(comparison.left(), bound)
                && isFixed(comparison.right(), bound)
                && ready.add(new Demand(comparison)));
        return ready.toArray(Demand[]::new);
    }

    private static Premise mostBound(List<Premise> open, BitSet bound) {
        Premise best = open.get(0);
        int most = -1;
        for (Premise premise : open) {
            // Arguments count double, as they choose among results, cells among rows of one.
            int score = 2 * fixed(premise.arguments(), bound) + fixed(premise.row(), bound);
            if (score > most) {
                most = score;
                best = premise;
            }
        }
        return best;
    }

    private static int fixed(List<Pattern> patterns, BitSet bound) {
        return (int)
                patterns.stream().filter(pattern -> isFixed(pattern, bound)).count();
    }

    private static boolean isFixed(Pattern pattern, BitSet bound) {
        return pattern instanceof Pattern.Constant
                || (pattern instanceof Pattern.Variable variable && bound.get(variable.index()));
    }

    Template template() {
        return template;
    }

    /**
     * Whether the request fits.
     *
     * @param values arguments of the goal, null where one is unknown
     * @param parameters the request's context
     * @param trace what it has seen
     */
    boolean matches(@Nullable Value[] values, Map<String, Value> parameters, TraceView trace) {
        return matches(values, parameters, trace, PremiseCheck.NONE);
    }

    /**
     * The same with a check of the rows that were found for the premises.
     *
     * <p>The rows that fit must be able to hold together: the template's proof assumed that there is a database that
     * has them. Two results that contradict each other are no such database, and by them a template would accept what
     * no policy shows ({@code StateCasesIT}).
     */
    boolean matches(@Nullable Value[] values, Map<String, Value> parameters, TraceView trace, PremiseCheck grounds) {
        // A file may hold a template of a query whose text has another number of parameters by now.
        if (values.length != template.arguments().size()) {
            return false;
        }
        Value[] bindings = new Value[variables];
        for (Check check : arguments) {
            if (!check.accept(values[check.position], bindings)) {
                return false;
            }
        }
        return fitsContext(parameters, bindings)
                && hold(demands, bindings)
                && (steps.length == 0 || new Search(bindings, trace, grounds).from(0))
                && (!needsAssertions(grounds) || grounds.canBeAnswered(template, values));
    }

    private boolean needsAssertions(PremiseCheck grounds) {
        Boolean known = needsAssertions;
        if (known == null) {
            known = grounds.needsAssertions(template);
            needsAssertions = known;
        }
        return known;
    }

    private boolean fitsContext(Map<String, Value> parameters, Value[] bindings) {
        for (Check check : context) {
            if (!check.accept(parameters.get(contextNames[check.position]), bindings)) {
                return false;
            }
        }
        // Parameters of which only the presence matters have no check.
        return contextNames.length == context.length || hasAll(parameters);
    }

    private boolean hasAll(Map<String, Value> parameters) {
        for (String name : contextNames) {
            if (!parameters.containsKey(name)) {
                return false;
            }
        }
        return true;
    }

    private static boolean hold(Demand[] demands, Value[] bindings) {
        for (Demand demand : demands) {
            if (!demand.holds(bindings)) {
                return false;
            }
        }
        return true;
    }

    private static boolean fits(Step step, List<Value> values, Value[] bindings) {
        if (values.size() != step.argumentCount) {
            return false;
        }
        for (Check check : step.arguments) {
            if (!check.accept(values.get(check.position), bindings)) {
                return false;
            }
        }
        return true;
    }

    /** How the attempt with a row ended. */
    private enum Outcome {
        MATCH,
        /** Another row may do better. */
        NEXT_ROW,
        /** No other row of this entry will do better. */
        NEXT_ENTRY,
        /** Nothing that this premise can be matched with will do better. */
        DEAD_END
    }

    /** The search for rows that fit the premises. */
    private final class Search {
        private final Value[] bindings;
        private final TraceView trace;
        private final PremiseCheck grounds;
        private final TraceEntry[] entries = new TraceEntry[steps.length];
        private final int[] found = new int[steps.length];

        Search(Value[] bindings, TraceView trace, PremiseCheck grounds) {
            this.bindings = bindings;
            this.trace = trace;
            this.grounds = grounds;
        }

        boolean from(int position) {
            if (position == steps.length) {
                return canHold();
            }
            Step step = steps[position];
            // Results of just this query: a premise is about what was asked, and another query may say less of the
            // same row.
            List<TraceEntry> known = trace.entriesOf(step.query);
            for (int i = 0; i < known.size(); i++) {
                TraceEntry entry = known.get(i);
                // A result without rows says nothing that a premise could use.
                if (entry.rows() > 0 && fits(step, entry.arguments(), bindings)) {
                    Outcome outcome = rows(position, entry);
                    if (outcome != Outcome.NEXT_ENTRY) {
                        return outcome == Outcome.MATCH;
                    }
                }
            }
            return false;
        }

        /** A row that was read can break an assertion. With another one it need not agree, as it is of another moment. */
        private boolean canHold() {
            return !needsAssertions(grounds) || grounds.canHold(entries, found);
        }

        /** An index where the first check compares: which row fits is then known without looking at the others. */
        private Outcome rows(int position, TraceEntry entry) {
            Check[] cells = steps[position].cells;
            Outcome outcome = Outcome.NEXT_ROW;
            if (entry.rows() >= MANY_ROWS && cells.length > 0 && cells[0].compares()) {
                RowIndex index = entry.index(cells[0].position);
                int row = index.first(cells[0].expected(bindings));
                for (; row >= 0 && outcome == Outcome.NEXT_ROW; row = index.next(row)) {
                    outcome = row(position, entry, row);
                }
            } else {
                for (int row = 0; row < entry.rows() && outcome == Outcome.NEXT_ROW; row++) {
                    outcome = row(position, entry, row);
                }
            }
            return outcome == Outcome.NEXT_ROW ? Outcome.NEXT_ENTRY : outcome;
        }

        /** The row is noted for the check of the premises, which wants to know by which rows they were fulfilled. */
        private Outcome row(int position, TraceEntry entry, int row) {
            Step step = steps[position];
            for (Check check : step.cells) {
                if (!check.accept(entry.cell(row, check.position), bindings)) {
                    return Outcome.NEXT_ROW;
                }
            }
            entries[position] = entry;
            found[position] = row;
            if (hold(step.demands, bindings) && from(position + 1)) {
                return Outcome.MATCH;
            }
            return step.otherwise;
        }
    }
}
