package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.cache.Template;
import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Fact;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.solver.Form;
import io.leeway.privoxy.internal.solver.SolverDecision;
import io.leeway.privoxy.internal.solver.SolverStage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RememberingSolversTest {

    private static final SolverDecision UNDECIDED = new SolverDecision.Undecided("too hard");
    private static final SolverDecision COMPLIANT = new SolverDecision.Compliant(Form.STRONG, "z3");

    private final CompiledPolicy policy = CompiledPolicy.of(new Policy(
            new Schema(Map.of(
                    "notes",
                    new Table(
                            "notes",
                            List.of(
                                    new Column("id", ColumnType.integer("BIGINT"), false),
                                    new Column("owner", ColumnType.integer("BIGINT"), false)),
                            List.of(new Key("pk", List.of(0), false)),
                            List.of()))),
            Map.of("Me", ColumnType.integer("BIGINT")),
            List.of(),
            List.of()));
    private final ConjunctiveQuery byId = new ConjunctiveQuery(
            List.of(new Atom("notes", 0, 2)),
            List.of(new Condition.Comparison(Condition.Operator.EQUAL, new Term.Variable(0), new Term.Parameter(0))),
            List.of(new Term.Variable(1)));

    private final Counting solvers = new Counting();
    private long now;
    private final RememberingSolvers remembering = new RememberingSolvers(solvers, () -> now);

    @Test
    void theSameRefusalCostsOnce() {
        assertThat(remembering.decide(problem(1, 7))).isSameAs(UNDECIDED);
        assertThat(remembering.decide(problem(1, 7))).isSameAs(UNDECIDED);

        assertThat(solvers.asked).isEqualTo(1);
    }

    @Test
    void anotherArgumentUserOrRowIsAnotherQuestion() {
        remembering.decide(problem(1, 7));
        solvers.answer = COMPLIANT;

        assertThat(remembering.decide(problem(2, 7))).isSameAs(COMPLIANT);
        assertThat(remembering.decide(problem(1, 8))).isSameAs(COMPLIANT);
        assertThat(remembering.decide(problem(1, 7, fact(1, 7)))).isSameAs(COMPLIANT);
        assertThat(remembering.decide(problem(1, 7, fact(1, 8)))).isSameAs(COMPLIANT);
        assertThat(solvers.asked).isEqualTo(5);
    }

    @Test
    void whatIsAllowedIsProvedEachTime() {
        solvers.answer = COMPLIANT;
        remembering.decide(problem(1, 7));
        solvers.answer = UNDECIDED;

        assertThat(remembering.decide(problem(1, 7))).isSameAs(UNDECIDED);
    }

    @Test
    void aRefusalIsNotRememberedForLong() {
        remembering.decide(problem(1, 7));
        solvers.answer = COMPLIANT;
        now += Duration.ofMinutes(1).toNanos();

        assertThat(remembering.decide(problem(1, 7))).isSameAs(COMPLIANT);
    }

    @Test
    void theAnswerOfAnInterruptedThreadIsNotRemembered() {
        Thread.currentThread().interrupt();
        remembering.decide(problem(1, 7));
        assertThat(Thread.interrupted()).isTrue();
        solvers.answer = COMPLIANT;

        assertThat(remembering.decide(problem(1, 7))).isSameAs(COMPLIANT);
    }

    @Test
    void aGoalWithoutATemplateIsNotTriedAgain() {
        remembering.generalise(problem(1, 7), Form.STRONG);
        remembering.generalise(problem(2, 8), Form.STRONG);

        assertThat(solvers.generalised).isEqualTo(1);
    }

    private Problem problem(long id, long me, Fact... facts) {
        return new Problem(
                policy.goal(UnionQuery.of(byId)),
                List.of(Arg.of(Value.of(id))),
                Map.of("Me", Arg.of(Value.of(me))),
                List.of(facts),
                List.of());
    }

    private Fact fact(long id, long owner) {
        return new Fact(policy.shape(byId), List.of(Arg.of(Value.of(id))), List.of(Arg.of(Value.of(owner))));
    }

    private static final class Counting implements SolverStage {

        private SolverDecision answer = UNDECIDED;
        private int asked;
        private int generalised;

        @Override
        public SolverDecision decide(Problem problem) {
            asked++;
            return answer;
        }

        @Override
        public boolean proves(Problem problem) {
            return false;
        }

        @Override
        public @Nullable Template generalise(Problem proved, Form form) {
            generalised++;
            return null;
        }
    }
}
