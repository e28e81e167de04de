package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Term;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * A conjunctive query over the statement's own variables and arguments, before it is numbered for itself.
 *
 * <p>As sets in the order of the text: conditions from several clauses often repeat each other.
 */
record Draft(List<Use> uses, List<Condition> conditions, List<Term> head) {
    Draft {
        uses = List.copyOf(new LinkedHashSet<>(uses));
        conditions = List.copyOf(new LinkedHashSet<>(conditions));
        head = List.copyOf(head);
    }
}
