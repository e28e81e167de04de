package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The columns whose values can help a later decision: those that a view or an inclusion compares, and those of keys and
 * foreign keys. The other columns, most of what an application reads, are not remembered. Leaving a value out only
 * loses proofs, since a proof from fewer facts is one from all, and only of statements that name a value which nothing
 * but an earlier row explains. Immutable.
 *
 * <p>With it a trace has ids and conditions instead of texts, so it stays small and says little if it is ever looked
 * at.
 */
final class TellingColumns {

    private final Function<String, @Nullable Table> tables;
    private final Map<String, Set<Integer>> compared = new HashMap<>();

    /**
     * The telling columns of a policy.
     *
     * @param tables tables by canonical name, also those that the policy does not name
     */
    TellingColumns(Policy policy, Function<String, @Nullable Table> tables) {
        this.tables = tables;
        for (View view : policy.views()) {
            addCompared(view.query());
        }
        for (Inclusion inclusion : policy.inclusions()) {
            addCompared(inclusion.left());
            addCompared(inclusion.right());
            addHeads(inclusion.left());
            addHeads(inclusion.right());
        }
    }

    /**
     * The part without the columns that tell nothing.
     *
     * <p>The query stays the same but for its head: that there is such a row is a fact, too, when no cell is kept.
     */
    Recording.Part of(Recording.Part part) {
        ConjunctiveQuery query = part.query();
        List<Term> head = new ArrayList<>();
        List<Integer> resultColumns = new ArrayList<>();
        for (int i = 0; i < query.head().size(); i++) {
            if (query.head().get(i) instanceof Term.Variable variable && tells(variable, query)) {
                head.add(variable);
                resultColumns.add(part.resultColumns().get(i));
            }
        }
        ConjunctiveQuery telling = new ConjunctiveQuery(query.atoms(), query.conditions(), head);
        return new Recording.Part(telling, part.arguments(), resultColumns, part.guard());
    }

    private boolean tells(Term.Variable variable, ConjunctiveQuery query) {
        Atom atom = Mentions.atomOf(query, variable.index());
        Table table = tables.apply(atom.table());
        return table == null || tells(table, variable.index() - atom.firstVariable());
    }

    /** Whether a column, given by its position, is compared by the policy or belongs to a key or foreign key. */
    boolean tells(Table table, int column) {
        return compared.getOrDefault(table.name(), Set.of()).contains(column)
                || table.keys().stream().anyMatch(key -> key.columns().contains(column))
                || table.foreignKeys().stream().anyMatch(key -> key.columns().contains(column));
    }

    private void addCompared(UnionQuery union) {
        for (ConjunctiveQuery query : union.disjuncts()) {
            for (Condition condition : query.conditions()) {
                Mentions.terms(condition).forEach(term -> add(term, query));
            }
        }
    }

    /** What an assertion returns is compared with what its other side returns. */
    private void addHeads(UnionQuery union) {
        union.disjuncts().forEach(query -> query.head().forEach(term -> add(term, query)));
    }

    private void add(Term whole, ConjunctiveQuery query) {
        Mentions.walk(whole, term -> {
            if (term instanceof Term.Variable variable) {
                Atom atom = Mentions.atomOf(query, variable.index());
                compared.computeIfAbsent(atom.table(), table -> new HashSet<>())
                        .add(variable.index() - atom.firstVariable());
            }
        });
    }
}
