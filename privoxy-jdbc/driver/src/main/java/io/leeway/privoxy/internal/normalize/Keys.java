package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Bag against set. A statement returns one row for each valuation of its FROM, an obligation each distinct row once.
 * The two say the same when the obligation's head tells valuations apart: then the bag is the projection of the set.
 * This class finds the columns to add to a head until it does, as few as it can: keys of rows that the {@link Closure}
 * does not reach.
 *
 * <p>Why it matters: {@code SELECT author_id FROM posts} returns an author as often as there are posts. Of a policy
 * that shows which authors there are, but no posts, the set alone would be compliant and the statement tells the number
 * of hidden posts. As few as it can, because each column in a head has to be shown by a view; one that is not needed
 * would refuse what is harmless.
 */
final class Keys {

    private Keys() {}

    /**
     * The terms that must be returned besides {@code known}, so that together they determine all {@code rows}.
     *
     * @param rows whose valuations are to be told apart
     * @param uses these and further rows that conditions speak of
     * @param conditions which hold of every valuation in question
     * @param preferred columns that are returned anyway or cost nothing
     */
    static List<Term> missing(
            Collection<Use> rows,
            List<Use> uses,
            List<Condition> conditions,
            Collection<? extends Term> known,
            Collection<? extends Term> preferred) {
        var closure = new Closure(uses, conditions).add(known);
        List<List<Term>> added = new ArrayList<>();
        while (!closure.coversAll(rows)) {
            List<Term> best = bestKey(rows, closure, preferred);
            added.add(best);
            closure.add(best);
        }
        // The first key chosen may follow from the later ones: of a row and its parent by a foreign key the row's key
        // is enough.
        return reduced(rows, new Closure(uses, conditions).add(known), added);
    }

    /**
     * The key that determines most rows; of those the one with fewest columns. Greedily: the least number of columns
     * would be a search among all combinations; what is found is made smaller afterwards.
     */
    private static List<Term> bestKey(Collection<Use> rows, Closure closure, Collection<? extends Term> preferred) {
        List<Term> best = null;
        int bestGain = -1;
        for (Use use : rows) {
            if (!closure.covers(use)) {
                List<Term> key = closure.keyOf(use, preferred);
                int gain = closure.copy().add(key).covered();
                if (gain > bestGain || (gain == bestGain && isShorter(key, best))) {
                    best = key;
                    bestGain = gain;
                }
            }
        }
        if (best == null) {
            throw new IllegalStateException("every row is determined");
        }
        return best;
    }

    private static boolean isShorter(List<Term> key, @Nullable List<Term> best) {
        return best == null || key.size() < best.size();
    }

    /** Without keys that later ones have made superfluous, and without columns that are determined anyway. */
    private static List<Term> reduced(Collection<Use> rows, Closure start, List<List<Term>> keys) {
        List<List<Term>> kept = new ArrayList<>(keys);
        for (List<Term> key : keys) {
            List<List<Term>> others = new ArrayList<>(kept);
            others.remove(key);
            if (others.size() < kept.size() && start.copy().add(flat(others)).coversAll(rows)) {
                kept = others;
            }
        }
        Set<Term> terms = new LinkedHashSet<>(flat(kept));
        // Single columns, too: of a key in two parts a condition may pin one once the other is there.
        for (Term term : List.copyOf(terms)) {
            terms.remove(term);
            if (!start.copy().add(terms).coversAll(rows)) {
                terms.add(term);
            }
        }
        return List.copyOf(terms);
    }

    private static List<Term> flat(List<List<Term>> keys) {
        return keys.stream().flatMap(List::stream).toList();
    }
}
