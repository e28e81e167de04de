package io.leeway.privoxy.internal.cache;

import static io.leeway.privoxy.internal.decide.QueryBuilder.from;
import static io.leeway.privoxy.internal.decide.QueryBuilder.parameter;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.decide.SchemaBuilder;
import io.leeway.privoxy.internal.model.Condition.Operator;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class CompiledTemplateTest {

    private static final Schema SCHEMA =
            new SchemaBuilder().table("t", "a!", "b", "c").key("t", "a").build();
    private static final UnionQuery GOAL =
            from(SCHEMA, "t t").equal("t.a", parameter(0)).union("t.b");
    private static final ConjunctiveQuery ROWS =
            from(SCHEMA, "t t").equal("t.b", parameter(0)).select("t.a", "t.b", "t.c");
    private static final ConjunctiveQuery ALL = from(SCHEMA, "t t").select("t.a", "t.c");

    private static final Pattern ANY = Pattern.ANY;
    private static final Pattern X = new Pattern.Variable(0);
    private static final Pattern Y = new Pattern.Variable(1);
    private static final Pattern Z = new Pattern.Variable(2);

    private final Scene scene = new Scene(SCHEMA, List.of(from(SCHEMA, "t t").union("t.*")));

    private static Template template(List<Premise> premises) {
        return template(Map.of(), premises, List.of(), List.of());
    }

    private static Template template(
            Map<String, Pattern> context,
            List<Premise> premises,
            List<Integer> notNull,
            List<PatternComparison> comparisons) {
        return Template.canonical(GOAL, List.of(X), context, premises, notNull, comparisons);
    }

    private static Premise rows(Pattern argument, Pattern... cells) {
        return new Premise(ROWS, List.of(argument), List.of(cells));
    }

    private static Premise all(Pattern... cells) {
        return new Premise(ALL, List.of(), List.of(cells));
    }

    @Test
    void twoPremisesAreJoinedOverAVariableThatNeitherTheGoalNorTheContextBinds() {
        Template template = template(List.of(all(X, Y), rows(ANY, Y, ANY, new Pattern.Constant(Value.of(3)))));

        scene.request()
                .saw(ALL, List.of(), Scene.row(1, 10), Scene.row(1, 20), Scene.row(2, 10))
                .saw(ROWS, List.of(5), Scene.row(20, 5, 3), Scene.row(10, 5, 4));

        assertThat(scene.matches(template, 1)).isTrue();
        assertThat(scene.matches(template, 2)).isFalse();
    }

    @Test
    void theSearchComesBackToAnotherEntryAndAnotherRow() {
        Template template = template(List.of(all(X, Y), all(Y, Z), all(Z, new Pattern.Constant(Value.of(0)))));

        scene.request()
                .saw(ALL, List.of(), Scene.row(1, 2), Scene.row(1, 3))
                .saw(ALL, List.of(), Scene.row(2, 4), Scene.row(3, 5))
                .saw(ALL, List.of(), Scene.row(5, 0));

        assertThat(scene.matches(template, 1)).isTrue();
        assertThat(scene.request()
                        .saw(ALL, List.of(), Scene.row(1, 2), Scene.row(2, 4), Scene.row(4, 1))
                        .matches(template, 1))
                .isFalse();
    }

    @Test
    void anUnknownCellOrArgumentFitsOnlyWhereNothingIsSaid() {
        Template said = template(List.of(all(X, new Pattern.Constant(Value.of(7)))));
        Template unsaid = template(List.of(all(X, ANY)));

        scene.request().saw(ALL, List.of(), Scene.row(1, Scene.unknown()));

        assertThat(scene.matches(said, 1)).isFalse();
        assertThat(scene.matches(unsaid, 1)).isTrue();
        assertThat(scene.matches(unsaid, Scene.unknown())).isFalse();
        assertThat(scene.matches(template(List.of()), Scene.unknown())).isTrue();
    }

    @Test
    void aParameterOfTheContextMustBeThereEvenIfItsValueIsFree() {
        Template template = template(Map.of("MyUId", ANY), List.of(), List.of(), List.of());

        assertThat(scene.request().matches(template, 1)).isFalse();
        assertThat(scene.request("MyUId", 4).matches(template, 1)).isTrue();
    }

    @Test
    void comparisonsHoldOnlyWhereTheOrderIsCertain() {
        Template template = template(
                Map.of(), List.of(all(X, Y)), List.of(), List.of(new PatternComparison(Operator.LESS_OR_EQUAL, X, Y)));

        scene.request().saw(ALL, List.of(), Scene.row(1, 0), Scene.row(2, 2), Scene.row(3, null));

        assertThat(scene.matches(template, 1)).isFalse();
        assertThat(scene.matches(template, 2)).isTrue();
        assertThat(scene.matches(template, 3)).isFalse();
        assertThat(scene.request().saw(ALL, List.of(), Scene.row("a", "b")).matches(template, "a"))
                .isFalse();
    }

    @Test
    void longResultsAreFoundThroughAnIndexWithTheSameOutcome() {
        RandomGenerator random = new Random(Seeds.seed("long results"));
        Template template = template(List.of(all(X, Y), rows(ANY, Y, ANY, X)));
        for (int run = 0; run < 50; run++) {
            scene.request();
            scene.saw(ALL, List.of(), randomRows(random, 2)).saw(ROWS, List.of(1), randomRows(random, 3));
            for (int id = 0; id < 20; id++) {
                assertThat(scene.matches(template, id))
                        .isEqualTo(NaiveMatcher.match(
                                        template,
                                        Scene.values(id),
                                        Map.of(),
                                        scene.trace().entries())
                                != null);
            }
        }
    }

    private static Object[][] randomRows(RandomGenerator random, int width) {
        List<Object[]> rows = new ArrayList<>();
        for (int i = random.nextInt(30); i >= 0; i--) {
            Object[] row = new Object[width];
            for (int c = 0; c < width; c++) {
                row[c] = random.nextInt(10) == 0 ? Scene.unknown() : random.nextInt(20);
            }
            rows.add(row);
        }
        return rows.toArray(Object[][]::new);
    }

    @Test
    void canonicalFormForgetsVariablesThatSayNothingAndNumbersTheOthers() {
        Pattern seven = new Pattern.Variable(7);
        Template template = Template.canonical(
                GOAL,
                List.of(new Pattern.Variable(9)),
                Map.of("MyUId", seven),
                List.of(all(seven, new Pattern.Variable(8)), all(seven, new Pattern.Variable(8))),
                List.of(),
                List.of());

        assertThat(template)
                .isEqualTo(Template.canonical(
                        GOAL, List.of(ANY), Map.of("MyUId", X), List.of(all(X, ANY)), List.of(), List.of()));
        assertThat(template.arguments()).containsExactly(ANY);
        assertThat(template.id()).hasSize(12).isEqualTo(template.id());
    }
}
