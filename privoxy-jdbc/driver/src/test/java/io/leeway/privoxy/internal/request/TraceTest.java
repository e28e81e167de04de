package io.leeway.privoxy.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.Value;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TraceTest {

    private static final Recording.Part POSTS = part("posts");
    private static final Recording.Part PEOPLE = part("people");

    private final Trace trace = new Trace(new Trace.Bounds(100, 100, 1_000));

    @Test
    void aResultIsSeenFromItsFirstRowOn() {
        TraceResult result = trace.open(POSTS, List.of(Value.of(7)));
        assertThat(trace.entries()).isEmpty();

        result.add(row(1, null));

        TraceEntry entry = trace.entries().get(0);
        assertThat(entry.query()).isSameAs(POSTS.query());
        assertThat(entry.arguments()).containsExactly(Value.of(7));
        assertThat(entry.rows()).isEqualTo(1);
        assertThat(entry.cell(0, 0)).isEqualTo(Value.of(1));
        assertThat(entry.cell(0, 1)).isNull();
        assertThat(entry.complete()).isFalse();
    }

    @Test
    void anEmptyResultThatWasReadToItsEndIsKnownToBeEmpty() {
        trace.open(POSTS, List.of()).complete();

        assertThat(trace.entries()).singleElement().satisfies(entry -> {
            assertThat(entry.rows()).isZero();
            assertThat(entry.complete()).isTrue();
        });
    }

    @Test
    void aSnapshotDoesNotChangeWhenRowsAreAdded() {
        TraceResult result = trace.open(POSTS, List.of());
        result.add(row(1, 1));
        TraceEntry before = trace.entries().get(0);

        for (int i = 2; i < 50; i++) {
            result.add(row(i, i));
        }

        assertThat(before.rows()).isEqualTo(1);
        assertThat(before.cell(0, 0)).isEqualTo(Value.of(1));
        TraceEntry after = trace.entries().get(0);
        assertThat(after.id()).isEqualTo(before.id());
        assertThat(after.rows()).isEqualTo(49);
        assertThat(after.cell(48, 1)).isEqualTo(Value.of(49));
    }

    @Test
    void versionAndSnapshotChangeOnlyWithTheTrace() {
        trace.open(POSTS, List.of()).add(row(1, 1));
        long version = trace.version();
        List<TraceEntry> entries = trace.entries();

        trace.open(POSTS, List.of());
        assertThat(trace.version()).isEqualTo(version);
        assertThat(trace.entries()).isSameAs(entries);

        trace.open(POSTS, List.of()).add(row(2, 2));
        assertThat(trace.version()).isGreaterThan(version);
        assertThat(trace.epoch()).isZero();
    }

    @Test
    void entriesAreFoundByTheIdentityOfTheirQuery() {
        Recording.Part twin = part("posts");
        trace.open(POSTS, List.of()).add(row(1, 1));
        trace.open(PEOPLE, List.of()).add(row(2, 2));
        trace.open(twin, List.of()).add(row(3, 3));

        assertThat(trace.entriesOf(POSTS.query()))
                .extracting(entry -> entry.cell(0, 0))
                .containsExactly(Value.of(1));
        assertThat(trace.entriesOf(twin.query()))
                .extracting(entry -> entry.cell(0, 0))
                .containsExactly(Value.of(3));
    }

    @Test
    void aWriteForgetsWhatMentionsTheTableAndNothingElse() {
        trace.open(POSTS, List.of()).add(row(1, 1));
        trace.open(PEOPLE, List.of()).add(row(2, 2));
        long epoch = trace.epoch();

        trace.forgetTables(Set.of("posts"));

        assertThat(trace.entries()).extracting(TraceEntry::query).containsExactly(PEOPLE.query());
        assertThat(trace.entriesOf(POSTS.query())).isEmpty();
        assertThat(trace.epoch()).isGreaterThan(epoch);
    }

    @Test
    void rowsOfAResultOpenedBeforeAWriteAreDoubtfulThoughTheyComeAfterIt() {
        TraceResult posts = trace.open(POSTS, List.of());
        TraceResult people = trace.open(PEOPLE, List.of());

        trace.forgetTables(Set.of("posts"));

        assertThat(posts.add(row(1, 1))).isFalse();
        posts.complete();
        assertThat(people.add(row(2, 2))).isTrue();
        assertThat(trace.entries()).extracting(TraceEntry::query).containsExactly(PEOPLE.query());
        assertThat(trace.open(POSTS, List.of()).add(row(3, 3))).isTrue();
    }

    @Test
    void aRollbackForgetsWhatWasReadSinceTheMarkAndOpenResults() {
        trace.open(POSTS, List.of()).add(row(1, 1));
        TraceResult growing = trace.open(PEOPLE, List.of());
        growing.add(row(2, 2));
        TraceResult open = trace.open(POSTS, List.of());
        long mark = trace.mark();
        growing.add(row(3, 3));
        trace.open(POSTS, List.of()).add(row(4, 4));

        trace.forgetSince(mark);

        assertThat(trace.entries()).extracting(entry -> entry.cell(0, 0)).containsExactly(Value.of(1));
        assertThat(open.add(row(5, 5))).isFalse();
        assertThat(growing.add(row(6, 6))).isFalse();
        assertThat(trace.entries()).hasSize(1);
    }

    @Test
    void moreEntriesThanTheBoundForgetTheOldest() {
        var small = new Trace(new Trace.Bounds(2, 100, 1_000));
        for (int i = 1; i <= 3; i++) {
            small.open(POSTS, List.of()).add(row(i, i));
        }

        assertThat(small.entries()).extracting(entry -> entry.cell(0, 0)).containsExactly(Value.of(2), Value.of(3));
    }

    @Test
    void moreRowsThanTheBoundAreNotRememberedAndTheResultIsNotComplete() {
        var small = new Trace(new Trace.Bounds(10, 2, 1_000));
        TraceResult result = small.open(POSTS, List.of());

        assertThat(result.add(row(1, 1))).isTrue();
        assertThat(result.add(row(2, 2))).isTrue();
        assertThat(result.add(row(3, 3))).isFalse();
        result.complete();

        assertThat(small.entries()).singleElement().satisfies(entry -> {
            assertThat(entry.rows()).isEqualTo(2);
            assertThat(entry.complete()).isFalse();
        });
    }

    @Test
    void moreCellsThanTheBoundForgetTheOldestResults() {
        var small = new Trace(new Trace.Bounds(10, 100, 4));
        small.open(PEOPLE, List.of()).add(row(1, 1));
        TraceResult result = small.open(POSTS, List.of());
        result.add(row(2, 2));

        assertThat(result.add(row(3, 3))).isTrue();
        assertThat(result.add(row(4, 4))).isFalse();

        assertThat(small.cells()).isEqualTo(4);
        assertThat(small.entriesOf(PEOPLE.query())).isEmpty();
    }

    @Test
    void whatIsForgottenForItsSizeTakesNoMoreRows() {
        var small = new Trace(new Trace.Bounds(1, 100, 1_000));
        TraceResult old = small.open(POSTS, List.of());
        old.add(row(1, 1));
        small.open(PEOPLE, List.of()).add(row(2, 2));

        assertThat(old.add(row(3, 3))).isFalse();
        assertThat(small.entries()).extracting(TraceEntry::query).containsExactly(PEOPLE.query());
    }

    @Test
    void narrowerBoundsForgetAtOnce() {
        trace.open(POSTS, List.of()).add(row(1, 1));

        trace.limit(Trace.Bounds.NOTHING);

        assertThat(trace.entries()).isEmpty();
        assertThat(trace.cells()).isZero();
        assertThat(trace.open(POSTS, List.of()).add(row(2, 2))).isFalse();
    }

    @Test
    void anAnswerThatContradictsItselfLeavesNothingBehind() {
        var one = new ConjunctiveQuery(
                List.of(new Atom("posts", 0, 2)), List.of(), List.of(new Term.Variable(0), new Term.Variable(1)));
        var two = new ConjunctiveQuery(
                List.of(new Atom("posts", 0, 2), new Atom("posts", 2, 2)),
                List.of(),
                List.of(new Term.Variable(0), new Term.Variable(1), new Term.Variable(2), new Term.Variable(3)));
        open(one).add(row(1, 1));

        TraceResult joined = open(two);
        boolean kept = joined.add(new Value[] {Value.of(2), Value.of(3), Value.of(2), Value.of(4)});

        assertThat(kept).isFalse();
        assertThat(trace.size()).isEqualTo(1);
        assertThat(trace.cells()).isEqualTo(2);
    }

    private TraceResult open(ConjunctiveQuery query) {
        var posts = new Table(
                "posts",
                List.of(
                        new Column("id", ColumnType.integer("bigint"), false),
                        new Column("author", ColumnType.integer("bigint"), false)),
                List.of(new Key("posts_pkey", List.of(0), true)),
                List.of());
        return trace.open(
                new Recording.Part(query, List.of(), List.of(), -1),
                List.of(),
                Imprint.of(query, name -> posts),
                Standpoint.ANYWHERE);
    }

    @Test
    void noTextOfTheTraceShowsData() {
        trace.open(POSTS, List.of(Value.of("secret"))).add(new Value[] {Value.of("secret"), Value.NULL});

        assertThat(trace.entries().toString()).doesNotContain("secret");
    }

    private static @Nullable Value[] row(long first, @Nullable Integer second) {
        return new @Nullable Value[] {Value.of(first), second == null ? null : Value.of(second)};
    }

    private static Recording.Part part(String table) {
        var query = new ConjunctiveQuery(
                List.of(new Atom(table, 0, 2)), List.of(), List.of(new Term.Variable(0), new Term.Variable(1)));
        return new Recording.Part(query, List.of(), List.of(0, 1), -1);
    }
}
