package io.leeway.privoxy.internal.decide;

import static io.leeway.privoxy.internal.decide.QueryBuilder.from;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ContradictionsTest {

    private static final Schema SCHEMA =
            new SchemaBuilder().table("t", "id!", "x").key("t", "id").build();

    private static ConjunctiveQuery equalTo(int values) {
        QueryBuilder query = from(SCHEMA, "t t");
        for (int i = 0; i < values; i++) {
            query.equal("t.x", i);
        }
        return query.select("t.id");
    }

    @Test
    void asMuchIsKeptAsCanBeAndWhatIsLeftOutIsShown() {
        Set<ConjunctiveQuery> less =
                Contradictions.lessAsked(equalTo(3), query -> query.conditions().size() <= 1);

        assertThat(less).first().isEqualTo(equalTo(3));
        assertThat(less).element(1).satisfies(first -> {
            assertThat(first.conditions())
                    .containsExactly(equalTo(3).conditions().get(0));
            assertThat(first.head()).containsExactly(new Term.Variable(0), new Term.Variable(1));
        });
        assertThat(less).last().satisfies(none -> assertThat(none.conditions()).isEmpty());
    }

    /** The work does not grow with the square of what somebody has written. */
    @Test
    void ofHundredsOfConditionsNoneIsTried() {
        List<ConjunctiveQuery> tried = new ArrayList<>();
        Set<ConjunctiveQuery> less = Contradictions.lessAsked(equalTo(1_000), tried::add);

        assertThat(tried).isEmpty();
        assertThat(less).hasSize(2);
        assertThat(Contradictions.lessAsked(equalTo(Contradictions.MOST), tried::add))
                .hasSizeGreaterThan(2);
        assertThat(tried).hasSize(2 * Contradictions.MOST);
    }
}
