package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Questions about conditions. */
final class Conditions {

    private Conditions() {}

    /**
     * The conditions that all alternatives have: they hold of every row.
     *
     * <p>Only these may be used for what has to hold of all rows: which key pins a row, what a result's row says of the
     * database. {@code WHERE id = 1 OR id = 2} has no such condition.
     */
    static List<Condition> common(List<Conjunct> alternatives) {
        if (alternatives.isEmpty()) {
            return List.of();
        }
        List<Condition> common = new ArrayList<>(alternatives.get(0).conditions());
        for (Conjunct alternative : alternatives.subList(1, alternatives.size())) {
            common.retainAll(new HashSet<>(alternative.conditions()));
        }
        return common;
    }

    static Set<Term.Variable> columns(Condition condition) {
        Set<Term.Variable> columns = new LinkedHashSet<>();
        Mentions.terms(condition).forEach(term -> Terms.addColumns(term, columns));
        return columns;
    }
}
