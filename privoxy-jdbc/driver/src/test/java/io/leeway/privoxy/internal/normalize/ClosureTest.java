package io.leeway.privoxy.internal.normalize;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Functional dependencies. */
class ClosureTest {

    private static final Table T = new Table(
            "t",
            List.of(
                    new Column("id", Fixture.type("bigint"), false),
                    new Column("code", Fixture.type("text"), true),
                    new Column("mail", Fixture.type("citext"), false),
                    new Column("friend", Fixture.type("bigint"), true)),
            List.of(
                    new Key("pk", List.of(0), false),
                    new Key("code", List.of(1), true),
                    new Key("mail", List.of(2), true)),
            List.of());

    private final Use first = new Use(T, 0);
    private final Use second = new Use(T, 4);

    private static Condition equal(Term left, Term right) {
        return new Condition.Comparison(Condition.Operator.EQUAL, left, right);
    }

    @Test
    void aKeyDeterminesItsRow() {
        assertThat(new Closure(List.of(first), List.of())
                        .add(List.of(first.variable(0)))
                        .covers(first))
                .isTrue();
        assertThat(new Closure(List.of(first), List.of()).add(List.of()).covers(first))
                .isFalse();
    }

    @Test
    void equalitiesLeadFromRowToRow() {
        List<Condition> conditions =
                List.of(equal(first.variable(0), new Term.Parameter(0)), equal(second.variable(0), first.variable(3)));

        assertThat(new Closure(List.of(first, second), conditions)
                        .add(List.of())
                        .coversAll(List.of(first, second)))
                .isTrue();
    }

    @Test
    void aKeyWithNullsDoesNotCountUnlessTheyAreExcluded() {
        List<Term> known = List.of(first.variable(1));

        assertThat(new Closure(List.of(first), List.of()).add(known).covers(first))
                .isFalse();
        assertThat(new Closure(List.of(first), List.of(new Condition.NullTest(first.variable(1), false)))
                        .add(known)
                        .covers(first))
                .isTrue();
    }

    @Test
    void isNullDeterminesAColumnButNoKeyWithNulls() {
        var closure = new Closure(List.of(first), List.of(new Condition.NullTest(first.variable(1), true)));

        assertThat(closure.add(List.of()).determines(first.variable(1))).isTrue();
        assertThat(closure.covers(first)).isFalse();
    }

    @Test
    void aCoarseKeyIsPinnedByItsClass() {
        Term image = new Term.Function("key:ci", List.of(first.variable(2)));
        Term constant = new Term.Function("key:ci", List.of(new Term.Parameter(0)));

        assertThat(new Closure(List.of(first), List.of(equal(image, constant)))
                        .add(List.of())
                        .covers(first))
                .isTrue();
    }

    @Test
    void missingKeysAreAsFewAsPossible() {
        List<Condition> join = List.of(equal(second.variable(0), first.variable(3)));

        assertThat(Keys.missing(List.of(second, first), List.of(second, first), join, List.of(), List.of()))
                .containsExactly(first.variable(0));
    }

    @Test
    void aPreferredKeyIsTaken() {
        assertThat(Keys.missing(List.of(first), List.of(first), List.of(), List.of(), List.of(first.variable(2))))
                .containsExactly(first.variable(2));
    }
}
