package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.TraceEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Matches a template by trying every row for every premise: the definition, without cleverness. */
final class NaiveMatcher {

    private final Template template;
    private final List<TraceEntry> trace;

    private final List<Row> used = new ArrayList<>();

    /** A row of the trace that a premise is matched with. */
    record Row(TraceEntry entry, int row) {}

    private NaiveMatcher(Template template, List<TraceEntry> trace) {
        this.template = template;
        this.trace = trace;
    }

    /** The rows that the premises are matched with, or null if the template does not match. */
    static @Nullable List<Row> match(
            Template template, @Nullable Value[] arguments, Map<String, Value> context, List<TraceEntry> trace) {
        Map<Integer, Value> bindings = new HashMap<>();
        for (int i = 0; i < arguments.length; i++) {
            if (!fits(template.arguments().get(i), arguments[i], bindings)) {
                return null;
            }
        }
        for (Map.Entry<String, Pattern> parameter : template.context().entrySet()) {
            if (!context.containsKey(parameter.getKey())
                    || !fits(parameter.getValue(), context.get(parameter.getKey()), bindings)) {
                return null;
            }
        }
        NaiveMatcher matcher = new NaiveMatcher(template, trace);
        return matcher.from(0, bindings) ? matcher.used : null;
    }

    private boolean from(int position, Map<Integer, Value> bindings) {
        if (position == template.premises().size()) {
            return demandsHold(bindings);
        }
        Premise premise = template.premises().get(position);
        for (TraceEntry entry : trace) {
            for (int row = 0; row < entry.rows() && entry.query().equals(premise.query()); row++) {
                Map<Integer, Value> extended = new HashMap<>(bindings);
                if (fits(premise, entry, row, extended) && from(position + 1, extended)) {
                    used.add(new Row(entry, row));
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean fits(Premise premise, TraceEntry entry, int row, Map<Integer, Value> bindings) {
        for (int i = 0; i < premise.arguments().size(); i++) {
            if (!fits(premise.arguments().get(i), entry.arguments().get(i), bindings)) {
                return false;
            }
        }
        for (int i = 0; i < premise.row().size(); i++) {
            if (!fits(premise.row().get(i), entry.cell(row, i), bindings)) {
                return false;
            }
        }
        return true;
    }

    private static boolean fits(Pattern pattern, @Nullable Value value, Map<Integer, Value> bindings) {
        if (pattern instanceof Pattern.Any) {
            return true;
        }
        if (value == null) {
            return false;
        }
        if (pattern instanceof Pattern.Constant constant) {
            return constant.value().equals(value);
        }
        Value earlier = bindings.putIfAbsent(((Pattern.Variable) pattern).index(), value);
        return earlier == null || earlier.equals(value);
    }

    private boolean demandsHold(Map<Integer, Value> bindings) {
        return template.notNull().stream()
                        .noneMatch(variable -> bindings.get(variable).isNull())
                && template.comparisons().stream()
                        .allMatch(comparison -> comparison.holds(
                                value(comparison.left(), bindings), value(comparison.right(), bindings)));
    }

    private static Value value(Pattern pattern, Map<Integer, Value> bindings) {
        return pattern instanceof Pattern.Constant constant
                ? constant.value()
                : bindings.get(((Pattern.Variable) pattern).index());
    }
}
