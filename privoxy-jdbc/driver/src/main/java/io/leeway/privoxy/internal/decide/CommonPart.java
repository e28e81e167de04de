package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What all disjuncts of a union say alike. An OR in a WHERE clause gives disjuncts with the same tables and head that
 * differ in conditions only; whichever holds, the rows are there.
 *
 * <p>To know these rows at once saves most case distinctions: {@code WHERE public OR author_id = ?} shows the post
 * either way, and only proofs that need the reason have to tell the two apart.
 */
final class CommonPart {

    private CommonPart() {}

    static @Nullable Shape of(Shape[] disjuncts, CompiledPolicy policy) {
        ConjunctiveQuery first = disjuncts[0].query;
        List<Condition> conditions = new ArrayList<>(first.conditions());
        for (Shape disjunct : disjuncts) {
            if (!disjunct.query.atoms().equals(first.atoms())
                    || !disjunct.query.head().equals(first.head())) {
                return null;
            }
            // By form: a condition that another disjunct only implies is dropped, which knows less
            // and is sound.
            conditions.retainAll(disjunct.query.conditions());
        }
        return policy.shape(new ConjunctiveQuery(first.atoms(), conditions, first.head()));
    }
}
