package io.leeway.privoxy.internal.decide;

import static io.leeway.privoxy.internal.decide.QueryBuilder.constant;
import static io.leeway.privoxy.internal.decide.QueryBuilder.context;
import static io.leeway.privoxy.internal.decide.QueryBuilder.from;
import static io.leeway.privoxy.internal.decide.QueryBuilder.parameter;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Condition.Operator;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChaseEngineTest {

    private static final Schema CALENDAR = new SchemaBuilder()
            .table("users", "id!", "name text", "admin! boolean")
            .key("users", "id")
            .table("events", "id!", "title text", "duration", "cancelled")
            .key("events", "id")
            .table("attendances", "user_id!", "event_id!", "confirmed_at")
            .key("attendances", "user_id", "event_id")
            .foreignKey("attendances", "user_id", "users", "id")
            .foreignKey("attendances", "event_id", "events", "id")
            .table("accounts", "id!", "email citext", "owner", "open boolean")
            .key("accounts", "id")
            .unique("accounts", "email")
            .foreignKey("accounts", "owner", "users", "id")
            .build();

    private static final UnionQuery ALL_USERS = from(CALENDAR, "users u").union("u.*");
    private static final UnionQuery MY_EVENTS = from(CALENDAR, "events e", "attendances a")
            .equal("e.id", "a.event_id")
            .equal("a.user_id", context("MyUId"))
            .union("e.*", "a.*");
    private static final UnionQuery ADMINS_EVENTS = from(CALENDAR, "events e", "attendances a", "users u")
            .equal("e.id", "a.event_id")
            .equal("u.id", context("MyUId"))
            .equal("u.admin", true)
            .union("e.*", "a.*");

    private static final ConjunctiveQuery EVENT_BY_ID =
            from(CALENDAR, "events e").equal("e.id", parameter(0)).select("e.id", "e.title");
    private static final ConjunctiveQuery ATTENDANCE = from(CALENDAR, "attendances a")
            .equal("a.user_id", parameter(0))
            .equal("a.event_id", parameter(1))
            .select("a.user_id", "a.event_id");
    private static final ConjunctiveQuery USER_BY_ID =
            from(CALENDAR, "users u").equal("u.id", parameter(0)).select("u.id", "u.name", "u.admin");

    @Test
    void aProjectionOfAViewIsCompliant() {
        assertThat(new Case(ALL_USERS).goal(from(CALENDAR, "users u").select("u.id", "u.name")))
                .isEqualTo(true);
    }

    @Test
    void anEventIsNotCompliantWithoutTrace() {
        Case calendar = new Case(ALL_USERS, MY_EVENTS, ADMINS_EVENTS);

        assertThat(calendar.goal(EVENT_BY_ID, 5)).isFalse();
    }

    @Test
    void anEventIsCompliantOnceTheAttendanceWasSeen() {
        Case calendar = new Case(ALL_USERS, MY_EVENTS, ADMINS_EVENTS).saw(ATTENDANCE, List.of(2, 5), 2, 5);

        assertThat(calendar.goal(EVENT_BY_ID, 5)).isTrue();
        assertThat(calendar.goal(EVENT_BY_ID, 6)).isFalse();
    }

    /** What was taken for the same at any time, and is not, as a text by which a server asks its clock. */
    @Test
    void whatContradictsItselfProvesNothing() {
        QueryBuilder users = from(CALENDAR, "users u");
        ConjunctiveQuery read =
                users.equal("u.id", users.function("fn:f", parameter(0))).select("u.id", "u.name");
        Case calendar = new Case(ALL_USERS, MY_EVENTS, ADMINS_EVENTS)
                .saw(ATTENDANCE, List.of(2, 5), 2, 5)
                .saw(read, List.of("today"), 3, "Ada")
                .saw(read, List.of("today"), 4, "Bob");

        assertThat(calendar.goal(EVENT_BY_ID, 6)).isFalse();
        assertThat(calendar.goal(from(CALENDAR, "accounts a").select("a.email")))
                .isFalse();
        assertThat(calendar.goal(from(CALENDAR, "users u").select("u.name"))).isTrue();
    }

    @Test
    void somebodyElsesAttendanceShowsNothing() {
        Case calendar = new Case(ALL_USERS, MY_EVENTS, ADMINS_EVENTS).saw(ATTENDANCE, List.of(3, 5), 3, 5);

        assertThat(calendar.goal(EVENT_BY_ID, 5)).isFalse();
    }

    @Test
    void anAdministratorSeesAttendedEventsOnceTheRoleWasSeen() {
        ConjunctiveQuery attended = from(CALENDAR, "events e", "attendances a")
                .equal("e.id", "a.event_id")
                .select("e.id", "e.title");
        Case calendar = new Case(ALL_USERS, MY_EVENTS, ADMINS_EVENTS);

        assertThat(calendar.goal(attended)).isFalse();
        assertThat(calendar.saw(USER_BY_ID, List.of(2), 2, "Ada", true).goal(attended))
                .isTrue();
        assertThat(new Case(ALL_USERS, MY_EVENTS, ADMINS_EVENTS)
                        .saw(USER_BY_ID, List.of(2), 2, "Ada", false)
                        .goal(attended))
                .isFalse();
    }

    @Test
    void existenceOfAHiddenRowIsNotCompliant() {
        ConjunctiveQuery any = from(CALENDAR, "events e").select();

        assertThat(new Case(ALL_USERS, MY_EVENTS).goal(any)).isFalse();
    }

    @Test
    void aForeignKeyShowsThatTheReferredRowExists() {
        UnionQuery attendances = from(CALENDAR, "attendances a").union("a.*");
        ConjunctiveQuery attendedIds = from(CALENDAR, "attendances a", "events e")
                .equal("a.event_id", "e.id")
                .select("a.event_id");
        ConjunctiveQuery titles = from(CALENDAR, "attendances a", "events e")
                .equal("a.event_id", "e.id")
                .select("e.title");

        assertThat(new Case(attendances).goal(attendedIds)).isTrue();
        assertThat(new Case(attendances).goal(titles)).isFalse();
    }

    @Test
    void aNullableForeignKeyShowsNothingWhereItIsNull() {
        UnionQuery owned =
                from(CALENDAR, "accounts a", "users u").equal("a.owner", "u.id").union("a.id", "a.owner");
        ConjunctiveQuery all = from(CALENDAR, "accounts a").select("a.id", "a.owner");
        ConjunctiveQuery withOwner =
                from(CALENDAR, "accounts a").isNotNull("a.owner").select("a.id", "a.owner");

        assertThat(new Case(owned).goal(all)).isFalse();
        assertThat(new Case(owned).goal(withOwner)).isTrue();
    }

    @Test
    void viewsThatTogetherCoverNullAndNotNullCoverAll() {
        UnionQuery withOwner = from(CALENDAR, "accounts a").isNotNull("a.owner").union("a.id", "a.owner");
        UnionQuery without = from(CALENDAR, "accounts a").isNull("a.owner").union("a.id", "a.owner");
        ConjunctiveQuery all = from(CALENDAR, "accounts a").select("a.id", "a.owner");

        assertThat(new Case(withOwner).goal(all)).isFalse();
        assertThat(new Case(withOwner, without).goal(all)).isTrue();
    }

    @Test
    void viewsOnBothTruthValuesLeaveOutNull() {
        UnionQuery open = from(CALENDAR, "accounts a").equal("a.open", true).union("a.id");
        UnionQuery closed = from(CALENDAR, "accounts a").equal("a.open", false).union("a.id");
        UnionQuery unknown = from(CALENDAR, "accounts a").isNull("a.open").union("a.id");
        ConjunctiveQuery all = from(CALENDAR, "accounts a").select("a.id");

        assertThat(new Case(open, closed).goal(all)).isFalse();
        assertThat(new Case(open, closed, unknown).goal(all)).isTrue();
    }

    @Test
    void aUnionViewShowsARowButNotWhichBranchItIsDueTo() {
        UnionQuery either = new UnionQuery(List.of(
                from(CALENDAR, "events e").equal("e.duration", 1).select("e.id"),
                from(CALENDAR, "events e").equal("e.cancelled", 1).select("e.id")));
        ConjunctiveQuery first =
                from(CALENDAR, "events e").equal("e.duration", 1).select("e.id");

        assertThat(new Case(either).goal(either)).isTrue();
        assertThat(new Case(either).goal(first)).isFalse();
    }

    @Test
    void toHaveSeenMoreDoesNotCostAProof() {
        ConjunctiveQuery first =
                from(CALENDAR, "events e").equal("e.duration", 1).select("e.id");
        UnionQuery either = new UnionQuery(List.of(
                first, from(CALENDAR, "events e").equal("e.cancelled", 1).select("e.id")));
        Case calendar = new Case(either);
        for (int id = 1; id <= 20; id++) {
            // Each of these rows leaves open to which branch of the view it is due.
            calendar.saw(first, List.of(), id);
        }

        assertThat(calendar.goal(either)).isTrue();
        assertThat(calendar.goal(first)).isFalse();
    }

    /** That each duration is TRUE excludes nothing: where it is not so, everything would follow. */
    @Test
    void anInclusionSaysNothingOfTheRowItself() {
        UnionQuery either = new UnionQuery(List.of(
                from(CALENDAR, "events e").select("e.duration"),
                from(CALENDAR, "accounts a").equal("a.open", false).select("a.open")));
        Inclusion everyDurationIsTrue = new Inclusion(
                "durations",
                from(CALENDAR, "events e").union("e.duration"),
                from(CALENDAR, "accounts a").equal("a.open", true).union("a.open"),
                "");
        ConjunctiveQuery some =
                from(CALENDAR, "events e").oneOf("e.duration", 0, parameter(0)).select("e.duration");

        assertThat(new Case(either).with(everyDurationIsTrue).goal(some, 5)).isFalse();
        assertThat(new Case(either).with(everyDurationIsTrue).goal(some, Value.NULL))
                .isFalse();
    }

    @Test
    void aUnionViewThatShowsTheDistinguishingColumnDoesTellWhichBranch() {
        UnionQuery either = new UnionQuery(List.of(
                from(CALENDAR, "events e").equal("e.duration", 1).select("e.id", "e.duration"),
                from(CALENDAR, "events e").equal("e.duration", 2).select("e.id", "e.duration")));
        ConjunctiveQuery first =
                from(CALENDAR, "events e").equal("e.duration", 1).select("e.id");

        assertThat(new Case(either).goal(first)).isTrue();
    }

    @Test
    void anInListIsCoveredByALongerOneThatShowsTheColumn() {
        UnionQuery some =
                from(CALENDAR, "events e").oneOf("e.duration", 1, 2, 3).union("e.id", "e.duration");
        ConjunctiveQuery fewer =
                from(CALENDAR, "events e").oneOf("e.duration", 1, 2).select("e.id");
        ConjunctiveQuery more =
                from(CALENDAR, "events e").oneOf("e.duration", 1, 4).select("e.id");

        assertThat(new Case(some).goal(fewer)).isTrue();
        assertThat(new Case(some).goal(more)).isFalse();
    }

    @Test
    void nullInAnInListTellsNothingOfTheOtherOptions() {
        UnionQuery ids = from(CALENDAR, "events e").union("e.id");
        ConjunctiveQuery durations = from(CALENDAR, "events e")
                .oneOf("e.duration", parameter(0), parameter(1))
                .select("e.duration");

        assertThat(new Case(ids).goal(durations, 1, Value.NULL)).isFalse();
        assertThat(new Case(ids).goal(durations, Value.NULL, 1)).isFalse();
    }

    @Test
    void orderComparisonsFollowFromTighterOnes() {
        UnionQuery some = from(CALENDAR, "events e")
                .compare(Operator.LESS, "e.duration", constant(10))
                .union("e.id", "e.duration");
        ConjunctiveQuery fewer = from(CALENDAR, "events e")
                .compare(Operator.LESS_OR_EQUAL, "e.duration", constant(5))
                .select("e.id");
        ConjunctiveQuery more = from(CALENDAR, "events e")
                .compare(Operator.LESS, "e.duration", constant(11))
                .select("e.id");

        assertThat(new Case(some).goal(fewer)).isTrue();
        assertThat(new Case(some).goal(more)).isFalse();
    }

    @Test
    void viewsOnBothSidesOfABoundCoverTheNonNullRows() {
        UnionQuery small = from(CALENDAR, "events e")
                .compare(Operator.LESS, "e.duration", constant(10))
                .union("e.id");
        UnionQuery large = from(CALENDAR, "events e")
                .compare(Operator.LESS_OR_EQUAL, constant(10), "e.duration")
                .union("e.id");

        assertThat(new Case(small, large)
                        .goal(from(CALENDAR, "events e").isNotNull("e.duration").select("e.id")))
                .isTrue();
        assertThat(new Case(small, large).goal(from(CALENDAR, "events e").select("e.id")))
                .isFalse();
    }

    @Test
    void aContradictoryQueryIsCompliantWhereItIsWithoutOneOfItsConditions() {
        ConjunctiveQuery impossible = from(CALENDAR, "events e")
                .compare(Operator.LESS, "e.duration", constant(1))
                .compare(Operator.LESS, constant(2), "e.duration")
                .select("e.title");
        UnionQuery titles = from(CALENDAR, "events e").union("e.title");
        UnionQuery both = from(CALENDAR, "events e").union("e.title", "e.duration");
        UnionQuery longOnes = from(CALENDAR, "events e")
                .compare(Operator.LESS, constant(2), "e.duration")
                .union("e.title", "e.duration");

        assertThat(new Case(ALL_USERS).goal(impossible)).isFalse();
        assertThat(new Case(titles).goal(impossible)).isFalse();
        assertThat(new Case(both).goal(impossible)).isTrue();
        assertThat(new Case(longOnes).goal(impossible)).isTrue();
        assertThat(new Case(ALL_USERS)
                        .goal(from(CALENDAR, "events e")
                                .compare(Operator.LESS, constant(2), constant(1))
                                .select("e.title")))
                .isTrue();
    }

    @Test
    void twoHalvesJoinOverTheKeyButNotOverANullableUniqueColumn() {
        UnionQuery titles = from(CALENDAR, "events e").union("e.id", "e.title");
        UnionQuery durations = from(CALENDAR, "events e").union("e.id", "e.duration");
        UnionQuery owners = from(CALENDAR, "accounts a").union("a.email", "a.owner");
        UnionQuery opens = from(CALENDAR, "accounts a").union("a.email", "a.open");
        ConjunctiveQuery pair = from(CALENDAR, "accounts a").select("a.owner", "a.open");
        ConjunctiveQuery pairWithEmail =
                from(CALENDAR, "accounts a").isNotNull("a.email").select("a.owner", "a.open");

        assertThat(new Case(titles, durations).goal(from(CALENDAR, "events e").select("e.title", "e.duration")))
                .isTrue();
        assertThat(new Case(owners, opens).goal(pair)).isFalse();
        assertThat(new Case(owners, opens).goal(pairWithEmail)).isTrue();
    }

    @Test
    void aConstantUnderACaseInsensitiveCollationIsNotTheStoredValue() {
        QueryBuilder byEmail = from(CALENDAR, "accounts a");
        UnionQuery view = UnionQuery.of(
                byEmail.equal(byEmail.function("key:ci", "a.email"), byEmail.function("key:ci", constant("A")))
                        .select("a.id", "a.email"));
        QueryBuilder lower = from(CALENDAR, "accounts a");
        ConjunctiveQuery same = lower.equal(
                        lower.function("key:ci", "a.email"), lower.function("key:ci", constant("A")))
                .select("a.email");
        QueryBuilder other = from(CALENDAR, "accounts a");
        ConjunctiveQuery another = other.equal(
                        other.function("key:ci", "a.email"), other.function("key:ci", constant("B")))
                .select("a.id");

        assertThat(new Case(view).goal(same)).isTrue();
        assertThat(new Case(view).goal(another)).isFalse();
    }

    @Test
    void aFunctionOfAShownColumnIsCompliantAndTheColumnOfAShownFunctionIsNot() {
        QueryBuilder lower = from(CALENDAR, "users u");
        UnionQuery lowered = UnionQuery.of(lower.select("u.id", lower.function("lower", "u.name")));
        QueryBuilder goal = from(CALENDAR, "users u");
        ConjunctiveQuery loweredGoal = goal.select("u.id", goal.function("lower", "u.name"));

        assertThat(new Case(ALL_USERS).goal(loweredGoal)).isTrue();
        assertThat(new Case(lowered).goal(loweredGoal)).isTrue();
        assertThat(new Case(lowered).goal(from(CALENDAR, "users u").select("u.name")))
                .isFalse();
    }

    @Test
    void anInclusionMakesARowShown() {
        UnionQuery shortEvents =
                from(CALENDAR, "events e").equal("e.duration", 1).union("e.id", "e.title");
        Inclusion cancelledAreShort = new Inclusion(
                "cancelled_are_short",
                from(CALENDAR, "events e").equal("e.cancelled", 1).union("e.id"),
                from(CALENDAR, "events e").equal("e.duration", 1).union("e.id"),
                "");
        Case without = new Case(shortEvents).saw(cancelledId(), List.of(7), 7);
        assertThat(without.goal(EVENT_BY_ID, 7)).isFalse();
        assertThat(without.with(cancelledAreShort).goal(EVENT_BY_ID, 7)).isTrue();
    }

    private static ConjunctiveQuery cancelledId() {
        return from(CALENDAR, "events e")
                .equal("e.cancelled", 1)
                .equal("e.id", parameter(0))
                .select("e.id");
    }

    @Test
    void cyclicForeignKeysEnd() {
        Schema cyclic = new SchemaBuilder()
                .table("people", "id!", "user_id!")
                .key("people", "id")
                .table("users", "id!", "person_id!")
                .key("users", "id")
                .foreignKey("people", "user_id", "users", "id")
                .foreignKey("users", "person_id", "people", "id")
                .build();
        UnionQuery joined =
                from(cyclic, "users u", "people p").equal("u.person_id", "p.id").union("u.id");

        assertThat(new Case(cyclic, List.of(joined))
                        .goal(from(cyclic, "people p").select("p.user_id")))
                .isFalse();
        assertThat(new Case(cyclic, List.of(joined))
                        .goal(from(cyclic, "users u").select("u.id")))
                .isTrue();
    }

    @Test
    void joinsOfManyRowsAreCutOff() {
        Schema pairs = new SchemaBuilder().table("pairs", "a!", "b!", "c!").build();
        Inclusion closedUnderExchange = new Inclusion(
                "exchange",
                from(pairs, "pairs x", "pairs y", "pairs z").union("x.a", "y.b", "z.c"),
                from(pairs, "pairs p").union("p.a", "p.b", "p.c"),
                "");
        Case exploding = new Case(pairs, List.of(from(pairs, "pairs p").union("p.a"))).with(closedUnderExchange);
        String[] atoms = IntStream.range(0, 20).mapToObj(i -> "pairs p" + i).toArray(String[]::new);
        ConjunctiveQuery many = from(pairs, atoms).select("p0.a", "p0.b", "p0.c");

        assertThat(exploding.verdict(UnionQuery.of(many))).isInstanceOf(Verdict.CutOff.class);
    }

    @Test
    void aSearchThatCameToItsEndIsNotCutOff() {
        assertThat(new Case(MY_EVENTS).verdict(UnionQuery.of(EVENT_BY_ID), 5)).isInstanceOf(Verdict.Exhausted.class);
    }

    @Test
    void missingContextLeavesOnlyContextFreeViews() {
        Case calendar = new Case(ALL_USERS, MY_EVENTS)
                .saw(ATTENDANCE, List.of(2, 5), 2, 5)
                .withoutContext();

        assertThat(calendar.goal(EVENT_BY_ID, 5)).isFalse();
        assertThat(calendar.goal(USER_BY_ID, 5)).isTrue();
    }

    @Test
    void aGoalMayNameAParameterThatTheRequestLacks() {
        ConjunctiveQuery mine = from(CALENDAR, "events e", "attendances a")
                .equal("e.id", "a.event_id")
                .equal("a.user_id", context("MyUId"))
                .select("e.id", "e.title");
        ConjunctiveQuery me =
                from(CALENDAR, "users u").equal("u.id", context("MyUId")).select("u.id", "u.name");

        assertThat(new Case(ALL_USERS, MY_EVENTS).goal(mine)).isTrue();
        assertThat(new Case(ALL_USERS, MY_EVENTS).withoutContext().goal(mine)).isFalse();
        assertThat(new Case(ALL_USERS, MY_EVENTS).withoutContext().goal(me)).isTrue();
    }

    @Test
    void whatHoldsForAParameterThatTheRequestLacksIsNotUsed() {
        Inclusion iAttendEverything = new Inclusion(
                "busy",
                from(CALENDAR, "events e").union("e.id", context("MyUId")),
                from(CALENDAR, "attendances a").union("a.event_id", "a.user_id"),
                "");
        ConjunctiveQuery titles = from(CALENDAR, "events e").select("e.id", "e.title");

        assertThat(new Case(MY_EVENTS).with(iAttendEverything).goal(titles)).isTrue();
        assertThat(new Case(MY_EVENTS).with(iAttendEverything).withoutContext().goal(titles))
                .isFalse();
    }

    @Test
    void symbolsProveForAllValuesAtOnce() {
        Case calendar = new Case(ALL_USERS, MY_EVENTS);
        Arg me = new Arg.Symbol(1, true);
        Arg event = new Arg.Symbol(2, true);
        Arg other = new Arg.Symbol(3, true);

        assertThat(calendar.symbolic(me, List.of(me, event), List.of(me, event), event))
                .isTrue();
        assertThat(calendar.symbolic(me, List.of(me, event), List.of(me, event), other))
                .isFalse();
        assertThat(calendar.symbolic(me, List.of(other, event), List.of(other, event), event))
                .isFalse();
    }

    /** A policy with a trace. */
    private static final class Case {
        private final Schema schema;
        private final List<View> views = new ArrayList<>();
        private final List<Inclusion> inclusions = new ArrayList<>();
        private final List<Object[]> trace = new ArrayList<>();
        private Map<String, Arg> context = Map.of("MyUId", Arg.of(Value.of(2)));

        Case(UnionQuery... views) {
            this(CALENDAR, Arrays.asList(views));
        }

        Case(Schema schema, List<UnionQuery> views) {
            this.schema = schema;
            for (UnionQuery view : views) {
                this.views.add(new View("v" + this.views.size(), "", view, List.of(), ""));
            }
        }

        Case saw(ConjunctiveQuery query, List<Object> arguments, Object... row) {
            trace.add(new Object[] {query, arguments, Arrays.asList(row)});
            return this;
        }

        Case with(Inclusion inclusion) {
            inclusions.add(inclusion);
            return this;
        }

        Case withoutContext() {
            context = Map.of();
            return this;
        }

        boolean goal(ConjunctiveQuery query, Object... arguments) {
            return goal(UnionQuery.of(query), arguments);
        }

        boolean goal(UnionQuery query, Object... arguments) {
            return verdict(query, arguments).isCompliant();
        }

        @SuppressWarnings("unchecked")
        Verdict verdict(UnionQuery query, Object... arguments) {
            CompiledPolicy policy = policy();
            List<Fact> facts = new ArrayList<>();
            for (Object[] entry : trace) {
                facts.add(new Fact(
                        policy.shape((ConjunctiveQuery) entry[0]), args((List<Object>) entry[1]), args((List<Object>)
                                entry[2])));
            }
            return new ChaseEngine(policy, Budget.DEFAULT)
                    .decide(new Problem(policy.goal(query), args(Arrays.asList(arguments)), context, facts, List.of()));
        }

        boolean symbolic(Arg me, List<Arg> seenArguments, List<Arg> seenRow, Arg event) {
            CompiledPolicy policy = policy();
            Fact fact = new Fact(policy.shape(ATTENDANCE), seenArguments, seenRow);
            return new ChaseEngine(policy, Budget.DEFAULT)
                    .decide(new Problem(
                            policy.goal(UnionQuery.of(EVENT_BY_ID)),
                            List.of(event),
                            Map.of("MyUId", me),
                            List.of(fact),
                            List.of()))
                    .isCompliant();
        }

        private CompiledPolicy policy() {
            return CompiledPolicy.of(
                    new Policy(schema, Map.of("MyUId", ColumnType.integer("bigint")), views, inclusions));
        }

        private static List<Arg> args(List<Object> values) {
            return values.stream()
                    .map(value -> value instanceof Value known
                            ? Arg.of(known)
                            : value instanceof Boolean truth
                                    ? Arg.of(Value.of(truth))
                                    : value instanceof String text
                                            ? Arg.of(Value.of(text))
                                            : Arg.of(Value.of(((Number) value).longValue())))
                    .toList();
        }
    }
}
