package io.leeway.privoxy.internal.model;

import java.util.List;

/** The set union of conjunctive queries with heads of one length. No disjunct: always empty. */
public record UnionQuery(List<ConjunctiveQuery> disjuncts) {
    public UnionQuery {
        disjuncts = List.copyOf(disjuncts);
        for (ConjunctiveQuery disjunct : disjuncts) {
            if (disjunct.head().size() != disjuncts.get(0).head().size()) {
                throw new IllegalArgumentException("the disjuncts of a union return rows of one length");
            }
        }
    }

    /** A union of one. */
    public static UnionQuery of(ConjunctiveQuery query) {
        return new UnionQuery(List.of(query));
    }
}
