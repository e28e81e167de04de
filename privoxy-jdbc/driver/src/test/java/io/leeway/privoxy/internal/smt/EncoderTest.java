package io.leeway.privoxy.internal.smt;

import static io.leeway.privoxy.internal.decide.QueryBuilder.constant;
import static io.leeway.privoxy.internal.decide.QueryBuilder.context;
import static io.leeway.privoxy.internal.decide.QueryBuilder.from;
import static io.leeway.privoxy.internal.decide.QueryBuilder.parameter;
import static io.leeway.privoxy.internal.smt.Calendar.number;
import static io.leeway.privoxy.internal.smt.Calendar.policy;
import static io.leeway.privoxy.internal.smt.Calendar.problem;
import static io.leeway.privoxy.internal.smt.Calendar.view;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.SchemaBuilder;
import io.leeway.privoxy.internal.model.Condition.Operator;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EncoderTest {

    private static final Schema NOTES = new SchemaBuilder()
            .table("notes", "id!", "owner", "text text", "rank")
            .key("notes", "id")
            .build();

    @Test
    void aSmallProblemIsWrittenInFull() {
        Policy policy = policy(
                NOTES,
                view(
                        "mine",
                        from(NOTES, "notes n")
                                .equal("n.owner", context("MyUId"))
                                .union("n.id", "n.text")));

        String text = strong(
                policy,
                problem(from(NOTES, "notes n").equal("n.id", parameter(0)).union("n.text"), List.of(number(7))));

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
        SmtProblem problem = problem(Calendar.TITLE, List.of(number(5)), Calendar.attendance());
        String back = "\\(=> \\(users\\.2 (x\\d+)\\) \\(users\\.1 \\1\\)\\)";

        assertThat(strong(Calendar.POLICY, problem)).doesNotContainPattern(back);
        assertThat(Encoder.concrete(problem, Calendar.POLICY, Form.BASIC).text())
                .containsPattern(back);
    }

    @Test
    void aComparisonSaysThatNullableSidesAreNotNull() {
        UnionQuery goal = from(NOTES, "notes n")
                .compare(Operator.NOT_EQUAL, "n.owner", parameter(0))
                .union("n.id");

        String text = strong(policy(NOTES), problem(goal, List.of(number(7))));

        assertThat(text).contains("(assert (and (not (= (notes.owner.1 x4) null)) (not (= (notes.owner.1 x4) v2))))");
    }

    @Test
    void aComparisonWithNullNeverHolds() {
        UnionQuery goal = from(NOTES, "notes n").equal("n.owner", parameter(0)).union("n.id");

        String text = strong(policy(NOTES), problem(goal, List.of(Arg.of(Value.NULL))));

        assertThat(text).contains("(assert false)");
    }

    @Test
    void aJoinOfNullableColumnsSaysThatTheyAreNotNull() {
        UnionQuery goal =
                from(NOTES, "notes n", "notes m").equal("n.owner", "m.owner").union("n.id", "m.id");

        assertThat(strong(policy(NOTES), problem(goal, List.of())))
                .contains("(assert (= (notes.owner.1 x4) (notes.owner.1 x5)))")
                .contains("(assert (not (= (notes.owner.1 x4) null)))");
    }

    @Test
    void wholeNumbersHaveNothingBetweenThem() {
        UnionQuery above = from(NOTES, "notes n")
                .compare(Operator.LESS, constant(4), "n.rank")
                .union("n.id");
        UnionQuery from5 = from(NOTES, "notes n")
                .compare(Operator.LESS_OR_EQUAL, constant(5), "n.rank")
                .union("n.id");

        assertThat(strong(policy(NOTES), problem(above, List.of())))
                .contains("(<= 5.0 (at.NUMBER (notes.rank.1 x4)))")
                .containsPattern("set-logic UFLRA");
        assertThat(strong(policy(NOTES), problem(from5, List.of()))).contains("(<= 5.0 (at.NUMBER (notes.rank.1 x4)))");
    }

    @Test
    void textsHaveNoOrderButTheDatabases() {
        UnionQuery goal = from(NOTES, "notes n")
                .compare(Operator.LESS, "n.text", constant("m"))
                .union("n.id");

        assertThat(strong(policy(NOTES), problem(goal, List.of())))
                .contains("(lt (notes.text.1 x4) v2)")
                .doesNotContain("Real");
    }

    @Test
    void aViewThatNamesAMissingParameterRevealsNothing() {
        SmtProblem problem =
                SmtProblem.of(Calendar.TITLE, List.of(number(5)), Map.of(), List.of(Calendar.attendance()));

        String text = Encoder.concrete(problem, Calendar.POLICY, Form.STRONG).text();

        assertThat(text).doesNotContain("events.title.2 x");
    }

    @Test
    void valuesOfDifferentKindsAreNotSaidToDiffer() {
        UnionQuery goal = from(NOTES, "notes n")
                .equal("n.text", parameter(0))
                .equal("n.id", parameter(1))
                .union("n.id");

        String text = strong(policy(NOTES), problem(goal, List.of(Arg.of(Value.of("5")), number(5))));

        assertThat(text).contains("(distinct null v1 v3)").contains("(distinct null v2)");
    }

    @Test
    void anInclusionIntoNothingSaysThatThereIsNoSuchRow() {
        Inclusion none = new Inclusion(
                "no orphans", from(NOTES, "notes n").isNull("n.owner").union("n.id"), new UnionQuery(List.of()), "");
        Policy policy = new Policy(NOTES, Map.of(), List.of(), List.of(none));

        String text = strong(policy, problem(from(NOTES, "notes n").union("n.id"), List.of()));

        assertThat(text).contains("(not (and (notes.1 x2) (= (notes.owner.1 x2) null)))");
    }

    @Test
    void aFurtherKeyMakesTheRowAFunctionOfItsColumnsUnlessTheyAreNull() {
        Schema schema = new SchemaBuilder()
                .table("users", "id!", "email citext")
                .key("users", "id")
                .unique("users", "email")
                .build();
        UnionQuery goal = from(schema, "users u").union("u.email");

        String text = strong(policy(schema), problem(goal, List.of()));

        assertThat(text)
                .contains("(=> (and (users.1 x2) (not (= (users.email.1 x2) null)))"
                        + " (= (users.by.email.1 (f.key_ci (users.email.1 x2))) x2))")
                .contains("(= (= (f.key_ci x) null) (= x null))");
    }

    @Test
    void aGeneralisedProblemHangsOnLabels() {
        SmtProblem problem = problem(Calendar.TITLE, List.of(number(5)), Calendar.attendance());

        Encoder.Generalised generalised = Encoder.generalised(problem, Calendar.POLICY, Form.STRONG);

        assertThat(generalised.labels().values())
                .contains(
                        new Label.Row(0),
                        new Label.Fixed(Value.of(5)),
                        new Label.NotNull(Value.of(2)),
                        new Label.Same(new Operand.GoalArgument(0), Value.of(5)),
                        new Label.Same(new Operand.FactCell(0, 1), Value.of(5)),
                        new Label.Same(new Operand.ContextValue("MyUId"), Value.of(2)));
        assertThat(generalised.script().assumptions())
                .containsExactlyElementsOf(generalised.labels().keySet());
    }

    @Test
    void symbolsMayBeAnythingThatIsAllowed() {
        SmtProblem problem = SmtProblem.of(
                Calendar.TITLE, List.of(new Arg.Symbol(3, true)), Map.of("MyUId", new Arg.Symbol(4, false)), List.of());

        String text = Encoder.concrete(problem, Calendar.POLICY, Form.STRONG).text();

        assertThat(text).contains("(assert (not (= null s3)))").doesNotContain("(= null s4)");
    }

    private static String strong(Policy policy, SmtProblem problem) {
        return Encoder.concrete(problem, policy, Form.STRONG).text();
    }
}
