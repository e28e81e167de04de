package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.Assumption;
import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Mentions;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.View;
import io.leeway.privoxy.internal.refute.PlainProblem;
import io.leeway.privoxy.internal.refute.PlainProblem.Answer;
import io.leeway.privoxy.internal.refute.PlainProblem.Fact;
import io.leeway.privoxy.internal.solver.Form;
import io.leeway.privoxy.spi.SmtScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes "the problem is <em>not</em> compliant" as a formula about two databases, instance 1 and instance 2: both
 * fulfil the constraints and give the rows that were seen, the views show the same (or instance 2 shows no less), and
 * an answer of the goal in instance 1 is none in instance 2. If that cannot be, the problem is compliant.
 *
 * <p>One direction of the goal is enough for the basic form, because the two instances can be swapped. Rows are
 * premises on both instances. Everything written is a premise of the definition, so leaving premises out
 * ({@link ScopeFinder}) keeps proofs sound.
 *
 * <p>This is formula F of Chang, UCB/EECS-2021-244, section 3.4 (example 3.4.2): satisfiable exactly if the query is
 * not compliant. The strong form is definition 3.4.4, which solvers prove sooner; the basic form is definition 3.3.7.
 */
final class Encoder {

    private final Vocabulary vocabulary = Vocabulary.forProof();
    private final PlainProblem problem;
    private final Form form;
    private final Scope scope;
    private final BodyBuilder bodies;
    private final QueryWriter queries;
    private final OperandWriter operands;
    private final Bindings policyBindings;
    private final List<String> assertions = new ArrayList<>();

    private Encoder(PlainProblem problem, Policy policy, Form form, boolean generalised) {
        this.problem = problem;
        this.form = form;
        this.scope = ScopeFinder.forProof(problem, policy);
        this.bodies = new BodyBuilder(vocabulary, scope);
        this.queries = new QueryWriter(bodies);
        this.operands = new OperandWriter(vocabulary, generalised);
        this.policyBindings = new Bindings(List.of(), context());
    }

    /**
     * The problem as it is.
     *
     * <p>With values as constants, which solvers decide sooner than labels.
     */
    static SmtScript concrete(PlainProblem problem, Policy policy, Form form) {
        return new Encoder(problem, policy, form, false).encode().script();
    }

    /**
     * The same without the goal: if this cannot be, the premises cannot, and nothing is to be proved from them.
     *
     * <p>Two results of different moments may contradict each other, or an assertion: then "unsatisfiable" would be the
     * premises' doing.
     */
    static SmtScript premises(PlainProblem problem, Policy policy, Form form) {
        return new Encoder(problem, policy, form, false).encode(Goal.LEFT_OUT).script();
    }

    /**
     * That the goal has an answer, whatever was read: if this cannot be, its conditions contradict each other, the schema or
     * an assertion, and "unsatisfiable" would be their doing.
     */
    static SmtScript answer(PlainProblem problem, Policy policy, Form form) {
        return new Encoder(problem.withFacts(List.of()), policy, form, false)
                .encode(Goal.ANSWERED)
                .script();
    }

    /** The problem with every premise that a template could do without under a label. */
    static Generalised generalised(PlainProblem problem, Policy policy, Form form) {
        // Without complete results: a template's premises are rows, and other requests may have more of them.
        return new Encoder(problem.withFacts(problem.facts()), policy, form, true).encode();
    }

    /**
     * A script under labels.
     *
     * @param script assumes all labels
     * @param labels by Boolean constant
     */
    record Generalised(SmtScript script, Map<String, Label> labels) {}

    /** Sorted, so that the same problem makes the same script. */
    private Map<String, String> context() {
        Map<String, String> terms = new TreeMap<>();
        new TreeMap<>(problem.context())
                .forEach((name, arg) -> terms.put(name, operands.write(new Operand.ContextValue(name), arg)));
        return terms;
    }

    private Generalised encode() {
        return encode(Goal.ANSWERED_OTHERWISE);
    }

    /** What is said of the goal. */
    private enum Goal {
        LEFT_OUT,
        /** The first database has an answer. */
        ANSWERED,
        /** And the second does not have it. */
        ANSWERED_OTHERWISE
    }

    /** The order of assertions is that of the definition; for solvers it does not matter. */
    private Generalised encode(Goal goal) {
        ConstraintWriter constraints = new ConstraintWriter(vocabulary, scope, queries, policyBindings);
        assertions.addAll(constraints.write(1));
        // Where one database is asked of, the other may be the same.
        if (goal != Goal.ANSWERED) {
            assertions.addAll(constraints.write(2));
            scope.views().forEach(this::writeView);
        }
        for (int i = 0; i < problem.facts().size(); i++) {
            writeFact(i, problem.facts().get(i));
        }
        problem.answers().forEach(this::writeAnswer);
        problem.assumptions().forEach(this::writeAssumption);
        if (goal != Goal.LEFT_OUT) {
            writeGoal(goal == Goal.ANSWERED_OTHERWISE);
        }
        assertions.addAll(operands.assertions());
        return new Generalised(
                new SmtScript(text(), List.copyOf(operands.labels().keySet()), List.of()), operands.labels());
    }

    private void writeView(View view) {
        assertions.addAll(queries.contained(view.query(), 1, view.query(), 2, policyBindings));
        // The strong form knows less, so whatever it proves the basic form would prove, too.
        if (form == Form.BASIC) {
            assertions.addAll(queries.contained(view.query(), 2, view.query(), 1, policyBindings));
        }
    }

    private void writeFact(int number, Fact fact) {
        List<String> arguments = new ArrayList<>();
        for (int i = 0; i < fact.arguments().size(); i++) {
            arguments.add(operands.write(
                    new Operand.FactArgument(number, i), fact.arguments().get(i)));
        }
        Bindings bindings = new Bindings(arguments, policyBindings.context());
        List<@Nullable String> row = new ArrayList<>();
        for (int i = 0; i < fact.row().size(); i++) {
            Arg cell = fact.row().get(i);
            // A cell of a column that the scope left out would be a constant that nothing mentions.
            boolean matters =
                    cell != null && isWritten(fact.query(), fact.query().head().get(i));
            row.add(matters ? operands.write(new Operand.FactCell(number, i), cell) : null);
        }
        String both = Logic.and(
                skolemized(bodies.build(1, fact.query(), bindings, row)),
                // Hidden columns are constants of their own in each database: the two may differ in them.
                skolemized(bodies.build(2, fact.query(), bindings, row)));
        if (operands.isGeneralised()) {
            operands.premise("row", new Label.Row(number), both);
        } else {
            assertions.add(both);
        }
    }

    /** The scope has left out columns on which nothing hangs. */
    private boolean isWritten(ConjunctiveQuery query, Term term) {
        return Mentions.variables(List.of(term)).stream().allMatch(variable -> {
            Atom atom = Mentions.atomOf(query, variable);
            return scope.table(atom.table()).has(variable - atom.firstVariable());
        });
    }

    /** A row that is there needs no quantifier: its unknown cells are constants. */
    private String skolemized(Body body) {
        vocabulary.skolemize(body.variables());
        return body.conjunction();
    }

    private void writeAnswer(Answer answer) {
        List<String> arguments =
                answer.arguments().stream().map(operands::write).toList();
        Bindings bindings = new Bindings(arguments, policyBindings.context());
        for (ConjunctiveQuery disjunct : answer.query().disjuncts()) {
            // Of a table that takes no part the statement holds by leaving it empty.
            if (scope.tables().keySet().containsAll(Mentions.tables(disjunct))) {
                for (int instance = 1; instance <= 2; instance++) {
                    Body body = bodies.build(instance, disjunct, bindings);
                    List<String> rows = new ArrayList<>();
                    answer.rows().forEach(row -> rows.add(isRow(body.head(), row)));
                    assertions.add(Logic.forall(body.variables(), Logic.implies(body.conjunction(), Logic.or(rows))));
                }
            }
        }
    }

    /** What is not written, or not known, says nothing. */
    private String isRow(List<@Nullable String> head, List<@Nullable Arg> row) {
        List<String> equalities = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            String term = head.get(i);
            Arg cell = row.get(i);
            if (term != null && cell != null) {
                equalities.add(vocabulary.equal(term, operands.write(cell)));
            }
        }
        return Logic.and(equalities);
    }

    /** Comparisons hold of values that are there. */
    private void writeAssumption(Assumption assumption) {
        String left = operands.write(assumption.left());
        String right = operands.write(assumption.right());
        assertions.add(Logic.and(
                vocabulary.isNotNull(left), vocabulary.isNotNull(right), holds(assumption.operator(), left, right)));
    }

    /** An order between arguments is of use only if one of them tells what kind of order it is. */
    private String holds(Condition.Operator operator, String left, String right) {
        String line = Ordering.line(side(left), side(right));
        return switch (operator) {
            case EQUAL -> vocabulary.equal(left, right);
            case NOT_EQUAL -> Logic.not(vocabulary.equal(left, right));
            // Left out, which is a premise less.
            case LESS -> line == null ? Logic.TRUE : vocabulary.less(line, left, right, false);
            case LESS_OR_EQUAL -> line == null ? Logic.TRUE : vocabulary.less(line, left, right, true);
        };
    }

    /** Arguments have no type here, so a value's kind has to tell. */
    private Ordering.Side side(String term) {
        Value value = vocabulary.valueOf(term);
        return value == null ? Ordering.Side.OPEN : Ordering.Side.of(value);
    }

    /**
     * An answer of the goal in the first database.
     *
     * @param isOtherwise whether it is none in the second
     */
    private void writeGoal(boolean isOtherwise) {
        List<String> arguments = new ArrayList<>();
        for (int i = 0; i < problem.arguments().size(); i++) {
            arguments.add(operands.write(
                    new Operand.GoalArgument(i), problem.arguments().get(i)));
        }
        Bindings bindings = new Bindings(arguments, policyBindings.context());
        List<ConjunctiveQuery> disjuncts = problem.goal().disjuncts();
        List<@Nullable String> head;
        if (disjuncts.size() == 1) {
            Body body = bodies.build(1, disjuncts.get(0), bindings);
            // "There is an answer" becomes an answer with names: solvers need not instantiate it.
            vocabulary.skolemize(body.variables());
            assertions.addAll(body.literals());
            head = body.head();
        } else {
            head = answerOfSomeDisjunct(disjuncts, bindings);
        }
        if (isOtherwise) {
            assertions.add(Logic.not(queries.has(problem.goal(), 2, bindings, head)));
        }
    }

    private List<@Nullable String> answerOfSomeDisjunct(List<ConjunctiveQuery> disjuncts, Bindings bindings) {
        List<@Nullable String> head = new ArrayList<>();
        int width = disjuncts.isEmpty() ? 0 : disjuncts.get(0).head().size();
        for (int i = 0; i < width; i++) {
            // Which disjunct gives the answer is open, its cells are not.
            head.add(vocabulary.constant("h" + i));
        }
        List<String> ways = new ArrayList<>();
        for (ConjunctiveQuery disjunct : disjuncts) {
            ways.add(skolemized(bodies.build(1, disjunct, bindings, head)));
        }
        assertions.add(Logic.or(ways));
        return head;
    }

    private String text() {
        StringBuilder text = new StringBuilder("(set-logic ");
        String prelude = vocabulary.prelude();
        // The logic is named as narrow as it is: solvers choose their strategy by it.
        text.append(vocabulary.usesNumbers() ? "UFLRA" : "UF").append(")\n").append(prelude);
        for (String assertion : assertions) {
            if (!assertion.equals(Logic.TRUE)) {
                text.append("(assert ").append(assertion).append(")\n");
            }
        }
        return text.toString();
    }
}
