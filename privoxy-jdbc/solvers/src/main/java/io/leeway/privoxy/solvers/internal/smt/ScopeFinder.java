package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.View;
import io.leeway.privoxy.internal.refute.PlainProblem;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds what can take part in a problem, going forward from the tables of goal and facts: a foreign key leads to its
 * target, and a view or inclusion comes in, with all its tables, as soon as all tables of one of its disjuncts are in.
 *
 * <p>Soundness: everything found is a subset of the premises, and a proof from fewer premises is a proof. No proof is
 * lost by the views and inclusions left out: take a model of the rest and leave all other tables empty in both
 * databases; then every disjunct left out is empty, so the statements left out hold. (Views come in whole: with only
 * the disjuncts that can have rows, {@code V1 ⊆ V2} would say more than the policy does.) Columns: only those that
 * goal, conditions or constraints look at are written; a foreign key whose columns nothing else looks at is left out,
 * which is sound and can only lose proofs that need "some row exists in the target" of a row nobody told of.
 *
 * <p>For counterexamples the scope also takes in what a database must fulfil to exist at all: foreign keys that cannot
 * be null, and unique columns.
 *
 * <p>The successor of the dissertation's system (OSDI 2022) prunes by relevance as well; the argument above is why it
 * costs no proofs here.
 */
final class ScopeFinder {

    private final Policy policy;
    private final PlainProblem problem;
    private final boolean forDatabases;
    private final Map<String, BitSet> columns = new LinkedHashMap<>();
    private final List<View> views = new ArrayList<>();
    private final List<Inclusion> inclusions = new ArrayList<>();
    private boolean grown;

    private ScopeFinder(PlainProblem problem, Policy policy, boolean forDatabases) {
        this.policy = policy;
        this.problem = problem;
        this.forDatabases = forDatabases;
    }

    /** What a proof can use. */
    static Scope forProof(PlainProblem problem, Policy policy) {
        return new ScopeFinder(problem, policy, false).find();
    }

    /** What two databases that refute the problem must be made of. */
    static Scope forDatabases(PlainProblem problem, Policy policy) {
        return new ScopeFinder(problem, policy, true).find();
    }

    private Scope find() {
        for (ConjunctiveQuery disjunct : problem.goal().disjuncts()) {
            touch(disjunct);
            needConditions(disjunct);
            needHead(disjunct);
        }
        problem.facts().forEach(fact -> seed(fact.query()));
        // To the fixpoint: a view that comes in brings tables by which others come in.
        do {
            grown = false;
            addViews();
            addAnswers();
            addInclusions();
            addForeignKeys();
        } while (grown);
        return scope();
    }

    /**
     * A fact's conditions and cells matter only where something else looks at the column: a foreign key, which tells
     * that the row referred to exists, or another column of the fact.
     */
    private void seed(ConjunctiveQuery query) {
        touch(query);
        for (Condition condition : query.conditions()) {
            Set<Integer> variables = Mentions.variables(Mentions.terms(condition));
            // An equality between two columns of the fact may carry what is known of one over to the other.
            need(query, forDatabases || variables.size() > 1 ? variables : references(query, variables));
        }
        Set<Integer> head = Mentions.variables(query.head());
        need(query, forDatabases ? head : references(query, head));
    }

    /**
     * That a row exists is told by a foreign key from a known value: the only way by which a fact's column matters of
     * itself.
     */
    private Set<Integer> references(ConjunctiveQuery query, Set<Integer> variables) {
        Set<Integer> references = new TreeSet<>(variables);
        references.removeIf(variable -> {
            Atom atom = Mentions.atomOf(query, variable);
            int column = variable - atom.firstVariable();
            return table(atom.table()).foreignKeys().stream()
                    .noneMatch(key -> key.columns().contains(column));
        });
        return references;
    }

    private void addViews() {
        for (View view : policy.views()) {
            // A view with a parameter that the request lacks shows nothing.
            if (!views.contains(view) && isKnown(view.query()) && canHaveRows(view.query())) {
                views.add(view);
                add(view.query(), forDatabases);
            }
        }
    }

    /** A complete result of tables that are not in says nothing that could contradict. */
    private void addAnswers() {
        problem.answers().stream()
                .flatMap(answer -> answer.query().disjuncts().stream())
                .filter(this::canHaveRows)
                .forEach(disjunct -> {
                    needConditions(disjunct);
                    needHead(disjunct);
                });
    }

    /** With heads, since an assertion compares them. */
    private void addInclusions() {
        for (Inclusion inclusion : policy.inclusions()) {
            if (!inclusions.contains(inclusion)
                    && isKnown(inclusion.left())
                    && isKnown(inclusion.right())
                    && canHaveRows(inclusion.left())) {
                inclusions.add(inclusion);
                add(inclusion.left(), true);
                add(inclusion.right(), true);
            }
        }
    }

    private void add(UnionQuery query, boolean withHead) {
        for (ConjunctiveQuery disjunct : query.disjuncts()) {
            touch(disjunct);
            needConditions(disjunct);
            if (withHead) {
                needHead(disjunct);
            }
        }
    }

    private void addForeignKeys() {
        for (String name : List.copyOf(columns.keySet())) {
            Table table = table(name);
            for (ForeignKey key : table.foreignKeys()) {
                if (binds(table, key) && isWritable(table, key)) {
                    touch(key.target());
                    key.targetColumns().forEach(column -> need(key.target(), column));
                    key.columns().forEach(column -> need(name, column));
                }
            }
        }
    }

    /** For a proof only a reference on which something hangs; leaving one out is a premise less. */
    private boolean binds(Table table, ForeignKey key) {
        BitSet needed = columnsOf(table.name());
        boolean isLookedAt = key.columns().stream().allMatch(needed::get);
        return isLookedAt
                // A row whose reference cannot be null needs its target to exist, or the pair is no pair of
                // databases.
                || (forDatabases
                        && key.columns().stream()
                                .noneMatch(column -> table.columns().get(column).nullable()));
    }

    /** Whether the two sides are compared in one way, so that the checker knows what "refers to" means. */
    private boolean isWritable(Table table, ForeignKey key) {
        Table target = policy.schema().table(key.target());
        if (target == null) {
            return false;
        }
        for (int i = 0; i < key.columns().size(); i++) {
            Column from = table.columns().get(key.columns().get(i));
            Column to = target.columns().get(key.targetColumns().get(i));
            if (!from.type().equality().equals(to.type().equality())) {
                return false;
            }
        }
        return true;
    }

    private boolean canHaveRows(UnionQuery query) {
        return query.disjuncts().stream().anyMatch(this::canHaveRows);
    }

    /** All tables of a disjunct: with one missing, it is empty where that table is. */
    private boolean canHaveRows(ConjunctiveQuery disjunct) {
        return columns.keySet().containsAll(Mentions.tables(disjunct));
    }

    /** As in the chase: what nobody gave is not made up. */
    private boolean isKnown(UnionQuery query) {
        return problem.context().keySet().containsAll(Mentions.contextNames(query));
    }

    private void touch(ConjunctiveQuery query) {
        query.atoms().forEach(atom -> touch(atom.table()));
    }

    private void touch(String table) {
        if (!columns.containsKey(table)) {
            grown = true;
            BitSet needed = new BitSet();
            columns.put(table, needed);
            // All keys, as the rows must be possible; a proof needs only the one by which rows are told apart.
            if (forDatabases) {
                for (Key key : table(table).keys()) {
                    key.columns().forEach(needed::set);
                }
            } else {
                List<Integer> key = TableShape.rowKey(table(table));
                if (key != null) {
                    key.forEach(needed::set);
                }
            }
        }
    }

    private void needConditions(ConjunctiveQuery query) {
        for (Condition condition : query.conditions()) {
            need(query, Mentions.variables(Mentions.terms(condition)));
        }
    }

    private void needHead(ConjunctiveQuery query) {
        need(query, Mentions.variables(query.head()));
    }

    private void need(ConjunctiveQuery query, Collection<Integer> variables) {
        for (int variable : variables) {
            Atom atom = Mentions.atomOf(query, variable);
            need(atom.table(), variable - atom.firstVariable());
        }
    }

    private void need(String table, int column) {
        BitSet needed = columnsOf(table);
        if (!needed.get(column)) {
            needed.set(column);
            // A new column can make a foreign key count.
            grown = true;
        }
    }

    private BitSet columnsOf(String table) {
        touch(table);
        return columns.getOrDefault(table, new BitSet());
    }

    private Table table(String name) {
        Table table = policy.schema().table(name);
        if (table == null) {
            // The guard has compared versions before; this is a fault and no refusal.
            throw new IllegalArgumentException("a query names a table that the schema lacks");
        }
        return table;
    }

    private Scope scope() {
        Map<String, TableShape> shapes = new LinkedHashMap<>();
        Map<String, List<ForeignKey>> foreignKeys = new LinkedHashMap<>();
        columns.forEach((name, needed) -> {
            Table table = table(name);
            shapes.put(name, TableShape.of(table, needed));
            foreignKeys.put(
                    name,
                    table.foreignKeys().stream()
                            // Asked again at the end: a key can have come to bind by what came in after it.
                            .filter(key -> binds(table, key) && isWritable(table, key))
                            .toList());
        });
        return new Scope(policy, shapes, views, inclusions, foreignKeys);
    }
}
