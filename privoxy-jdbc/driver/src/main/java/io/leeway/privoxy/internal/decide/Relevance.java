package io.leeway.privoxy.internal.decide;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Which views, constraints and tables can take part in a proof of a goal. Leaving something out only loses proofs, so
 * this is about speed: the narrow form serves nearly always, the wide form follows constraints to the end.
 *
 * <p>The successor of the dissertation's system prunes the formula's tables for the same reason. There it shortens a
 * solver's text, here a case's rows.
 */
final class Relevance {

    /** Tables whose rows in the first database can matter. */
    final BitSet first;
    /** Tables whose rows in the second database can matter. */
    final BitSet second;

    final List<CompiledView> views;
    final List<CompiledInclusion> inclusions;

    /** Nothing takes part. */
    static final Relevance NOTHING = new Relevance(new BitSet(), new BitSet(), List.of(), List.of());

    private Relevance(BitSet first, BitSet second, List<CompiledView> views, List<CompiledInclusion> inclusions) {
        this.first = first;
        this.second = second;
        this.views = List.copyOf(views);
        this.inclusions = List.copyOf(inclusions);
    }

    static Relevance of(Shape[] goal, CompiledPolicy policy, boolean wide) {
        BitSet second = tables(goal);
        if (wide) {
            addSources(second, policy);
        }
        List<CompiledView> views = new ArrayList<>();
        BitSet first = (BitSet) second.clone();
        for (CompiledView view : policy.views()) {
            BitSet read = tables(view.disjuncts);
            // A view is of use only if its rows in the second database can be rows of the goal.
            if (read.intersects(second)) {
                views.add(view);
                first.or(read);
            }
        }
        if (wide) {
            addSources(first, policy);
        }
        List<CompiledInclusion> inclusions = new ArrayList<>();
        for (CompiledInclusion inclusion : policy.inclusions()) {
            // A denial is of use where its left side has rows; any other assertion where what it
            // adds is read.
            if (inclusion.right().length == 0
                    ? tables(inclusion.left()).intersects(first)
                    : tables(inclusion.right()).intersects(first)) {
                inclusions.add(inclusion);
                first.or(tables(inclusion.left()));
                first.or(tables(inclusion.right()));
            }
        }
        return new Relevance(first, second, views, inclusions);
    }

    /** The rows of every table in the first database, and nothing else. */
    static Relevance rowsOfAll(CompiledPolicy policy) {
        BitSet all = new BitSet();
        all.set(0, policy.tables().size());
        return new Relevance(all, new BitSet(), List.of(), List.of());
    }

    /** Everything there is: for databases that must fulfil the whole policy. */
    static Relevance everything(CompiledPolicy policy) {
        BitSet all = new BitSet();
        all.set(0, policy.tables().size());
        return new Relevance(all, all, policy.views(), policy.inclusions());
    }

    /**
     * The same as if the policy had no assertions.
     *
     * <p>Foreign keys stay, as the database checks them.
     */
    Relevance withoutAssertions() {
        return new Relevance(first, second, views, List.of());
    }

    /** The same as if there were no views: for what is asked of rows by themselves. */
    Relevance withoutViews() {
        return new Relevance(first, second, List.of(), inclusions);
    }

    /**
     * Adds the tables from whose rows foreign keys and inclusions lead to the given ones.
     *
     * <p>To the fixpoint, since a chain of references leads as far as one wants; the generation bound ends it in the
     * chase.
     */
    static void addSources(BitSet tables, CompiledPolicy policy) {
        boolean grown = true;
        while (grown) {
            int before = tables.cardinality();
            List<CompiledTable> all = policy.tables();
            for (int t = 0; t < all.size(); t++) {
                int source = t;
                all.get(t).foreignKeys.forEach(key -> {
                    int target = policy.tableNumber(key.target());
                    if (target >= 0 && tables.get(target)) {
                        tables.set(source);
                    }
                });
            }
            for (CompiledInclusion inclusion : policy.inclusions()) {
                if (tables(inclusion.right()).intersects(tables)) {
                    tables.or(tables(inclusion.left()));
                }
            }
            grown = tables.cardinality() > before;
        }
    }

    static BitSet tables(Shape[] shapes) {
        BitSet tables = new BitSet();
        for (Shape shape : shapes) {
            for (int table : shape.tables) {
                tables.set(table);
            }
        }
        return tables;
    }
}
