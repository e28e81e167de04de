package io.leeway.privoxy.internal.refute;

import static io.leeway.privoxy.internal.refute.Calendar.number;
import static io.leeway.privoxy.internal.refute.Calendar.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CounterexampleCheckerTest {

    private static final List<Value> EVENT = List.of(Value.of(5), Value.of("Dentist"), Value.NULL);
    private static final List<Value> OTHER_EVENT = List.of(Value.of(5), Value.of("Lunch"), Value.NULL);
    private static final List<Value> USER = List.of(Value.of(2), Value.of("Jo"), Value.FALSE);
    private static final List<Value> ATTENDANCE = List.of(Value.of(2), Value.of(5), Value.NULL);
    private static final SmallDatabase EMPTY = SmallDatabase.of(Map.of());

    private final PlainProblem problem = problem(Calendar.TITLE, List.of(number(5)));

    @Test
    void databasesThatTheViewsCannotTellApartRefute() {
        Counterexample found = Objects.requireNonNull(
                check(problem, Calendar.POLICY, SmallDatabase.of(Map.of("events", List.of(EVENT))), EMPTY));

        assertThat(found.answer()).containsExactly(Value.of("Dentist"));
        assertThat(found.functions()).isEmpty();
    }

    @Test
    void theFirstDatabaseIsTheOneThatHasTheAnswer() {
        SmallDatabase event = SmallDatabase.of(Map.of("events", List.of(EVENT)));

        Counterexample found = Objects.requireNonNull(check(problem, Calendar.POLICY, EMPTY, event));

        assertThat(found.first()).isEqualTo(event);
    }

    @Test
    void databasesThatAViewTellsApartDoNot() {
        assertThat(check(problem, Calendar.POLICY, attended(EVENT), attended(OTHER_EVENT)))
                .isNull();
    }

    @Test
    void databasesThatDoNotGiveTheSeenRowsDoNot() {
        PlainProblem seen = problem(Calendar.TITLE, List.of(number(5)), Calendar.attendance());

        assertThat(check(seen, Calendar.POLICY, SmallDatabase.of(Map.of("events", List.of(EVENT))), EMPTY))
                .isNull();
    }

    @Test
    void databasesThatGiveMoreThanACompleteAnswerDoNot() {
        PlainProblem nothingThere = new PlainProblem(
                Calendar.TITLE,
                List.of(number(5)),
                Map.of("MyUId", number(2)),
                List.of(),
                List.of(new PlainProblem.Answer(Calendar.TITLE, List.of(number(5)), List.of())),
                List.of());

        assertThat(check(nothingThere, Calendar.POLICY, SmallDatabase.of(Map.of("events", List.of(EVENT))), EMPTY))
                .isNull();
    }

    @Test
    void databasesThatBreakAConstraintDoNot() {
        SmallDatabase twice = SmallDatabase.of(Map.of("events", List.of(EVENT, OTHER_EVENT)));
        SmallDatabase dangling = SmallDatabase.of(Map.of(
                "events", List.of(EVENT), "attendances", List.of(List.of(Value.of(9), Value.of(5), Value.NULL))));
        SmallDatabase keyless =
                SmallDatabase.of(Map.of("events", List.of(List.of(Value.NULL, Value.NULL, Value.NULL))));

        assertThat(check(problem, Calendar.POLICY, twice, EMPTY)).isNull();
        assertThat(check(problem, Calendar.POLICY, dangling, EMPTY)).isNull();
        assertThat(check(problem, Calendar.POLICY, keyless, EMPTY)).isNull();
    }

    @Test
    void databasesThatBreakAnInclusionDoNot() {
        Policy noEvents = new Policy(
                Calendar.SCHEMA,
                Map.of(),
                List.of(),
                List.of(new Inclusion("none", Calendar.POLICY.views().get(1).query(), new UnionQuery(List.of()), "")));

        assertThat(check(problem, noEvents, attended(EVENT), EMPTY)).isNull();
    }

    @Test
    void valuesOfTheWrongTypeDoNot() {
        List<Value> text = List.of(Value.of(5), Value.of(17), Value.NULL);

        assertThat(check(problem, Calendar.POLICY, SmallDatabase.of(Map.of("events", List.of(text))), EMPTY))
                .isNull();
    }

    private static SmallDatabase attended(List<Value> event) {
        return SmallDatabase.of(
                Map.of("users", List.of(USER), "events", List.of(event), "attendances", List.of(ATTENDANCE)));
    }

    private static @Nullable Counterexample check(
            PlainProblem problem, Policy policy, SmallDatabase first, SmallDatabase second) {
        return new CounterexampleChecker(problem, policy, new Functions()).check(first, second);
    }
}
