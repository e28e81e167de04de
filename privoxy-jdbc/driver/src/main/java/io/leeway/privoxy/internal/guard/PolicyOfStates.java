package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.View;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A policy over several states of one database: each has tables of its own, with keys, foreign keys and assertions among
 * them, and is shown by views of its own. So nothing follows from one state for another.
 *
 * <p>What was true is believed, as the application itself checks before it acts: a view shows a state's rows also together
 * with rows of state 0 ({@link EarlierRows}). That adds views only, and so no false conclusion.
 */
final class PolicyOfStates {

    private PolicyOfStates() {}

    /**
     * The policy over the states 0 to {@code last}; state 0 is written as the policy itself writes it.
     *
     * @param earlier for each view, which of its rows may be of state 0 while the others are of a later one
     */
    static Policy of(Policy one, int last, Map<View, List<BitSet>> earlier) {
        Map<String, Table> tables = new HashMap<>();
        List<View> views = new ArrayList<>();
        List<Inclusion> inclusions = new ArrayList<>();
        for (int state = 0; state <= last; state++) {
            for (Table table : one.schema().tables().values()) {
                Table copy = table(table, state);
                tables.put(copy.name(), copy);
            }
            for (View view : one.views()) {
                views.add(view(view, state, new BitSet()));
                for (BitSet rows : state == 0 ? List.<BitSet>of() : earlier.getOrDefault(view, List.of())) {
                    views.add(view(view, state, rows));
                }
            }
            for (Inclusion inclusion : one.inclusions()) {
                inclusions.add(inclusion(inclusion, state));
            }
        }
        return new Policy(new Schema(tables), one.context(), views, inclusions);
    }

    /** A table as it is in a state. */
    static Table table(Table table, int state) {
        if (state == 0) {
            return table;
        }
        List<ForeignKey> keys = table.foreignKeys().stream()
                .map(key -> new ForeignKey(
                        key.name(), key.columns(), name(key.target(), state), key.targetColumns(), key.primary()))
                .toList();
        return new Table(name(table.name(), state), table.columns(), table.keys(), keys);
    }

    /** The name of a table in a state. */
    static String name(String table, int state) {
        return state == 0 ? table : table + "@" + state;
    }

    private static View view(View view, int state, BitSet earlier) {
        return state == 0
                ? view
                : new View(
                        view.name(),
                        view.description(),
                        query(view.query(), state, earlier),
                        view.columns(),
                        view.origin());
    }

    private static Inclusion inclusion(Inclusion inclusion, int state) {
        return state == 0
                ? inclusion
                : new Inclusion(
                        inclusion.name(),
                        query(inclusion.left(), state, new BitSet()),
                        query(inclusion.right(), state, new BitSet()),
                        inclusion.origin());
    }

    private static UnionQuery query(UnionQuery query, int state, BitSet earlier) {
        List<ConjunctiveQuery> disjuncts = new ArrayList<>();
        for (ConjunctiveQuery disjunct : query.disjuncts()) {
            List<Atom> atoms = new ArrayList<>();
            for (Atom atom : disjunct.atoms()) {
                int own = earlier.get(atoms.size()) ? 0 : state;
                atoms.add(new Atom(name(atom.table(), own), atom.firstVariable(), atom.arity()));
            }
            disjuncts.add(new ConjunctiveQuery(atoms, disjunct.conditions(), disjunct.head()));
        }
        return new UnionQuery(disjuncts);
    }
}
