package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.decide.Budget;
import io.leeway.privoxy.internal.decide.ChaseEngine;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Obligation;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.request.Trace;
import io.leeway.privoxy.internal.solver.SolverStage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What was refused, or not decided, costs once a minute and not each time. */
class RefusalMemoryTest {

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
    private final UnionQuery byId = UnionQuery.of(new ConjunctiveQuery(
            List.of(new Atom("notes", 0, 2)),
            List.of(new Condition.Comparison(Condition.Operator.EQUAL, new Term.Variable(0), new Term.Parameter(0))),
            List.of(new Term.Variable(1))));
    private final Obligation obligation = new Obligation(byId, List.of(), Obligation.ROWS);
    private final ChaseEngine chase = new ChaseEngine(policy, Budget.DEFAULT);
    private int searches;
    private final Decider decider = new Decider(
            chase,
            TemplateStage.NONE,
            problem -> {
                searches++;
                return null;
            },
            SolverStage.NONE,
            new Facts(policy, chase, 10));

    @Test
    void theSameQuestionIsSearchedForOnce() {
        Decision first = decide(1, 7);

        assertThat(decide(1, 7)).isSameAs(first).isInstanceOf(Refused.class);
        assertThat(searches).isEqualTo(1);
    }

    @Test
    void anotherArgumentOrUserIsAnotherQuestion() {
        decide(1, 7);
        decide(2, 7);
        decide(1, 8);

        assertThat(searches).isEqualTo(3);
    }

    @Test
    void aRefusalIsForgottenAfterAMinute() {
        long[] now = {0};
        var memory = new RefusalMemory(() -> now[0]);
        var refused = (Refused.Unproved) decide(1, 7);
        var question = new RefusalMemory.Question(obligation, refused.problem(), List.of());
        memory.put(question, refused);

        assertThat(memory.find(question)).isSameAs(refused);
        now[0] += Duration.ofMinutes(1).toNanos();
        assertThat(memory.find(question)).isNull();
    }

    private Decision decide(long id, long me) {
        Map<String, Value> context = Map.of("Me", Value.of(me));
        Request request = new Request(context, new Trace(new Trace.Bounds(10, 10, 100)));
        return decider.decide(obligation, policy.goal(byId), List.of(Value.of(id)), context, request.known());
    }
}
