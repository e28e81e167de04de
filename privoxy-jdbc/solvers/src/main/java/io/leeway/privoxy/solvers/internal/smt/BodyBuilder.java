package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes a conjunctive query for one instance with as few variables as possible.
 *
 * <p>Columns that the WHERE clause (or a wanted head) equates form classes. A class that contains a ground term is that
 * term; a class in which a key column meets an ordinary column of another row is that column, a function of the other
 * row's key; only what remains is a variable. Equality holds in SQL only between non-null values, so each class that a
 * comparison made is also said to be non-null, unless a NOT NULL column in it says so already.
 *
 * <p>The plain translation of a conjunctive query (Chang, UCB/EECS-2021-244, section 3.4, example 3.4.1) has a variable
 * for each column of each row. Solvers instantiate quantifiers by guessing, and each variable multiplies the guesses,
 * so it pays to have few.
 */
final class BodyBuilder {

    private final Vocabulary vocabulary;
    private final Scope scope;

    BodyBuilder(Vocabulary vocabulary, Scope scope) {
        this.vocabulary = vocabulary;
        this.scope = scope;
    }

    /**
     * The query as it stands.
     *
     * <p>For premises: whichever answer it gives is what is spoken of.
     */
    Body build(int instance, ConjunctiveQuery query, Bindings bindings) {
        return build(instance, query, bindings, List.of());
    }

    /**
     * The query with a given head.
     *
     * @param target ground or quantified terms for the head; null, or a shorter list, where anything will do
     */
    Body build(int instance, ConjunctiveQuery query, Bindings bindings, List<@Nullable String> target) {
        return new Writer(instance, query, bindings).write(target);
    }

    /**
     * One query on its way to text.
     *
     * <p>Used once: its classes and variables belong to one place in the script.
     */
    private final class Writer {

        private final int instance;
        private final ConjunctiveQuery query;
        private final TermWriter terms;
        private final ColumnClasses classes;
        private final @Nullable String[] text;
        private final boolean[] inProgress;
        private final List<String> variables = new ArrayList<>();
        private final Set<String> literals = new LinkedHashSet<>();

        Writer(int instance, ConjunctiveQuery query, Bindings bindings) {
            this.instance = instance;
            this.query = query;
            this.terms = new TermWriter(vocabulary, bindings, this::variable);
            this.classes = new ColumnClasses(query, scope);
            this.text = new String[query.variables()];
            this.inProgress = new boolean[query.variables()];
        }

        Body write(List<@Nullable String> target) {
            List<Condition> rest = unifyEqualities();
            Unification.applyHead(query, target, classes);
            query.atoms().forEach(this::writeAtom);
            classes.groundPairs().forEach(pair -> literals.add(vocabulary.equal(pair.left(), pair.right())));
            writeNonNulls();
            ConditionWriter conditions = new ConditionWriter(vocabulary, terms, classes::type);
            rest.forEach(condition -> literals.add(conditions.write(condition)));
            writeHeadEqualities(target);
            List<@Nullable String> head = new ArrayList<>();
            query.head().forEach(term -> head.add(classes.isWritten(term) ? terms.write(term) : null));
            return new Body(variables, List.copyOf(literals), head);
        }

        private List<Condition> unifyEqualities() {
            List<Condition> rest = new ArrayList<>();
            for (Condition condition : query.conditions()) {
                // A condition on a column that the scope left out says nothing that the problem looks at.
                if (classes.isWritten(Mentions.terms(condition)) && !Unification.apply(condition, classes, terms)) {
                    rest.add(condition);
                }
            }
            return rest;
        }

        /** Heads that are computed cannot be entered as a column's class; they are said as equalities. */
        private void writeHeadEqualities(List<@Nullable String> target) {
            for (int i = 0; i < target.size(); i++) {
                String wanted = target.get(i);
                Term term = query.head().get(i);
                if (wanted != null && !(term instanceof Term.Variable) && classes.isWritten(term)) {
                    literals.add(vocabulary.equal(terms.write(term), wanted));
                }
            }
        }

        private void writeAtom(Atom atom) {
            TableShape shape = scope.table(atom.table());
            List<String> key = new ArrayList<>();
            shape.key().forEach(column -> key.add(variable(atom.firstVariable() + column)));
            literals.add(shape.exists(vocabulary, instance, key));
            for (int column : shape.rest()) {
                int index = atom.firstVariable() + column;
                // A column that nothing else speaks of need not be mentioned: it has a value by being a function of
                // the key.
                if (classes.isShared(index)) {
                    literals.add(vocabulary.equal(shape.cell(vocabulary, instance, key, column), variable(index)));
                }
            }
        }

        /** {@code a = b} in SQL says that both are there. */
        private void writeNonNulls() {
            for (int root : classes.nonNullRoots()) {
                literals.add(vocabulary.isNotNull(variable(root)));
            }
        }

        private String variable(int index) {
            String resolved = resolve(classes.root(index));
            if (resolved == null) {
                // Cannot be: a class in progress is passed over and ends as a variable.
                throw new IllegalStateException("a column depends on itself");
            }
            return resolved;
        }

        /** The class's term, or null while it is being looked for. */
        private @Nullable String resolve(int root) {
            String known = text[root];
            if (known != null || inProgress[root]) {
                return known;
            }
            // Two rows may have each other's keys as columns (a person's best friend): then one of the two has to
            // be a variable.
            inProgress[root] = true;
            String found = classes.groundOf(root);
            for (int member : classes.members(root)) {
                if (found == null) {
                    found = dependent(member);
                }
            }
            if (found == null) {
                found = vocabulary.variable();
                variables.add(found);
            }
            text[root] = found;
            return found;
        }

        /**
         * A column outside the key as a function of the key, or null for a column of the key.
         *
         * <p>A column outside the key is a function of it, so it needs no variable, only the key's terms.
         */
        private @Nullable String dependent(int index) {
            Atom atom = Mentions.atomOf(query, index);
            TableShape shape = scope.table(atom.table());
            int column = index - atom.firstVariable();
            if (shape.key().contains(column)) {
                return null;
            }
            List<String> key = new ArrayList<>();
            for (int keyColumn : shape.key()) {
                String term = resolve(classes.root(atom.firstVariable() + keyColumn));
                if (term == null) {
                    return null;
                }
                key.add(term);
            }
            return shape.cell(vocabulary, instance, key, column);
        }
    }
}
