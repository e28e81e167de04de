package io.leeway.privoxy.solvers.internal.smt;

import static io.leeway.privoxy.solvers.Sketch.arg;
import static io.leeway.privoxy.solvers.Sketch.me;
import static io.leeway.privoxy.solvers.Sketch.parameter;
import static io.leeway.privoxy.solvers.Sketch.problem;
import static io.leeway.privoxy.solvers.Sketch.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.refute.PlainProblem;
import io.leeway.privoxy.internal.solver.Form;
import io.leeway.privoxy.solvers.Sketch;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EncoderTest {

    private final Sketch notes = new Sketch().table("notes", "id! key", "owner", "text text", "rank");

    @Test
    void aSmallProblemIsWrittenInFull() {
        Policy policy = notes.view(
                        "mine",
                        notes.query("notes n").where("n.owner", "=", me()).select("n.id", "n.text"))
                .policy();

        String text = strong(
                policy,
                problem(notes.query("notes n").where("n.id", "=", parameter(0)).select("n.text"), List.of(arg(7))));

        assertThat(text).isEqualTo("""
                (set-logic UF)
                (declare-sort V 0)
                (declare-const null V)
                (declare-fun v1 () V)
                (declare-fun notes.owner.1 (V) V)
                (declare-fun notes.text.1 (V) V)
                (declare-fun notes.1 (V) Bool)
                (declare-fun notes.owner.2 (V) V)
                (declare-fun notes.text.2 (V) V)
                (declare-fun notes.2 (V) Bool)
                (declare-fun v2 () V)
                (assert (distinct null v1 v2))
                (assert (forall ((x0 V)) (=> (notes.1 x0) (not (= null x0)))))
                (assert (forall ((x2 V)) (=> (notes.2 x2) (not (= null x2)))))
                (assert (forall ((x4 V)) (=> (and (notes.1 x4) (= (notes.owner.1 x4) v1)) \
                (and (notes.2 x4) (= (notes.owner.2 x4) v1) (= (notes.text.1 x4) (notes.text.2 x4))))))
                (assert (notes.1 v2))
                (assert (not (and (notes.2 v2) (= (notes.text.1 v2) (notes.text.2 v2)))))
                """);
    }

    @Test
    void theBasicFormSaysThatViewsAgreeInBothDirections() {
        PlainProblem problem = problem(Calendar.TITLE, List.of(arg(5)), Calendar.attendance());
        String back = "\\(=> \\(users\\.2 (x\\d+)\\) \\(users\\.1 \\1\\)\\)";

        assertThat(strong(Calendar.POLICY, problem)).doesNotContainPattern(back);
        assertThat(Encoder.concrete(problem, Calendar.POLICY, Form.BASIC).text())
                .containsPattern(back);
    }

    @Test
    void aComparisonSaysThatNullableSidesAreNotNull() {
        ConjunctiveQuery goal =
                notes.query("notes n").where("n.owner", "<>", parameter(0)).select("n.id");

        String text = strong(notes.policy(), problem(goal, List.of(arg(7))));

        assertThat(text).contains("(assert (and (not (= (notes.owner.1 x4) null)) (not (= (notes.owner.1 x4) v2))))");
    }

    @Test
    void aComparisonWithNullNeverHolds() {
        ConjunctiveQuery goal =
                notes.query("notes n").where("n.owner", "=", parameter(0)).select("n.id");

        String text = strong(notes.policy(), problem(goal, List.of(Arg.of(Value.NULL))));

        assertThat(text).contains("(assert false)");
    }

    @Test
    void aJoinOfNullableColumnsSaysThatTheyAreNotNull() {
        ConjunctiveQuery goal = notes.query("notes n", "notes m")
                .where("n.owner", "=", "m.owner")
                .select("n.id", "m.id");

        assertThat(strong(notes.policy(), problem(goal, List.of())))
                .contains("(assert (= (notes.owner.1 x4) (notes.owner.1 x5)))")
                .contains("(assert (not (= (notes.owner.1 x4) null)))");
    }

    @Test
    void wholeNumbersHaveNothingBetweenThem() {
        ConjunctiveQuery above = notes.query("notes n").where("n.rank", ">", 4).select("n.id");
        ConjunctiveQuery from5 = notes.query("notes n").where("n.rank", ">=", 5).select("n.id");

        assertThat(strong(notes.policy(), problem(above, List.of())))
                .contains("(<= 5.0 (at.NUMBER (notes.rank.1 x4)))")
                .containsPattern("set-logic UFLRA");
        assertThat(strong(notes.policy(), problem(from5, List.of())))
                .contains("(<= 5.0 (at.NUMBER (notes.rank.1 x4)))");
    }

    @Test
    void textsHaveNoOrderButTheDatabases() {
        ConjunctiveQuery goal =
                notes.query("notes n").where("n.text", "<", text("m")).select("n.id");

        assertThat(strong(notes.policy(), problem(goal, List.of())))
                .contains("(lt (notes.text.1 x4) v2)")
                .doesNotContain("Real");
    }

    @Test
    void aViewThatNamesAMissingParameterRevealsNothing() {
        PlainProblem problem = PlainProblem.of(
                UnionQuery.of(Calendar.TITLE), List.of(arg(5)), Map.of(), List.of(Calendar.attendance()));

        String text = Encoder.concrete(problem, Calendar.POLICY, Form.STRONG).text();

        assertThat(text).doesNotContain("events.title.2 x");
    }

    @Test
    void valuesOfDifferentKindsAreNotSaidToDiffer() {
        ConjunctiveQuery goal = notes.query("notes n")
                .where("n.text", "=", parameter(0))
                .where("n.id", "=", parameter(1))
                .select("n.id");

        String text = strong(notes.policy(), problem(goal, List.of(Arg.of(Value.of("5")), arg(5))));

        assertThat(text).contains("(distinct null v1 v3)").contains("(distinct null v2)");
    }

    @Test
    void anInclusionIntoNothingSaysThatThereIsNoSuchRow() {
        Policy policy = notes.inclusion(
                        notes.query("notes n").where("n.owner", "is null").select("n.id"))
                .policy();

        String text = strong(policy, problem(notes.query("notes n").select("n.id"), List.of()));

        assertThat(text).contains("(not (and (notes.1 x2) (= (notes.owner.1 x2) null)))");
    }

    @Test
    void aFurtherKeyMakesTheRowAFunctionOfItsColumnsUnlessTheyAreNull() {
        Sketch users = new Sketch().table("users", "id! key", "email citext unique");
        ConjunctiveQuery goal = users.query("users u").select("u.email");

        String text = strong(users.policy(), problem(goal, List.of()));

        assertThat(text)
                .contains("(=> (and (users.1 x2) (not (= (users.email.1 x2) null)))"
                        + " (= (users.by.email.1 (f.key_ci (users.email.1 x2))) x2))")
                .contains("(= (= (f.key_ci x) null) (= x null))");
    }

    @Test
    void aGeneralisedProblemHangsOnLabels() {
        PlainProblem problem = problem(Calendar.TITLE, List.of(arg(5)), Calendar.attendance());

        Encoder.Generalised generalised = Encoder.generalised(problem, Calendar.POLICY, Form.STRONG);

        assertThat(generalised.labels().values())
                .contains(
                        new Label.Row(0),
                        new Label.Fixed(Value.of(5)),
                        new Label.NotNull(Value.of(2)),
                        new Label.Same(new Operand.GoalArgument(0), Value.of(5)),
                        new Label.Same(new Operand.FactCell(0, 1), Value.of(5)),
                        new Label.Same(new Operand.ContextValue("Me"), Value.of(2)));
        assertThat(generalised.script().assumptions())
                .containsExactlyElementsOf(generalised.labels().keySet());
    }

    @Test
    void symbolsMayBeAnythingThatIsAllowed() {
        PlainProblem problem = PlainProblem.of(
                UnionQuery.of(Calendar.TITLE),
                List.of(new Arg.Symbol(3, true)),
                Map.of("Me", new Arg.Symbol(4, false)),
                List.of());

        String text = Encoder.concrete(problem, Calendar.POLICY, Form.STRONG).text();

        assertThat(text).contains("(assert (not (= null s3)))").doesNotContain("(= null s4)");
    }

    private static String strong(Policy policy, PlainProblem problem) {
        return Encoder.concrete(problem, policy, Form.STRONG).text();
    }
}
