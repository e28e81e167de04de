package io.leeway.privoxy.solvers;

import static io.leeway.privoxy.solvers.Sketch.me;
import static io.leeway.privoxy.solvers.Sketch.row;
import static io.leeway.privoxy.solvers.Sketch.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.refute.Counterexample;
import io.leeway.privoxy.internal.refute.PlainProblem;
import io.leeway.privoxy.internal.solver.Form;
import io.leeway.privoxy.internal.solver.SolverDecision;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DecisionsTest {

    /** The seed's running example and the three facts that it states. */
    @Nested
    class OfTheCalendar {

        private final Sketch calendar = calendar();

        @Test
        void everybodysNamesAreCompliant() {
            assertCompliant(calendar, calendar.query("users u").select("u.uid", "u.name"));
        }

        @Test
        void theTitleOfAnEventIsNot() {
            Counterexample found = refuted(calendar, title());

            assertThat(found.first().rows("events")).hasSize(1);
            assertThat(found.second().rows("events")).isEmpty();
        }

        @Test
        void theTitleOfAnEventThatIAttendIs() {
            assertCompliant(calendar, title(), attendance());
        }

        @Test
        void theTitleOfAnEventThatSomebodyElseAttendsIsNot() {
            ConjunctiveQuery others = calendar.query("attendances a")
                    .where("a.uid", "=", 3)
                    .where("a.eid", "=", 5)
                    .select("a.uid", "a.eid");

            Counterexample found = refuted(calendar, title(), row(others, 3, 5));

            assertThat(found.first().rows("attendances")).hasSize(1);
        }

        @Test
        void anEmptyAnswerIsAFactToo() {
            PlainProblem.Answer nothing = new PlainProblem.Answer(UnionQuery.of(title()), List.of(), List.of());
            PlainProblem problem = new PlainProblem(
                    UnionQuery.of(title()),
                    List.of(),
                    Map.of("Me", Sketch.arg(2)),
                    List.of(),
                    List.of(nothing),
                    List.of());

            assertThat(Solvers.decide(problem, calendar.policy())).isInstanceOf(SolverDecision.Compliant.class);
        }

        @Test
        void anAdministratorSeesEventsThatAnybodyAttends() {
            ConjunctiveQuery myself =
                    calendar.query("users u").where("u.uid", "=", me()).select("u.uid", "u.admin");
            ConjunctiveQuery attended = calendar.query("events e", "attendances a")
                    .where("e.eid", "=", "a.eid")
                    .select("e.title", "a.uid", "a.eid");

            assertCompliant(calendar, attended, row(myself, 2, true));
            refuted(calendar, attended, row(myself, 2, false));
            refuted(calendar, title(), row(myself, 2, true));
        }

        private ConjunctiveQuery title() {
            return calendar.query("events e").where("e.eid", "=", 5).select("e.title");
        }

        private PlainProblem.Fact attendance() {
            return row(
                    calendar.query("attendances a")
                            .where("a.uid", "=", me())
                            .where("a.eid", "=", 5)
                            .select("a.uid", "a.eid"),
                    2,
                    5);
        }
    }

    /** From what cannot be everything follows, so nothing is proved from it. */
    @Nested
    class OfContradictions {

        private final Sketch calendar = calendar();
        private final ConjunctiveQuery title =
                calendar.query("events e").where("e.eid", "=", 5).select("e.title");

        @Test
        void rowsThatContradictEachOtherProveNothing() {
            ConjunctiveQuery somebody =
                    calendar.query("users u").where("u.uid", "=", 2).select("u.uid", "u.name");

            assertNotProved(row(somebody, 2, "Ann"), row(somebody, 2, "Bob"));
        }

        @Test
        void aRowThatItsOwnQueryExcludesProvesNothing() {
            ConjunctiveQuery somebody =
                    calendar.query("users u").where("u.uid", "=", 2).select("u.uid");

            assertNotProved(row(somebody, 3));
        }

        @Test
        void aGoalThatHasNoAnswerIsNotProvedByThat() {
            ConjunctiveQuery both = calendar.query("events e")
                    .where("e.eid", "=", 5)
                    .where("e.eid", "=", 7)
                    .select("e.title");
            PlainProblem single =
                    PlainProblem.of(UnionQuery.of(both), List.of(), Map.of("Me", Sketch.arg(2)), List.of());
            PlainProblem union = PlainProblem.of(
                    new UnionQuery(List.of(
                            calendar.query("users u").where("u.uid", "=", me()).select("u.name"), both)),
                    List.of(),
                    Map.of("Me", Sketch.arg(2)),
                    List.of());

            assertThat(Solvers.decide(single, calendar.policy())).isNotInstanceOf(SolverDecision.Compliant.class);
            assertThat(Solvers.decide(union, calendar.policy())).isNotInstanceOf(SolverDecision.Compliant.class);
        }

        private void assertNotProved(PlainProblem.Fact... facts) {
            PlainProblem problem =
                    PlainProblem.of(UnionQuery.of(title), List.of(), Map.of("Me", Sketch.arg(2)), List.of(facts));

            assertThat(Solvers.decide(problem, calendar.policy())).isNotInstanceOf(SolverDecision.Compliant.class);
        }
    }

    /** Where SQL's NULL makes a difference. */
    @Nested
    class OfNulls {

        private final Sketch notes = new Sketch()
                .table("notes", "id! key", "owner", "slug text unique")
                .table("people", "id! key", "mail text unique");

        @Test
        void equalOrDifferentIsNotEverything() {
            notes.view("equal", notes.query("notes n").where("n.owner", "=", 7).select("n.id"))
                    .view(
                            "different",
                            notes.query("notes n").where("n.owner", "<>", 7).select("n.id"));

            Counterexample found = refuted(notes, notes.query("notes n").select("n.id"));

            assertThat(found.first().rows("notes"))
                    .hasSize(1)
                    .allMatch(note -> note.get(1).isNull());
        }

        @Test
        void withTheNullsItIs() {
            notes.view("equal", notes.query("notes n").where("n.owner", "=", 7).select("n.id"))
                    .view(
                            "different",
                            notes.query("notes n").where("n.owner", "<>", 7).select("n.id"))
                    .view(
                            "none",
                            notes.query("notes n").where("n.owner", "is null").select("n.id"));

            assertCompliant(notes, notes.query("notes n").select("n.id"));
        }

        @Test
        void aColumnThatEqualsItselfIsNotNull() {
            notes.view(
                    "owned",
                    notes.query("notes n").where("n.owner", "is not null").select("n.id"));

            assertCompliant(
                    notes,
                    notes.query("notes n").where("n.owner", "=", "n.owner").select("n.id"));
            refuted(notes, notes.query("notes n").select("n.id"));
        }

        @Test
        void nullsDoNotJoin() {
            notes.view(
                    "joined",
                    notes.query("notes n", "people p")
                            .where("n.slug", "=", "p.mail")
                            .select("n.id", "p.id"));

            assertCompliant(
                    notes,
                    notes.query("notes n", "people p")
                            .where("n.slug", "=", "p.mail")
                            .where("n.slug", "is not null")
                            .select("n.id", "p.id"));
            refuted(
                    notes,
                    notes.query("notes n", "people p")
                            .where("n.slug", "is null")
                            .select("n.id", "p.id"));
        }

        @Test
        void aUniqueColumnWithNullIdentifiesNothing() {
            notes.view("slugs", notes.query("notes n").select("n.slug", "n.owner"));
            ConjunctiveQuery pairs = notes.query("notes n", "notes m")
                    .where("n.slug", "=", "m.slug")
                    .select("n.owner", "m.owner");
            ConjunctiveQuery unowned = notes.query("notes n", "notes m")
                    .where("n.slug", "is null")
                    .where("m.slug", "is null")
                    .where("n.id", "<", "m.id")
                    .select("n.owner", "m.owner");

            assertCompliant(notes, pairs);
            refuted(notes, unowned);
        }

        @Test
        void anInListWithNullFindsNoNull() {
            notes.view("known", notes.query("notes n").where("n.owner", "=", 7).select("n.id"));

            assertCompliant(
                    notes,
                    notes.query("notes n").where("n.owner", "in", 7, Value.NULL).select("n.id"));
        }

        @Test
        void aForeignKeyThatIsNullRefersToNothing() {
            Sketch sketch = new Sketch()
                    .table("owners", "id! key")
                    .table("notes", "id! key", "owner")
                    .foreignKey("notes.owner", "owners.id");
            sketch.view(
                    "all",
                    sketch.query("notes n", "owners o")
                            .where("n.owner", "=", "o.id")
                            .select("n.id", "n.owner"));

            assertCompliant(
                    sketch,
                    sketch.query("notes n").where("n.owner", "is not null").select("n.id", "n.owner"));
            refuted(sketch, sketch.query("notes n").select("n.id", "n.owner"));
        }
    }

    /** Unions, orders, functions, collations. */
    @Nested
    class OfOtherConditions {

        private final Sketch items = new Sketch()
                .table("items", "id! key", "price", "weight decimal", "day date", "name citext", "shown! boolean");

        @Test
        void bothTruthValuesAreEverything() {
            items.view(
                            "shown",
                            items.query("items i").where("i.shown", "=", true).select("i.id"))
                    .view(
                            "hidden",
                            items.query("items i").where("i.shown", "=", false).select("i.id"));

            assertCompliant(items, items.query("items i").select("i.id"));
        }

        @Test
        void aUnionOfWhatIsShownIsShown() {
            items.view(
                    "cheap or free",
                    items.query("items i").where("i.price", "<", 10).select("i.id"),
                    items.query("items i").where("i.price", "is null").select("i.id"));
            ConjunctiveQuery cheap =
                    items.query("items i").where("i.price", "<", 10).select("i.id");
            ConjunctiveQuery free =
                    items.query("items i").where("i.price", "is null").select("i.id");

            assertThat(Solvers.decide(items.problem(new UnionQuery(List.of(cheap, free))), items.policy()))
                    .isInstanceOf(SolverDecision.Compliant.class);
            refuted(items, cheap);
        }

        @Test
        void ordersAreTransitiveAndTotal() {
            items.view(
                            "below 10",
                            items.query("items i").where("i.price", "<", 10).select("i.id", "i.price"))
                    .view(
                            "from 10",
                            items.query("items i").where("i.price", ">=", 10).select("i.id", "i.price"));

            assertCompliant(
                    items, items.query("items i").where("i.price", "<", 5).select("i.id"));
            assertCompliant(
                    items,
                    items.query("items i").where("i.price", "is not null").select("i.id"));
        }

        @Test
        void thereIsNothingBetweenWholeNumbersOnly() {
            items.view(
                            "from 5",
                            items.query("items i").where("i.price", ">=", 5).select("i.id"))
                    .view(
                            "heavy",
                            items.query("items i").where("i.weight", ">=", 5).select("i.id"));

            assertCompliant(
                    items, items.query("items i").where("i.price", ">", 4).select("i.id"));
            Counterexample found = refuted(
                    items, items.query("items i").where("i.weight", ">", 4).select("i.id"));
            assertThat(found.functions()).isEmpty();
        }

        @Test
        void daysHaveAnOrder() {
            items.view(
                    "old",
                    items.query("items i")
                            .where("i.day", "<", LocalDate.of(2020, 1, 1))
                            .select("i.id", "i.day"));

            assertCompliant(
                    items,
                    items.query("items i")
                            .where("i.day", "<", LocalDate.of(2010, 1, 1))
                            .select("i.id"));
            refuted(
                    items,
                    items.query("items i")
                            .where("i.day", "<", LocalDate.of(2030, 1, 1))
                            .select("i.id"));
        }

        @Test
        void equalUnderACollationIsNotIdentical() {
            items.view(
                    "named",
                    items.query("items i").where("i.name", "=ci", text("apple")).select("i.id"));

            assertCompliant(
                    items,
                    items.query("items i").where("i.name", "=ci", text("apple")).select("i.id"));
            assertThat(Solvers.decide(
                            items.problem(items.query("items i")
                                    .where("i.name", "=ci", text("apple"))
                                    .select("i.id", "i.name")),
                            items.policy()))
                    .isNotInstanceOf(SolverDecision.Compliant.class);
        }

        @Test
        void aFunctionOfWhatIsShownIsShown() {
            items.view("prices", items.query("items i").select("i.id", "i.price"));

            assertCompliant(items, items.query("items i").selectApplied("round", "i.price"));
            Counterexample found = refuted(items, items.query("items i").selectApplied("floor", "i.weight"));
            assertThat(found.functions()).containsExactly("floor");
        }

        @Test
        void anInclusionIsAPremise() {
            Sketch shares = shares();
            PlainProblem.Fact reshare =
                    row(shares.query("posts p").where("p.id", "=", 1).select("p.root"), 9);
            ConjunctiveQuery text =
                    shares.query("posts p").where("p.id", "=", 9).select("p.text");

            refuted(shares, text, reshare);

            shares.inclusion(
                    shares.query("posts s", "posts r")
                            .where("s.root", "=", "r.id")
                            .select("r.id"),
                    shares.query("posts p").where("p.open", "=", true).select("p.id"));

            assertCompliant(shares, text, reshare);
            refuted(shares, text);
        }

        @Test
        void aRowThatIsReferredToExists() {
            Sketch shares = shares();
            PlainProblem.Fact reshare =
                    row(shares.query("posts p").where("p.id", "=", 1).select("p.root"), 9);
            ConjunctiveQuery isOpen =
                    shares.query("posts p").where("p.id", "=", 9).select("p.open");

            SolverDecision decision = Solvers.decide(shares.problem(isOpen, reshare), shares.policy());

            assertThat(Solvers.isProved(decision, Form.BASIC)).isTrue();
            refuted(shares, isOpen);
        }

        private static Sketch shares() {
            Sketch shares = new Sketch()
                    .table("posts", "id! key", "root", "open! boolean", "text text")
                    .foreignKey("posts.root", "posts.id");
            return shares.view(
                    "open", shares.query("posts p").where("p.open", "=", true).select("p.id", "p.text"));
        }
    }

    /** The strong form is stronger. */
    @Nested
    class OfBothForms {

        @Test
        void someProblemsAreCompliantInTheBasicFormOnly() {
            Sketch sketch = new Sketch().table("t", "id! key", "done! boolean");
            sketch.view("all", sketch.query("t").select("t.id"))
                    .view("done", sketch.query("t").where("t.done", "=", true).select("t.id"));
            PlainProblem open =
                    sketch.problem(sketch.query("t").where("t.done", "=", false).select("t.id"));

            SolverDecision decision = Solvers.decide(open, sketch.policy());

            assertThat(Solvers.isProved(decision, Form.BASIC)).isTrue();
        }
    }

    static Sketch calendar() {
        Sketch sketch = new Sketch()
                .table("users", "uid! key", "name text", "admin! boolean")
                .table("events", "eid! key", "title text", "duration")
                .table("attendances", "uid! key", "eid! key", "confirmed date")
                .foreignKey("attendances.uid", "users.uid")
                .foreignKey("attendances.eid", "events.eid");
        sketch.view("users", sketch.query("users u").select("u.uid", "u.name", "u.admin"));
        sketch.view(
                "mine",
                sketch.query("events e", "attendances a")
                        .where("e.eid", "=", "a.eid")
                        .where("a.uid", "=", me())
                        .select("e.eid", "e.title", "e.duration", "a.uid", "a.eid", "a.confirmed"));
        sketch.view(
                "administrators",
                sketch.query("events e", "attendances a", "users u")
                        .where("e.eid", "=", "a.eid")
                        .where("u.uid", "=", me())
                        .where("u.admin", "=", true)
                        .select("e.eid", "e.title", "e.duration", "a.uid", "a.eid", "a.confirmed"));
        return sketch;
    }

    private static void assertCompliant(Sketch sketch, ConjunctiveQuery goal, PlainProblem.Fact... facts) {
        assertThat(Solvers.decide(sketch.problem(goal, facts), sketch.policy()))
                .isInstanceOf(SolverDecision.Compliant.class);
    }

    private static Counterexample refuted(Sketch sketch, ConjunctiveQuery goal, PlainProblem.Fact... facts) {
        SolverDecision decision = Solvers.decide(sketch.problem(goal, facts), sketch.policy());
        assertThat(decision).isInstanceOf(SolverDecision.Refuted.class);
        return ((SolverDecision.Refuted) decision).counterexample();
    }
}
