package io.leeway.privoxy.solvers.internal.smt;

import static io.leeway.privoxy.solvers.Sketch.arg;
import static io.leeway.privoxy.solvers.Sketch.me;
import static io.leeway.privoxy.solvers.Sketch.parameter;

import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.refute.PlainProblem;
import io.leeway.privoxy.solvers.Sketch;
import java.util.List;

/** A calendar: people see all users, and the events they attend. */
final class Calendar {

    private static final Sketch SKETCH = new Sketch()
            .table("users", "uid! key", "name text", "admin! boolean")
            .table("events", "eid! key", "title text", "duration")
            .table("attendances", "uid! key", "eid! key", "confirmed date")
            .foreignKey("attendances.uid", "users.uid")
            .foreignKey("attendances.eid", "events.eid");

    static final Policy POLICY = SKETCH.view(
                    "all_users", SKETCH.query("users u").select("u.uid", "u.name", "u.admin"))
            .view(
                    "my_events",
                    SKETCH.query("events e", "attendances a")
                            .where("e.eid", "=", "a.eid")
                            .where("a.uid", "=", me())
                            .select("e.eid", "e.title", "e.duration", "a.uid", "a.eid", "a.confirmed"))
            .policy();

    static final ConjunctiveQuery TITLE =
            SKETCH.query("events e").where("e.eid", "=", parameter(0)).select("e.title");

    private Calendar() {}

    /** User 2 attends event 5. */
    static PlainProblem.Fact attendance() {
        return new PlainProblem.Fact(
                SKETCH.query("attendances a")
                        .where("a.uid", "=", parameter(0))
                        .where("a.eid", "=", parameter(1))
                        .select("a.uid", "a.eid"),
                List.of(arg(2), arg(5)),
                List.of(arg(2), arg(5)));
    }
}
