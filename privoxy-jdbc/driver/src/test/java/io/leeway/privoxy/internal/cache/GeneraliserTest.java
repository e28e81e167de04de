package io.leeway.privoxy.internal.cache;

import static io.leeway.privoxy.internal.decide.QueryBuilder.constant;
import static io.leeway.privoxy.internal.decide.QueryBuilder.context;
import static io.leeway.privoxy.internal.decide.QueryBuilder.from;
import static io.leeway.privoxy.internal.decide.QueryBuilder.parameter;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.decide.Budget;
import io.leeway.privoxy.internal.decide.SchemaBuilder;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Condition.Operator;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.model.View;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GeneraliserTest {

    private static final Schema CALENDAR = new SchemaBuilder()
            .table("users", "id!", "name text", "admin! boolean")
            .key("users", "id")
            .table("events", "id!", "title text", "starts_at timestamp", "cancelled_at timestamp", "host")
            .key("events", "id")
            .table("attendances", "user_id!", "event_id!", "confirmed_at timestamp")
            .key("attendances", "user_id", "event_id")
            .table("follows", "follower!", "followed!")
            .key("follows", "follower", "followed")
            .foreignKey("follows", "follower", "users", "id")
            .foreignKey("follows", "followed", "users", "id")
            .table("notes", "id!", "event_id!", "kind! text", "body text")
            .key("notes", "id")
            .foreignKey("notes", "event_id", "events", "id")
            .foreignKey("attendances", "user_id", "users", "id")
            .foreignKey("attendances", "event_id", "events", "id")
            .foreignKey("events", "host", "users", "id")
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
    private static final UnionQuery EVENT_BY_ID =
            from(CALENDAR, "events e").equal("e.id", parameter(0)).union("e.id", "e.title");
    private static final ConjunctiveQuery ATTENDANCE = from(CALENDAR, "attendances a")
            .equal("a.user_id", parameter(0))
            .equal("a.event_id", parameter(1))
            .select("a.user_id", "a.event_id", "a.confirmed_at");
    private static final ConjunctiveQuery MY_ATTENDANCES =
            from(CALENDAR, "attendances a").equal("a.user_id", parameter(0)).select("a.user_id", "a.event_id");
    private static final ConjunctiveQuery USER_BY_ID =
            from(CALENDAR, "users u").equal("u.id", parameter(0)).select("u.id", "u.name", "u.admin");

    private static final Pattern ANY = Pattern.ANY;
    private static final Pattern A = new Pattern.Variable(0);
    private static final Pattern B = new Pattern.Variable(1);

    @Test
    void theCalendarsTemplateNamesNoParticularUserOrEvent() {
        Scene scene = new Scene(CALENDAR, List.of(ALL_USERS, MY_EVENTS, ADMINS_EVENTS))
                .request("MyUId", 1)
                .saw(USER_BY_ID, List.of(1), Scene.row(1, "Ada", false))
                .saw(ATTENDANCE, List.of(1, 42), Scene.row(1, 42, null));

        Template template = scene.generalise(EVENT_BY_ID, 42);

        assertThat(template)
                .isEqualTo(new Template(
                        EVENT_BY_ID,
                        List.of(A),
                        new TreeMap<>(Map.of("MyUId", B)),
                        List.of(new Premise(ATTENDANCE, List.of(B, A), List.of(ANY, ANY, ANY))),
                        List.of(),
                        List.of()));
        assertThat(scene.isProved(Objects.requireNonNull(template))).isTrue();
    }

    @Test
    void theQuickProofStaysWithinTheEnginesBounds() {
        Policy policy = new Policy(
                CALENDAR,
                Map.of("MyUId", ColumnType.integer("bigint")),
                List.of(new View("my_events", "", MY_EVENTS, List.of(), "")),
                List.of());
        Scene scene = new Scene(policy, new Budget(0, 200, 4, 40))
                .request("MyUId", 1)
                .saw(ATTENDANCE, List.of(1, 42), Scene.row(1, 42, null));

        assertThat(scene.isCompliant(EVENT_BY_ID, 42)).as("proved in no round").isFalse();
        assertThat(scene.generalise(EVENT_BY_ID, 42)).isNull();
    }

    @Test
    void theTemplateFitsAnotherUserAndEventAndNothingElse() {
        Scene scene = new Scene(CALENDAR, List.of(ALL_USERS, MY_EVENTS, ADMINS_EVENTS))
                .request("MyUId", 1)
                .saw(ATTENDANCE, List.of(1, 42), Scene.row(1, 42, null));
        Template template = Objects.requireNonNull(scene.generalise(EVENT_BY_ID, 42));

        scene.request("MyUId", 7).saw(ATTENDANCE, List.of(7, 9), Scene.row(7, 9, null));

        assertThat(scene.matches(template, 9)).isTrue();
        assertThat(scene.matches(template, 42)).isFalse();
        assertThat(scene.request("MyUId", 8)
                        .saw(ATTENDANCE, List.of(7, 9), Scene.row(7, 9, null))
                        .matches(template, 9))
                .isFalse();
        assertThat(scene.request("MyUId", 7).saw(ATTENDANCE, List.of(7, 9)).matches(template, 9))
                .isFalse();
    }

    @Test
    void aUserAndAnEventWithTheSameNumberAreNotConfused() {
        Scene scene = new Scene(CALENDAR, List.of(ALL_USERS, MY_EVENTS))
                .request("MyUId", 5)
                .saw(ATTENDANCE, List.of(5, 5), Scene.row(5, 5, null));

        Template template = Objects.requireNonNull(scene.generalise(EVENT_BY_ID, 5));

        assertThat(template.premises().get(0).arguments()).containsExactly(B, A);
        assertThat(template.arguments()).containsExactly(A);
    }

    @Test
    void anAccidentalEqualityWithinOneDomainIsSplit() {
        UnionQuery hostedByFollowed = from(CALENDAR, "events e", "follows f")
                .equal("f.follower", context("MyUId"))
                .equal("f.followed", "e.host")
                .union("e.*", "f.*");
        UnionQuery byHost =
                from(CALENDAR, "events e").equal("e.host", parameter(0)).union("e.title");
        ConjunctiveQuery following = from(CALENDAR, "follows f")
                .equal("f.follower", parameter(0))
                .equal("f.followed", parameter(1))
                .select("f.follower");
        Scene scene = new Scene(CALENDAR, List.of(ALL_USERS, hostedByFollowed))
                .request("MyUId", 5)
                .saw(following, List.of(5, 5), new Object[] {5});

        Template template = Objects.requireNonNull(scene.generalise(byHost, 5));

        assertThat(template.premises()).containsExactly(new Premise(following, List.of(B, A), List.of(ANY)));
        assertThat(template.context()).containsEntry("MyUId", B);
        assertThat(template.arguments()).containsExactly(A);
    }

    @Test
    void aTruthValueThatTheProofNeedsIsKept() {
        UnionQuery attended = from(CALENDAR, "events e", "attendances a")
                .equal("e.id", "a.event_id")
                .union("e.id", "e.title");
        Scene scene = new Scene(CALENDAR, List.of(ALL_USERS, MY_EVENTS, ADMINS_EVENTS))
                .request("MyUId", 2)
                .saw(USER_BY_ID, List.of(2), Scene.row(2, "Grace", true));

        Template template = Objects.requireNonNull(scene.generalise(attended));

        assertThat(template.premises())
                .containsExactly(
                        new Premise(USER_BY_ID, List.of(A), List.of(ANY, ANY, new Pattern.Constant(Value.TRUE))));
        assertThat(template.context()).containsEntry("MyUId", A);
    }

    @Test
    void aCellThatLeadsOnIsTiedToWhereItLeads() {
        UnionQuery fellows = from(CALENDAR, "users u", "attendances a", "attendances me")
                .equal("u.id", "a.user_id")
                .equal("a.event_id", "me.event_id")
                .equal("me.user_id", context("MyUId"))
                .union("u.*", "a.*");
        ConjunctiveQuery attended =
                from(CALENDAR, "attendances a").equal("a.user_id", parameter(0)).select("a.event_id");
        Scene scene = new Scene(CALENDAR, List.of(fellows, MY_EVENTS))
                .request("MyUId", 1)
                .saw(MY_ATTENDANCES, List.of(1), Scene.row(1, 41), Scene.row(1, 42), Scene.row(1, 43))
                .saw(attended, List.of(9), Scene.row(42));
        ConjunctiveQuery goal =
                from(CALENDAR, "users u").equal("u.id", parameter(0)).select("u.name");

        Template template = Objects.requireNonNull(scene.generalise(UnionQuery.of(goal), 9));

        assertThat(template.premises()).hasSize(2);
        assertThat(template.variables()).isEqualTo(3);
        scene.request("MyUId", 2)
                .saw(attended, List.of(19), Scene.row(52))
                .saw(MY_ATTENDANCES, List.of(2), Scene.row(2, 51), Scene.row(2, 52));
        assertThat(scene.matches(template, 19)).isTrue();
        assertThat(scene.matches(template, 20)).isFalse();
        assertThat(scene.request("MyUId", 2)
                        .saw(attended, List.of(19), Scene.row(53))
                        .saw(MY_ATTENDANCES, List.of(2), Scene.row(2, 51), Scene.row(2, 52))
                        .matches(template, 19))
                .isFalse();
    }

    @Test
    void aTextConstantThatAViewTestsIsKept() {
        UnionQuery publicNotes =
                from(CALENDAR, "notes n").equal("n.kind", constant("public")).union("n.*");
        UnionQuery goal = from(CALENDAR, "notes n")
                .equal("n.kind", parameter(0))
                .equal("n.event_id", parameter(1))
                .union("n.body");
        Scene scene = new Scene(CALENDAR, List.of(publicNotes)).request("MyUId", 1);

        Template template = Objects.requireNonNull(scene.generalise(goal, "public", 3));

        assertThat(template.arguments()).containsExactly(new Pattern.Constant(Value.of("public")), ANY);
        assertThat(template.premises()).isEmpty();
        assertThat(template.context()).isEmpty();
    }

    @Test
    void nullIsKeptWhereTheProofNeedsItAndNowhereElse() {
        UnionQuery live = from(CALENDAR, "events e").isNull("e.cancelled_at").union("e.*");
        ConjunctiveQuery state = from(CALENDAR, "events e")
                .equal("e.id", parameter(0))
                .select("e.cancelled_at", "e.starts_at", "e.host");
        Scene scene = new Scene(CALENDAR, List.of(live)).request().saw(state, List.of(4), Scene.row(null, null, null));

        Template template = Objects.requireNonNull(scene.generalise(EVENT_BY_ID, 4));

        assertThat(template.premises().get(0).row()).containsExactly(new Pattern.Constant(Value.NULL), ANY, ANY);
        scene.request().saw(state, List.of(5), Scene.row(LocalDateTime.MIN, null, null));
        assertThat(scene.matches(template, 5)).isFalse();
        scene.request().saw(state, List.of(5), Scene.row(null, null, 7));
        assertThat(scene.matches(template, 5)).isTrue();
        scene.request().saw(state, List.of(5), Scene.row(Scene.unknown(), null, 7));
        assertThat(scene.matches(template, 5)).isFalse();
    }

    @Test
    void aValueThatMustOnlyBeThereBecomesANotNullDemand() {
        UnionQuery cancelled =
                from(CALENDAR, "events e").isNotNull("e.cancelled_at").union("e.*");
        ConjunctiveQuery state =
                from(CALENDAR, "events e").equal("e.id", parameter(0)).select("e.cancelled_at");
        LocalDateTime time = LocalDateTime.of(2024, 5, 1, 12, 0);
        Scene scene = new Scene(CALENDAR, List.of(cancelled)).request().saw(state, List.of(4), new Object[] {time});

        Template template = Objects.requireNonNull(scene.generalise(EVENT_BY_ID, 4));

        assertThat(template.premises().get(0).row()).containsExactly(B);
        assertThat(template.notNull()).containsExactly(1);
        assertThat(scene.request()
                        .saw(state, List.of(5), new Object[] {time.plusDays(1)})
                        .matches(template, 5))
                .isTrue();
        assertThat(scene.request().saw(state, List.of(5), new Object[] {null}).matches(template, 5))
                .isFalse();
    }

    @Test
    void twoTimesThatAreOnlyComparedBecomeAComparison() {
        UnionQuery past = from(CALENDAR, "events e")
                .compare(Operator.LESS, "e.starts_at", context("Now"))
                .union("e.*");
        ConjunctiveQuery start =
                from(CALENDAR, "events e").equal("e.id", parameter(0)).select("e.starts_at");
        LocalDateTime now = LocalDateTime.of(2024, 5, 1, 12, 0);
        Scene scene = new Scene(CALENDAR, List.of(past))
                .request("MyUId", 1, "Now", now)
                .saw(start, List.of(4), new Object[] {now.minusDays(2)});

        Template template = Objects.requireNonNull(scene.generalise(EVENT_BY_ID, 4));

        assertThat(template.comparisons())
                .containsExactly(new PatternComparison(Operator.LESS, new Pattern.Variable(2), B));
        assertThat(template.context()).containsOnlyKeys("Now");
        assertThat(scene.isProved(template)).isTrue();
        scene.request("Now", now.plusYears(1)).saw(start, List.of(5), new Object[] {now});
        assertThat(scene.matches(template, 5)).isTrue();
        scene.request("Now", now).saw(start, List.of(5), new Object[] {now});
        assertThat(scene.matches(template, 5)).isFalse();
        scene.request("Now", now).saw(start, List.of(5), new Object[] {null});
        assertThat(scene.matches(template, 5)).isFalse();
    }

    @Test
    void aNumberBelowABoundOfThePolicyMayBeAnyNumberBelowIt() {
        UnionQuery few = from(CALENDAR, "events e")
                .compare(Operator.LESS_OR_EQUAL, "e.host", 10)
                .union("e.*");
        UnionQuery byHost =
                from(CALENDAR, "events e").equal("e.host", parameter(0)).union("e.title");
        Scene scene = new Scene(CALENDAR, List.of(few)).request();

        Template template = Objects.requireNonNull(scene.generalise(byHost, 10));

        assertThat(scene.matches(template, 3)).isTrue();
        assertThat(scene.matches(template, 10)).isTrue();
        assertThat(scene.matches(template, 11)).isFalse();
    }

    @Test
    void aValueThatMustOnlyDifferMayBeAnyOther() {
        UnionQuery open = from(CALENDAR, "notes n")
                .compare(Operator.NOT_EQUAL, "n.kind", constant("secret"))
                .union("n.*");
        UnionQuery byKind =
                from(CALENDAR, "notes n").equal("n.kind", parameter(0)).union("n.body");
        Scene scene = new Scene(CALENDAR, List.of(open)).request();

        Template template = Objects.requireNonNull(scene.generalise(byKind, "public"));

        assertThat(scene.matches(template, "draft")).isTrue();
        assertThat(scene.matches(template, "secret")).isFalse();
        assertThat(scene.matches(template, new Object[] {null})).isFalse();
        assertThat(scene.matches(template, Value.of(ValueKind.OPAQUE, "x"))).isFalse();
    }

    @Test
    void aParameterOfTheContextThatMattersNotIsNotDemanded() {
        Scene scene = new Scene(CALENDAR, List.of(ALL_USERS)).request("MyUId", 1);
        UnionQuery names = from(CALENDAR, "users u").union("u.id", "u.name");

        Template template = Objects.requireNonNull(scene.generalise(names));

        assertThat(template.context()).isEmpty();
        assertThat(scene.request().matches(template)).isTrue();
    }

    @Test
    void nothingIsMadeOfARefusal() {
        Scene scene = new Scene(CALENDAR, List.of(ALL_USERS, MY_EVENTS)).request("MyUId", 1);

        assertThat(scene.generalise(EVENT_BY_ID, 3)).isNull();
    }

    @Test
    void withASmallBudgetTheTemplateIsLessGeneralButProved() {
        Scene scene = new Scene(CALENDAR, List.of(ALL_USERS, MY_EVENTS))
                .request("MyUId", 1)
                .saw(USER_BY_ID, List.of(1), Scene.row(1, "Ada", false))
                .saw(ATTENDANCE, List.of(1, 42), Scene.row(1, 42, null));
        Generaliser hasty = new Generaliser(scene.policy, List.of(scene.engine::isQuicklyCompliant), 2);

        Generaliser.Generalised made = hasty.generaliseCounting(scene.problem(EVENT_BY_ID, 42));

        assertThat(made).isNotNull();
        assertThat(made.irreducible()).isFalse();
        assertThat(scene.isProved(made.template())).isTrue();
        assertThat(scene.matches(made.template(), 42)).isTrue();
    }
}
