package io.leeway.privoxy.internal.refute;

import static io.leeway.privoxy.internal.decide.QueryBuilder.constant;
import static io.leeway.privoxy.internal.decide.QueryBuilder.context;
import static io.leeway.privoxy.internal.decide.QueryBuilder.from;
import static io.leeway.privoxy.internal.decide.QueryBuilder.parameter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leeway.privoxy.internal.decide.QueryBuilder;
import io.leeway.privoxy.internal.decide.SchemaBuilder;
import io.leeway.privoxy.internal.model.Condition.Operator;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EvaluatorTest {

    private static final Schema SCHEMA = new SchemaBuilder()
            .table("t", "id!", "n", "s text", "c citext")
            .key("t", "id")
            .build();

    private static final SmallDatabase DATABASE = SmallDatabase.of(Map.of(
            "t",
            List.of(
                    row(1, Value.of(10), Value.of("x"), Value.of("a")),
                    row(2, Value.of(20), Value.of("y"), Value.of("A")),
                    row(3, Value.NULL, Value.of("x"), Value.NULL))));

    private final Functions functions = new Functions();

    @Test
    void nullIsNeitherEqualNorDifferentNorSmaller() {
        assertThat(ids(t().equal("t.n", "t.n"))).containsExactly(1L, 2L);
        assertThat(ids(t().compare(Operator.NOT_EQUAL, "t.n", constant(10)))).containsExactly(2L);
        assertThat(ids(t().compare(Operator.LESS, "t.n", constant(15)))).containsExactly(1L);
        assertThat(ids(t().compare(Operator.LESS_OR_EQUAL, constant(20), "t.n")))
                .containsExactly(2L);
    }

    @Test
    void isNullIsTrueOfNullOnly() {
        assertThat(ids(t().isNull("t.n"))).containsExactly(3L);
        assertThat(ids(t().isNotNull("t.n"))).containsExactly(1L, 2L);
    }

    @Test
    void inIsTrueOfAnOptionWhateverTheOthersAre() {
        assertThat(ids(t().oneOf("t.n", new Term.Constant(Value.NULL), constant(10))))
                .containsExactly(1L);
        assertThat(ids(t().oneOf("t.n", new Term.Constant(Value.NULL)))).isEmpty();
    }

    @Test
    void parametersAreWhatTheyAreBoundTo() {
        UnionQuery query =
                t().equal("t.n", parameter(1)).equal("t.s", context("Word")).union("t.id");

        assertThat(evaluator().answer(query, List.of(Value.of(0), Value.of(10))))
                .containsExactly(List.of(Value.of(1)));
    }

    @Test
    void anAnswerIsASetOfAllDisjunctsRows() {
        ConjunctiveQuery all = from(SCHEMA, "t a", "t b").equal("a.s", "b.s").select("a.s");
        ConjunctiveQuery more = t().select("t.n");

        Set<List<Value>> answer = evaluator().answer(new UnionQuery(List.of(all, more)), List.of());

        assertThat(answer)
                .containsExactlyInAnyOrder(
                        List.of(Value.of("x")),
                        List.of(Value.of("y")),
                        List.of(Value.of(10)),
                        List.of(Value.of(20)),
                        List.of(Value.NULL));
    }

    @Test
    void aUnionOfNothingIsEmpty() {
        assertThat(evaluator().answer(new UnionQuery(List.of()), List.of())).isEmpty();
    }

    @Test
    void whatACollationMightCallEqualIsNotDecided() {
        QueryBuilder query = t();
        Term key = query.function("key:ci", "t.c");
        Term small = query.function("key:ci", constant("a"));
        Term other = query.function("key:ci", constant("b"));

        assertThatExceptionOfType(NotEvaluable.class).isThrownBy(() -> ids(t().equal(key, small)));
        assertThat(ids(t().equal(key, other))).isEmpty();
    }

    @Test
    void theOrderOfTextsIsNotDecided() {
        assertThatExceptionOfType(NotEvaluable.class)
                .isThrownBy(() -> ids(t().compare(Operator.LESS, "t.s", constant("z"))));
    }

    @Test
    void aFunctionIsWhatItWasSaidToBeAndNothingElse() {
        functions.put("double", List.of(Value.of(10)), Value.of(20));
        QueryBuilder query = t();
        Term doubled = query.function("double", "t.n");

        assertThat(evaluator().answer(t().equal("t.n", constant(10)).union(doubled), List.of()))
                .containsExactly(List.of(Value.of(20)));
        assertThatExceptionOfType(NotEvaluable.class).isThrownBy(() -> ids(t().equal(doubled, constant(20))));
    }

    @Test
    void aJoinOfTooManyAtomsIsNotWaitedFor() {
        String[] atoms = new String[60];
        for (int i = 0; i < atoms.length; i++) {
            atoms[i] = "t a" + i;
        }
        QueryBuilder query = from(SCHEMA, atoms);

        assertThatExceptionOfType(NotEvaluable.class)
                .isThrownBy(() -> evaluator().answer(query.union("a0.id"), List.of()));
    }

    private static QueryBuilder t() {
        return from(SCHEMA, "t");
    }

    private Evaluator evaluator() {
        return new Evaluator(DATABASE, Map.of("Word", Value.of("x")), functions, new Steps(1_000_000));
    }

    private List<Object> ids(QueryBuilder query) {
        return evaluator().answer(query.union("t.id"), List.of()).stream()
                .map(row -> row.get(0).raw())
                .toList();
    }

    private static List<Value> row(long id, Value... rest) {
        return List.of(Value.of(id), rest[0], rest[1], rest[2]);
    }
}
