package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.model.View;
import io.leeway.privoxy.internal.refute.PlainProblem;
import io.leeway.privoxy.solvers.internal.smt.Joins.SymbolicAnswer;
import io.leeway.privoxy.spi.SmtScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Writes the size-bounded form: the problem on two databases of a few rows each, without quantifiers. A model is a pair
 * of databases, so "satisfiable" means not compliant; "unsatisfiable" says nothing about larger databases.
 *
 * <p>Rows that the trace demands exist in both databases, rows that make the goal's answer exist in the first; further
 * rows may or may not exist. Views are said to agree by comparing all answers that combinations of rows can give, which
 * grows with the product of the rows of joined tables: small numbers only. Two different values are never called equal
 * by a collation here; that leaves out some databases, and only databases that can be relied on are wanted.
 */
final class DatabaseEncoder {

    /** What grows beyond it is given up: the refusal stands without an example. */
    private static final int MAX_COMBINATIONS = 200_000;

    private final Vocabulary vocabulary = Vocabulary.forDatabases();
    private final PlainProblem problem;
    private final Scope scope;
    private final Joins joins;
    private final List<String> assertions = new ArrayList<>();
    private final List<SymbolicDatabase> databases;
    private final Bindings policyBindings;

    private DatabaseEncoder(PlainProblem problem, Policy policy) {
        this.problem = problem;
        this.scope = ScopeFinder.forDatabases(problem, policy);
        this.joins = new Joins(vocabulary, scope, MAX_COMBINATIONS);
        this.databases = List.of(
                new SymbolicDatabase(vocabulary, scope, "a", assertions),
                new SymbolicDatabase(vocabulary, scope, "b", assertions));
        Map<String, String> context = new TreeMap<>();
        problem.context().forEach((name, arg) -> context.put(name, term(arg)));
        this.policyBindings = new Bindings(List.of(), context);
    }

    /**
     * Two databases to be chosen.
     *
     * <p>Script and its names together: a model of the one is read with the other.
     *
     * @param script asks for what {@link DatabaseDecoder} needs
     */
    record Encoded(
            SmtScript script,
            List<SymbolicDatabase> databases,
            Vocabulary vocabulary,
            Observation observation,
            Scope scope) {}

    /**
     * The problem with an answer of one disjunct of the goal, in databases of a given size.
     *
     * @param disjunct number of the goal's disjunct
     * @param spare further rows in every table
     * @throws Joins.TooLarge if the formula would be too large
     */
    static Encoded encode(PlainProblem problem, Policy policy, int disjunct, int spare) {
        return new DatabaseEncoder(problem, policy).encode(disjunct, spare);
    }

    private Encoded encode(int disjunct, int spare) {
        Bindings bindings = bindings(problem.arguments());
        // The trace's rows first: rows of the goal's answer with the same key are then the same rows.
        addFacts();
        ConjunctiveQuery goal = problem.goal().disjuncts().get(disjunct);
        List<String> answer = databases.get(0).addAnswer(goal, bindings, List.of());
        addOptionalRows(goal, spare);
        databases.forEach(this::writeConstraints);
        scope.views().forEach(view -> writeView(view));
        databases.forEach(this::writeAnswers);
        List<SymbolicAnswer> others = joins.answers(problem.goal(), databases.get(1), bindings);
        // One direction is enough, as the two databases can change places.
        assertions.add(Logic.not(joins.contains(others, answer)));
        meetFunctions(problem.goal(), databases.get(0), bindings);
        for (PlainProblem.Fact fact : problem.facts()) {
            databases.forEach(
                    database -> meetFunctions(UnionQuery.of(fact.query()), database, bindings(fact.arguments())));
        }
        return encoded();
    }

    /**
     * Lets the model say what functions give for all rows, also for combinations that no assertion needs.
     *
     * <p>The check evaluates the queries on all rows, and a function without a value there makes the pair not
     * evaluable.
     */
    private void meetFunctions(UnionQuery query, SymbolicDatabase database, Bindings bindings) {
        if (hasFunctions(query)) {
            joins.answers(query, database, bindings);
        }
    }

    /**
     * Whether the query applies a function other than a key function.
     *
     * <p>Key functions have a meaning of their own here: the value itself.
     */
    private static boolean hasFunctions(UnionQuery query) {
        AtomicBoolean found = new AtomicBoolean();
        query.disjuncts()
                .forEach(disjunct -> Mentions.walk(disjunct, term -> {
                    if (term instanceof Term.Function function
                            && !function.symbol().startsWith("key:")) {
                        found.set(true);
                    }
                }));
        return found.get();
    }

    /** In both, as both must have given what was read. */
    private void addFacts() {
        for (SymbolicDatabase database : databases) {
            for (PlainProblem.Fact fact : problem.facts()) {
                List<@Nullable String> row = new ArrayList<>();
                fact.row().forEach(cell -> row.add(cell == null ? null : term(cell)));
                database.addAnswer(fact.query(), bindings(fact.arguments()), row);
            }
        }
    }

    /**
     * The second database may have as many rows as the goal's answer needs, and each at least one.
     *
     * <p>Without a spare row some tables would have to be empty, and assertions or references could not be fulfilled.
     */
    private void addOptionalRows(ConjunctiveQuery goal, int spare) {
        for (TableShape shape : scope.tables().values()) {
            String table = shape.table().name();
            int inGoal = (int) goal.atoms().stream()
                    .filter(atom -> atom.table().equals(table))
                    .count();
            int missing = databases.get(0).rows(table).isEmpty() ? 1 : 0;
            databases.get(0).addOptional(shape, spare + missing);
            int needed = databases.get(1).rows(table).isEmpty() ? 1 : 0;
            databases.get(1).addOptional(shape, spare + Math.max(inGoal, needed));
        }
    }

    /** In pairs, as there are few rows; for proofs the same is said by functions ({@link ConstraintWriter}). */
    private void writeConstraints(SymbolicDatabase database) {
        for (TableShape shape : scope.tables().values()) {
            List<SymbolicRow> rows = database.rows(shape.table().name());
            rows.forEach(row -> writeColumns(shape, row));
            for (int i = 0; i < rows.size(); i++) {
                for (int j = i + 1; j < rows.size(); j++) {
                    writeKeys(shape, rows.get(i), rows.get(j));
                }
            }
            for (ForeignKey key : scope.foreignKeys().getOrDefault(shape.table().name(), List.of())) {
                rows.forEach(row -> writeForeignKey(database, key, shape, row));
            }
        }
        for (Inclusion inclusion : scope.inclusions()) {
            writeContained(
                    joins.answers(inclusion.left(), database, policyBindings),
                    joins.answers(inclusion.right(), database, policyBindings));
        }
    }

    private void writeColumns(TableShape shape, SymbolicRow row) {
        List<String> facts = new ArrayList<>();
        for (int index : shape.columns().stream().toArray()) {
            Column column = shape.column(index);
            String cell = row.cell(index);
            if (!column.nullable()) {
                facts.add(vocabulary.isNotNull(cell));
            }
            if (column.type().kind() == ValueKind.BOOLEAN) {
                facts.add(Logic.or(
                        vocabulary.equal(cell, vocabulary.value(Value.TRUE)),
                        vocabulary.equal(cell, vocabulary.value(Value.FALSE)),
                        // Whether it may be NULL was said above.
                        vocabulary.isNull(cell)));
            }
        }
        assertions.add(Logic.implies(row.exists(), Logic.and(facts)));
    }

    private void writeKeys(TableShape shape, SymbolicRow a, SymbolicRow b) {
        for (Key key : shape.table().keys()) {
            List<String> premises = new ArrayList<>(List.of(a.exists(), b.exists()));
            for (int column : key.columns()) {
                premises.add(vocabulary.equal(a.cell(column), b.cell(column)));
                // Of one side only, as the two cells are equal here.
                if (key.nullsDistinct()) {
                    premises.add(vocabulary.isNotNull(a.cell(column)));
                }
            }
            List<String> same = new ArrayList<>();
            for (int column : shape.columns().stream().toArray()) {
                same.add(vocabulary.equal(a.cell(column), b.cell(column)));
            }
            assertions.add(Logic.implies(Logic.and(premises), Logic.and(same)));
        }
    }

    private void writeForeignKey(SymbolicDatabase database, ForeignKey key, TableShape shape, SymbolicRow row) {
        List<String> premises = new ArrayList<>(List.of(row.exists()));
        for (int column : key.columns()) {
            if (shape.column(column).nullable()) {
                premises.add(vocabulary.isNotNull(row.cell(column)));
            }
        }
        List<String> ways = new ArrayList<>();
        for (SymbolicRow target : database.rows(key.target())) {
            List<String> match = new ArrayList<>(List.of(target.exists()));
            for (int i = 0; i < key.columns().size(); i++) {
                match.add(vocabulary.equal(
                        row.cell(key.columns().get(i)),
                        target.cell(key.targetColumns().get(i))));
            }
            ways.add(Logic.and(match));
        }
        // Quantifiers become disjunctions over the rows that there can be.
        assertions.add(Logic.implies(Logic.and(premises), Logic.or(ways)));
    }

    /** Both directions: a counterexample is one to compliance itself, not to its strong form. */
    private void writeView(View view) {
        List<SymbolicAnswer> first = joins.answers(view.query(), databases.get(0), policyBindings);
        List<SymbolicAnswer> second = joins.answers(view.query(), databases.get(1), policyBindings);
        writeContained(first, second);
        writeContained(second, first);
    }

    /** For each answer that the left side can have: if it has it, the right side has it, too. */
    private void writeContained(List<SymbolicAnswer> left, List<SymbolicAnswer> right) {
        for (SymbolicAnswer answer : left) {
            assertions.add(Logic.implies(answer.condition(), joins.contains(right, answer.head())));
        }
    }

    /** A complete result has no other rows, in neither database. */
    private void writeAnswers(SymbolicDatabase database) {
        for (PlainProblem.Answer whole : problem.answers()) {
            UnionQuery query = whole.query();
            for (SymbolicAnswer answer : joins.answers(query, database, bindings(whole.arguments()))) {
                List<String> ways = new ArrayList<>();
                whole.rows().forEach(row -> ways.add(isRow(answer.head(), row)));
                assertions.add(Logic.implies(answer.condition(), Logic.or(ways)));
            }
        }
    }

    /** A cell of which nothing is known fits any value. */
    private String isRow(List<String> head, List<@Nullable Arg> row) {
        List<String> equalities = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            Arg cell = row.get(i);
            if (cell != null) {
                equalities.add(vocabulary.equal(head.get(i), term(cell)));
            }
        }
        return Logic.and(equalities);
    }

    private Bindings bindings(List<Arg> arguments) {
        return new Bindings(arguments.stream().map(this::term).toList(), policyBindings.context());
    }

    private String term(Arg arg) {
        if (arg instanceof Arg.Known known) {
            return vocabulary.value(known.value());
        }
        throw new IllegalArgumentException("counterexamples are for problems without symbols");
    }

    private Encoded encoded() {
        writeWholeNumbers();
        Observation observation = Observation.of(vocabulary);
        StringBuilder text = new StringBuilder("(set-logic ");
        // Without quantifiers these logics are decided, so an answer comes unless effort runs out.
        text.append(vocabulary.usesNumbers() ? "QF_UFLIRA" : "QF_UF").append(")\n");
        text.append(vocabulary.prelude()).append(observation.definitions());
        for (String assertion : assertions) {
            if (!assertion.equals(Logic.TRUE)) {
                text.append("(assert ").append(assertion).append(")\n");
            }
        }
        SmtScript script = new SmtScript(text.toString(), List.of(), observation.names());
        return new Encoded(script, databases, vocabulary, observation, scope);
    }

    /**
     * Positions at which a column's type has a value: whole numbers, days, seconds.
     *
     * <p>Positions are reals, and a column of whole numbers takes no half.
     */
    private void writeWholeNumbers() {
        for (SymbolicDatabase database : databases) {
            for (Map.Entry<String, ColumnType> cell : database.cellTypes().entrySet()) {
                ColumnType type = cell.getValue();
                boolean isStepped = type.whole() || type.kind() != ValueKind.NUMBER;
                if (isStepped && vocabulary.hasPosition(type.kind().name(), cell.getKey())) {
                    assertions.add("(is_int " + vocabulary.position(type.kind().name(), cell.getKey()) + ")");
                }
            }
        }
    }
}
