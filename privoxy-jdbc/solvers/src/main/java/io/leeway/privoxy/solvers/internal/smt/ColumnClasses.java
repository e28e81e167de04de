package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Classes of a query's columns that are equated, each with at most one ground term. Not thread-safe.
 *
 * <p>Union-find over the columns of one query, as SQL's equality between columns is transitive where it holds: both
 * sides are there and have one value.
 */
final class ColumnClasses {

    /**
     * Two ground terms that one class brought together.
     *
     * <p>Whether two terms are equal is not known when they meet, so it becomes part of what the body says.
     */
    record Pair(String left, String right) {}

    private final Column[] columns;
    private final boolean[] written;
    private final int[] parent;
    private final @Nullable String[] ground;
    private final boolean[] notNull;
    /** For each root its written columns. */
    private final List<List<Integer>> members = new ArrayList<>();

    private final List<Pair> pairs = new ArrayList<>();

    /** Only columns that the scope writes are members; the others have no term. */
    ColumnClasses(ConjunctiveQuery query, Scope scope) {
        int size = query.variables();
        this.columns = new Column[size];
        this.written = new boolean[size];
        this.parent = new int[size];
        this.ground = new String[size];
        this.notNull = new boolean[size];
        for (Atom atom : query.atoms()) {
            TableShape shape = scope.table(atom.table());
            for (int c = 0; c < atom.arity(); c++) {
                int index = atom.firstVariable() + c;
                columns[index] = shape.column(c);
                written[index] = shape.has(c);
                parent[index] = index;
                members.add(new ArrayList<>(written[index] ? List.of(index) : List.of()));
            }
        }
    }

    int root(int index) {
        int root = index;
        while (parent[root] != root) {
            root = parent[root];
        }
        return root;
    }

    void unite(int a, int b) {
        int keep = root(a);
        int drop = root(b);
        if (keep != drop) {
            parent[drop] = keep;
            members.get(keep).addAll(members.get(drop));
            notNull[keep] |= notNull[drop];
            String dropped = ground[drop];
            if (dropped != null) {
                // If both have a ground term, the two terms are a pair.
                ground(keep, dropped);
            }
        }
    }

    /** The first ground term stands for the class; a second one has to be equal to it. */
    void ground(int index, String term) {
        int root = root(index);
        String present = ground[root];
        if (present == null) {
            ground[root] = term;
        } else {
            pairs.add(new Pair(present, term));
        }
    }

    void mustNotBeNull(int index) {
        notNull[root(index)] = true;
    }

    @Nullable
    String groundOf(int root) {
        return ground[root];
    }

    List<Pair> groundPairs() {
        return pairs;
    }

    List<Integer> members(int root) {
        return members.get(root);
    }

    /**
     * Whether the column's class has another member or a ground term.
     *
     * <p>Otherwise its value matters to nobody.
     */
    boolean isShared(int index) {
        int root = root(index);
        return ground[root] != null || members(root).size() > 1;
    }

    /**
     * Classes that a comparison requires to be non-null and no NOT NULL column makes so.
     *
     * <p>What a NOT NULL column says already is not said again, as each literal costs a solver time.
     */
    List<Integer> nonNullRoots() {
        List<Integer> roots = new ArrayList<>();
        for (int i = 0; i < parent.length; i++) {
            if (parent[i] == i && notNull[i] && members(i).stream().allMatch(member -> columns[member].nullable())) {
                roots.add(i);
            }
        }
        return roots;
    }

    ColumnType type(int index) {
        return columns[index].type();
    }

    /** Whether all columns that the term speaks of are written. */
    boolean isWritten(Term term) {
        return isWritten(List.of(term));
    }

    /** A condition is written as a whole or not at all. */
    boolean isWritten(List<Term> terms) {
        return Mentions.variables(terms).stream().allMatch(index -> written[index]);
    }
}
