package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Term;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Questions about terms. */
final class Terms {

    private Terms() {}

    /**
     * Whether the term is the same in every row: no column occurs in it.
     *
     * <p>In every row of one run: two requests may have other parameters, but each question is asked with its own.
     */
    static boolean isRigid(Term term) {
        if (term instanceof Term.Function function) {
            return function.arguments().stream().allMatch(Terms::isRigid);
        }
        return !(term instanceof Term.Variable);
    }

    /** Adds the columns that occur in a term. */
    static void addColumns(Term term, Collection<? super Term.Variable> columns) {
        Mentions.walk(term, inner -> {
            if (inner instanceof Term.Variable variable) {
                columns.add(variable);
            }
        });
    }

    /** The columns that occur in a term. */
    static Set<Term.Variable> columns(Term term) {
        Set<Term.Variable> columns = new LinkedHashSet<>();
        addColumns(term, columns);
        return columns;
    }

    /**
     * Without repetitions and without terms that are the same in every row: they tell nothing.
     *
     * <p>A head of none asks whether there is a row at all.
     */
    static List<Term> informative(Collection<? extends Term> terms) {
        Set<Term> kept = new LinkedHashSet<>();
        for (Term term : terms) {
            if (!isRigid(term)) {
                kept.add(term);
            }
        }
        return List.copyOf(kept);
    }
}
