package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.internal.guard.Trial;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.request.TraceEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Drafts views that may answer a refused question, the one that shows least first. What is equal to a parameter of the
 * request becomes that parameter. A value that an earlier row showed becomes a join with that row; any other value that
 * names a row becomes a column that the view returns, so that it shows the rows of all such values. Only guesses: each
 * has to be tried.
 */
final class Drafter {

    private final Schema schema;

    Drafter(Schema schema) {
        this.schema = schema;
    }

    /** Drafts for one part of a question. */
    List<ConjunctiveQuery> drafts(ConjunctiveQuery asked, Trial.Answer answer) {
        List<ConjunctiveQuery> drafts = new ArrayList<>();
        Draft own = draft(asked, answer, null);
        if (own.isPersonal()) {
            drafts.add(own.query());
        }
        List<TraceEntry> known = answer.known();
        for (int i = known.size() - 1; i >= 0; i--) {
            Draft joined = draft(asked, answer, known.get(i));
            if (joined.isPersonal() && !drafts.contains(joined.query())) {
                drafts.add(joined.query());
            }
        }
        if (!drafts.contains(own.query())) {
            drafts.add(own.query());
        }
        return drafts;
    }

    private Draft draft(ConjunctiveQuery asked, Trial.Answer answer, @Nullable TraceEntry entry) {
        Draft draft = Draft.of(asked);
        asked.head().forEach(draft::show);
        for (Condition condition : asked.conditions()) {
            take(draft, condition, asked, answer.arguments(), answer.context(), 0, entry);
        }
        return draft;
    }

    /** Takes over a condition, or shows what it asks for if it cannot be part of a view. */
    private void take(
            Draft draft,
            Condition condition,
            ConjunctiveQuery query,
            List<Value> arguments,
            Map<String, Value> context,
            int offset,
            @Nullable TraceEntry entry) {
        if (condition instanceof Condition.Comparison comparison && comparison.operator() == Condition.Operator.EQUAL) {
            Term left = comparison.left() instanceof Term.Parameter ? comparison.right() : comparison.left();
            Term right = comparison.left() instanceof Term.Parameter ? comparison.left() : comparison.right();
            if (bare(left) instanceof Term.Variable column && bare(right) instanceof Term.Parameter parameter) {
                equal(draft, moved(column, offset), query, column, arguments.get(parameter.index()), context, entry);
                return;
            }
        }
        var mentioned = new Mentioned();
        Substitution.condition(condition, mentioned);
        if (mentioned.isPlain) {
            draft.require(Substitution.condition(condition, term -> moved(term, offset)));
        } else {
            mentioned.columns.forEach(column -> draft.show(moved(column, offset)));
        }
    }

    /** A column is asked to have a value. */
    private void equal(
            Draft draft,
            Term column,
            ConjunctiveQuery query,
            Term.Variable original,
            Value value,
            Map<String, Value> context,
            @Nullable TraceEntry entry) {
        boolean namesRows = Columns.isInAnyKey(query, original.index(), schema);
        String parameter = name(value, context);
        if (parameter != null && namesRows) {
            draft.require(equal(column, new Term.Context(parameter)));
        } else if (!namesRows && isConstant(value)) {
            draft.require(equal(column, new Term.Constant(value)));
        } else {
            draft.show(column);
            if (entry != null) {
                join(draft, column, value, entry, context);
            }
        }
    }

    /** Joins the rows of an earlier query that showed the value. */
    private void join(Draft draft, Term column, Value value, TraceEntry entry, Map<String, Value> context) {
        ConjunctiveQuery earlier = entry.query();
        for (int row = 0; row < entry.rows(); row++) {
            for (int cell = 0; cell < entry.width(); cell++) {
                if (value.equals(entry.cell(row, cell))
                        && earlier.head().get(cell) instanceof Term.Variable shown
                        && Columns.isInAnyKey(earlier, shown.index(), schema)) {
                    int offset = draft.join(earlier);
                    draft.require(equal(column, moved(shown, offset)));
                    for (Condition condition : earlier.conditions()) {
                        take(draft, condition, earlier, entry.arguments(), context, offset, null);
                    }
                    who(draft, entry, row, context, offset);
                    return;
                }
            }
        }
    }

    /** Columns of the earlier row that say who asks. */
    private void who(Draft draft, TraceEntry entry, int row, Map<String, Value> context, int offset) {
        for (int cell = 0; cell < entry.width(); cell++) {
            Value value = entry.cell(row, cell);
            String parameter = value == null ? null : name(value, context);
            if (parameter != null
                    && entry.query().head().get(cell) instanceof Term.Variable shown
                    && Columns.isInAnyKey(entry.query(), shown.index(), schema)) {
                draft.require(equal(moved(shown, offset), new Term.Context(parameter)));
            }
        }
    }

    private static @Nullable String name(Value value, Map<String, Value> context) {
        return context.entrySet().stream()
                .filter(entry -> entry.getValue().equals(value) && !value.isNull())
                .map(Map.Entry::getKey)
                .sorted()
                .findFirst()
                .orElse(null);
    }

    /** Whether the value has a literal that every database reads alike. */
    private static boolean isConstant(Value value) {
        return value.kind() == ValueKind.NUMBER || value.kind() == ValueKind.BOOLEAN || value.kind() == ValueKind.TEXT;
    }

    private static Condition equal(Term left, Term right) {
        return new Condition.Comparison(Condition.Operator.EQUAL, left, right);
    }

    private static Term moved(Term term, int offset) {
        return Substitution.term(
                term,
                part -> part instanceof Term.Variable variable ? new Term.Variable(variable.index() + offset) : part);
    }

    /** Without the function that stands for a coarser equality, which comes back when the view is read. */
    static Term bare(Term term) {
        return term instanceof Term.Function function
                        && function.symbol().startsWith("key:")
                        && function.arguments().size() == 1
                ? function.arguments().get(0)
                : term;
    }

    /** Collects the columns of a condition, and whether it has a form in a policy. */
    private static final class Mentioned implements UnaryOperator<Term> {
        private final List<Term> columns = new ArrayList<>();
        private boolean isPlain = true;

        @Override
        public Term apply(Term term) {
            if (term instanceof Term.Variable) {
                columns.add(term);
            } else if (term instanceof Term.Parameter) {
                isPlain = false;
            } else if (term instanceof Term.Constant constant) {
                isPlain &= constant.value().isNull() || isConstant(constant.value());
            }
            return term;
        }
    }
}
