package io.leeway.privoxy.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Change;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each kind of statement and of outcome, and what is left of two complete results. */
class InvalidationTest {

    private static final int ID = 0;
    private static final int NOT_READ = 2;
    private static final Recording.Part POSTS = part("posts");
    private static final Recording.Part PEOPLE = part("people");

    private final Trace trace = new Trace(new Trace.Bounds(100, 100, 1_000));

    @BeforeEach
    void twoPostsAndAPersonWereRead() {
        TraceResult posts = trace.open(POSTS, List.of());
        posts.add(row(1));
        posts.add(row(2));
        posts.complete();
        TraceResult people = trace.open(PEOPLE, List.of());
        people.add(row(7));
        people.complete();
    }

    @ParameterizedTest
    @EnumSource(
            value = StatementPlan.Kind.class,
            names = {"QUERY", "TRANSACTION", "SESSION"})
    void whatDoesNotWriteInvalidatesNothing(StatementPlan.Kind kind) {
        List<TraceEntry> before = trace.entries();

        after(kind);

        assertThat(trace.entries()).isSameAs(before);
    }

    @Test
    void newRowsLeaveTheOldOnesButThereMayBeMore() {
        after(StatementPlan.Kind.WRITE, new Change.Added("posts"));

        isLeft(POSTS, false, 1, 2);
        isLeft(PEOPLE, true, 7);
    }

    @Test
    void aColumnThatWasNotReadInvalidatesNothing() {
        after(StatementPlan.Kind.WRITE, new Change.Updated("posts", Set.of(NOT_READ), Map.of()));

        isLeft(POSTS, true, 1, 2);
    }

    @Test
    void rowsThatAreKnownToBeOthersOutliveAnUpdate() {
        after(StatementPlan.Kind.WRITE, new Change.Updated("posts", Set.of(ID), Map.of(ID, 0)));

        isLeft(POSTS, false, 2);
        isLeft(PEOPLE, true, 7);
    }

    @Test
    void rowsThatAreKnownToBeOthersOutliveADelete() {
        after(StatementPlan.Kind.WRITE, new Change.Removed("posts", Map.of(ID, 0)));

        isLeft(POSTS, false, 2);
        isLeft(PEOPLE, true, 7);
    }

    @Test
    void aWriteOfWhichNothingIsKnownInvalidatesItsTable() {
        after(StatementPlan.Kind.WRITE, new Change.Any("posts"));

        assertThat(trace.entries()).extracting(TraceEntry::query).containsExactly(PEOPLE.query());
    }

    @Test
    void aWriteToTablesOfWhichNothingIsKnownInvalidatesAll() {
        after(StatementPlan.Kind.WRITE, new Change.Any(StatementPlan.ANYTHING));

        assertThat(trace.entries()).isEmpty();
    }

    @Test
    void aChangeOfTheSchemaInvalidatesAll() {
        after(StatementPlan.Kind.DDL);

        assertThat(trace.entries()).isEmpty();
    }

    @Test
    void aStatementOfWhichNothingIsKnownInvalidatesAll() {
        Invalidation.afterUnknown().in(trace, null);

        assertThat(trace.entries()).isEmpty();
    }

    @Test
    void aRollbackInvalidatesWhatWasReadAfterTheFirstWrite() {
        long mark = trace.mark();
        trace.open(POSTS, List.of()).add(row(3));

        Invalidation.afterRollback(mark).in(trace, null);

        isLeft(POSTS, true, 1, 2);
        isLeft(PEOPLE, true, 7);
    }

    @Test
    void aResultThatIsStillReadTakesNoMoreRowsAfterAWrite() {
        TraceResult reading = trace.open(POSTS, List.of());

        after(StatementPlan.Kind.WRITE, new Change.Added("posts"));

        assertThat(reading.add(row(3))).isFalse();
    }

    private void after(StatementPlan.Kind kind, Change... changes) {
        var plan = new StatementPlan(kind, List.of(), Recording.NONE, List.of(), Set.of(), List.of(changes));
        Invalidation.after(plan, slot -> Value.of(1)).in(trace, null);
    }

    private void isLeft(Recording.Part part, boolean complete, long... ids) {
        assertThat(trace.entriesOf(part.query())).singleElement().satisfies(entry -> {
            assertThat(entry.complete()).isEqualTo(complete);
            assertThat(entry.rows()).isEqualTo(ids.length);
            for (int i = 0; i < ids.length; i++) {
                assertThat(entry.cell(i, 0)).isEqualTo(Value.of(ids[i]));
            }
        });
    }

    private static Recording.Part part(String table) {
        var query = new ConjunctiveQuery(List.of(new Atom(table, 0, 3)), List.of(), List.of(new Term.Variable(ID)));
        return new Recording.Part(query, List.of(), List.of(0), -1);
    }

    private static @Nullable Value[] row(long id) {
        return new Value[] {Value.of(id)};
    }
}
