package io.leeway.privoxy.internal.refute;

import static io.leeway.privoxy.internal.decide.QueryBuilder.context;
import static io.leeway.privoxy.internal.decide.QueryBuilder.from;
import static io.leeway.privoxy.internal.decide.QueryBuilder.parameter;

import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.SchemaBuilder;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.View;
import java.util.List;
import java.util.Map;

/** The seed's running example: people see all users, and the events they attend. */
final class Calendar {

    static final Schema SCHEMA = new SchemaBuilder()
            .table("users", "uid!", "name text", "admin! boolean")
            .key("users", "uid")
            .table("events", "eid!", "title text", "duration")
            .key("events", "eid")
            .table("attendances", "uid!", "eid!", "confirmed timestamp")
            .key("attendances", "uid", "eid")
            .foreignKey("attendances", "uid", "users", "uid")
            .foreignKey("attendances", "eid", "events", "eid")
            .build();

    static final View ALL_USERS = view("all_users", from(SCHEMA, "users u").union("u.*"));
    static final View MY_EVENTS = view(
            "my_events",
            from(SCHEMA, "events e", "attendances a")
                    .equal("e.eid", "a.eid")
                    .equal("a.uid", context("MyUId"))
                    .union("e.*", "a.*"));

    static final Policy POLICY = policy(SCHEMA, ALL_USERS, MY_EVENTS);

    static final UnionQuery TITLE =
            from(SCHEMA, "events e").equal("e.eid", parameter(0)).union("e.title");

    private Calendar() {}

    static Policy policy(Schema schema, View... views) {
        return new Policy(schema, Map.of("MyUId", ColumnType.integer("bigint")), List.of(views), List.of());
    }

    static View view(String name, UnionQuery query) {
        return new View(name, "", query, List.of(), "policy.sql:1");
    }

    static Arg number(long number) {
        return Arg.of(Value.of(number));
    }

    /** The goal with user 2 logged in. */
    static PlainProblem problem(UnionQuery goal, List<Arg> arguments, PlainProblem.Fact... facts) {
        return PlainProblem.of(goal, arguments, Map.of("MyUId", number(2)), List.of(facts));
    }

    /** User 2 attends event 5. */
    static PlainProblem.Fact attendance() {
        return new PlainProblem.Fact(
                from(SCHEMA, "attendances a")
                        .equal("a.uid", parameter(0))
                        .equal("a.eid", parameter(1))
                        .select("a.uid", "a.eid"),
                List.of(number(2), number(5)),
                List.of(number(2), number(5)));
    }
}
