package io.leeway.privoxy.internal.decide;

import static io.leeway.privoxy.internal.decide.QueryBuilder.constant;
import static io.leeway.privoxy.internal.decide.QueryBuilder.context;
import static io.leeway.privoxy.internal.decide.QueryBuilder.from;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Condition.Operator;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.UnionQuery;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a view says of its rows does not depend on how it is written. */
class CanonicalRowsTest {

    private static final Schema SCHEMA = new SchemaBuilder()
            .table("posts", "id!", "owner!", "name citext", "since!")
            .key("posts", "id")
            .unique("posts", "name")
            .table("notes", "id!", "post!", "other!")
            .key("notes", "id")
            .build();

    private static CanonicalRows of(ConjunctiveQuery part, Inclusion... inclusions) {
        CompiledPolicy policy = CompiledPolicy.of(
                new Policy(SCHEMA, Map.of("Me", ColumnType.integer("bigint")), List.of(), List.of(inclusions)));
        return policy.canonical(policy.shape(part));
    }

    private static QueryBuilder posts() {
        return from(SCHEMA, "posts a", "posts b");
    }

    @Test
    void twoAtomsAreOneRowByAnyKeyHoweverThatIsSaid() {
        QueryBuilder folded = posts();
        assertThat(of(posts().equal("a.id", "b.id").select("a.id")).areOneRow(0, 1))
                .isTrue();
        assertThat(of(posts().compare(Operator.LESS_OR_EQUAL, "a.id", "b.id")
                                .compare(Operator.LESS_OR_EQUAL, "b.id", "a.id")
                                .select("a.id"))
                        .areOneRow(0, 1))
                .isTrue();
        assertThat(of(folded.equal(folded.function("key:ci", "a.name"), folded.function("key:ci", "b.name"))
                                .select("a.id"))
                        .areOneRow(0, 1))
                .isTrue();
        assertThat(of(posts().equal("a.id", 7).equal("b.id", 7).select("a.id")).areOneRow(0, 1))
                .isTrue();
        assertThat(of(posts().equal("a.owner", "b.owner").select("a.id")).areOneRow(0, 1))
                .isFalse();
        assertThat(of(posts().compare(Operator.LESS_OR_EQUAL, "a.id", "b.id").select("a.id"))
                        .areOneRow(0, 1))
                .isFalse();
    }

    /** By a function of the keys, or an order in one direction; not where only something else is compared. */
    @Test
    void twoAtomsMayBeOneRow() {
        QueryBuilder minus = posts();
        ConjunctiveQuery none =
                minus.equal(minus.function("-", "a.id", "b.id"), 0).select("a.id");
        assertThat(of(none).areOneRow(0, 1)).isFalse();
        assertThat(of(none).mayBeOneRow(0, 1)).isTrue();
        assertThat(of(posts().compare(Operator.LESS_OR_EQUAL, "a.id", "b.id").select("a.id"))
                        .mayBeOneRow(0, 1))
                .isTrue();
        assertThat(of(posts().equal("a.owner", "b.owner").select("a.id")).mayBeOneRow(0, 1))
                .isFalse();
    }

    @Test
    void aRowThatIsNamedTwiceAndAnAssertionSayWhatIsEqual() {
        QueryBuilder twice = from(SCHEMA, "notes n", "notes m", "posts a", "posts b")
                .equal("n.id", "m.id")
                .equal("a.id", "n.post")
                .equal("b.id", "m.post");
        QueryBuilder both = from(SCHEMA, "notes n", "posts a", "posts b")
                .equal("a.id", "n.post")
                .equal("b.id", "n.other");
        Inclusion same = new Inclusion(
                "same",
                from(SCHEMA, "notes n")
                        .compare(Operator.NOT_EQUAL, "n.post", "n.other")
                        .union("n.id"),
                new UnionQuery(List.of()),
                "");
        assertThat(of(twice.select("n.id")).areOneRow(2, 3)).isTrue();
        assertThat(of(both.select("n.id")).areOneRow(1, 2)).isFalse();
        assertThat(of(both.select("n.id"), same).areOneRow(1, 2)).isTrue();
    }

    /** Each row has by itself what is given, so that it is nothing that they have in common. */
    @Test
    void whatIsGivenTiesNothing() {
        CanonicalRows given = of(posts().equal("a.owner", context("Me"))
                .equal("b.owner", context("Me"))
                .equal("a.since", 1)
                .equal("b.since", 1)
                .select("a.id"));
        assertThat(given.hold(0, 1, 1, 1)).isTrue();
        assertThat(given.areTied(0, 1, 1, 1)).isFalse();
        assertThat(given.areTied(0, 3, 1, 3)).isFalse();
        assertThat(of(posts().equal("a.owner", "b.owner").select("a.id")).areTied(0, 1, 1, 1))
                .isTrue();
    }

    @Test
    void oneComparisonLeadsToTheNext() {
        CanonicalRows rows = of(from(SCHEMA, "posts a", "posts b", "posts c")
                .compare(Operator.LESS, "a.since", "b.since")
                .compare(Operator.LESS, "b.since", "c.since")
                .equal("a.owner", "b.owner")
                .select("a.id"));
        assertThat(rows.comparison(0, 3)).isNotNegative().isEqualTo(rows.comparison(2, 3));
        assertThat(rows.comparison(0, 1)).isNegative();
    }

    @Test
    void whatTheTimeDecidesOfItDecidesOfWhatThatIsComparedWith() {
        QueryBuilder builder = from(SCHEMA, "posts a", "posts b", "notes n");
        CanonicalRows rows = of(builder.equal("a.since", "b.since")
                .equal(builder.function("cmp:<", "b.since", builder.function("now:current_timestamp")), true)
                .equal("n.post", "a.id")
                .select("n.id"));
        assertThat(rows.isChanging(0)).isTrue();
        assertThat(rows.isChanging(1)).isTrue();
        assertThat(rows.isChanging(2)).isFalse();
        assertThat(rows.canBeEarlier(bits(2))).isTrue();
        assertThat(rows.canBeEarlier(bits(0, 2))).isFalse();
    }

    @Test
    void ofAnAnswerIsFreeOfWhichNothingFollows() {
        var universe = new Universe();
        int one = universe.fresh();
        int two = universe.fresh();
        CanonicalRows rows = of(from(SCHEMA, "posts a").equal("a.owner", 1).select("a.name", "a.owner"));
        assertThat(rows.free(new int[] {one, two}, universe)).containsExactly(one, Instantiation.UNKNOWN);
        CanonicalRows notNull = of(from(SCHEMA, "posts a").select("a.id", "a.since"));
        universe.assumeNotNull(two);
        assertThat(notNull.free(new int[] {one, two}, universe)).containsExactly(Instantiation.UNKNOWN, two);
        CanonicalRows constant = of(from(SCHEMA, "posts a").select(constant(1), "a.name"));
        assertThat(constant.free(new int[] {one, two}, universe)).containsExactly(Instantiation.UNKNOWN, two);
    }

    private static BitSet bits(int... numbers) {
        BitSet bits = new BitSet();
        for (int number : numbers) {
            bits.set(number);
        }
        return bits;
    }
}
