package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.View;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TellingColumnsTest {

    private static final int ID = 0;
    private static final int AUTHOR = 1;
    private static final int STATUS = 2;
    private static final int TEXT = 3;
    private static final ColumnType NUMBER = ColumnType.integer("bigint");
    private static final Table POSTS = new Table(
            "posts",
            List.of(column("id"), column("author"), column("status"), column("text")),
            List.of(new Key("posts_pk", List.of(ID), false)),
            List.of(new ForeignKey("posts_author", List.of(AUTHOR), "people", List.of(0), true)));
    private static final Schema SCHEMA = new Schema(Map.of("posts", POSTS));
    private static final List<Atom> FROM_POSTS = List.of(new Atom("posts", 0, 4));

    @Test
    void keepsKeysAndForeignKeys() {
        Recording.Part kept = telling().of(wholeRow(-1));

        assertThat(kept.resultColumns()).containsExactly(ID, AUTHOR);
        assertThat(kept.query().head()).containsExactly(new Term.Variable(ID), new Term.Variable(AUTHOR));
        assertThat(kept.query().atoms()).isEqualTo(FROM_POSTS);
    }

    @Test
    void keepsWhatAViewCompares() {
        Condition isOpen = new Condition.NullTest(new Term.Variable(STATUS), true);

        assertThat(telling(isOpen).of(wholeRow(-1)).resultColumns()).containsExactly(ID, AUTHOR, STATUS);
    }

    @Test
    void keepsWhatAViewComparesInsideAFunction() {
        Condition startsWell = new Condition.Comparison(
                Condition.Operator.EQUAL,
                new Term.Function("starts", List.of(new Term.Variable(TEXT))),
                new Term.Context("Word"));

        assertThat(telling(startsWell).of(wholeRow(-1)).resultColumns()).containsExactly(ID, AUTHOR, TEXT);
    }

    @Test
    void keepsTheGuardThatSaysWhetherThereIsARow() {
        assertThat(telling().of(wholeRow(TEXT)).guard()).isEqualTo(TEXT);
    }

    @Test
    void dropsWhatIsComputed() {
        ConjunctiveQuery computed = new ConjunctiveQuery(
                FROM_POSTS, List.of(), List.of(new Term.Function("length", List.of(new Term.Variable(ID)))));

        Recording.Part kept = telling().of(new Recording.Part(computed, List.of(), List.of(0), -1));

        assertThat(kept.query().head()).isEmpty();
    }

    private static TellingColumns telling(Condition... conditions) {
        UnionQuery query = UnionQuery.of(
                new ConjunctiveQuery(FROM_POSTS, List.of(conditions), List.of(new Term.Variable(STATUS))));
        View view = new View("V", "", query, List.of("status"), "");
        return new TellingColumns(new Policy(SCHEMA, Map.of(), List.of(view), List.of()), SCHEMA::table);
    }

    private static Recording.Part wholeRow(int guard) {
        List<Term> head = List.of(
                new Term.Variable(ID), new Term.Variable(AUTHOR), new Term.Variable(STATUS), new Term.Variable(TEXT));
        return new Recording.Part(
                new ConjunctiveQuery(FROM_POSTS, List.of(), head), List.of(), List.of(ID, AUTHOR, STATUS, TEXT), guard);
    }

    private static Column column(String name) {
        return new Column(name, NUMBER, true);
    }
}
