package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.decide.Budget;
import io.leeway.privoxy.internal.decide.ChaseEngine;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Recording;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.request.AssertedRow;
import io.leeway.privoxy.internal.request.Trace;
import io.leeway.privoxy.internal.request.TraceEntry;
import io.leeway.privoxy.internal.request.TraceResult;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FactsTest {

    private static final ColumnType NUMBER = ColumnType.integer("bigint");
    private static final Table BLOCKS = table("blocks");
    private static final Table OTHERS = table("others");
    private static final List<Atom> FROM_BLOCKS = List.of(new Atom("blocks", 0, 3));
    private static final Recording.Part ALL = new Recording.Part(
            new ConjunctiveQuery(
                    FROM_BLOCKS, List.of(), List.of(new Term.Variable(0), new Term.Variable(1), new Term.Variable(2))),
            List.of(),
            List.of(0, 1, 2),
            -1);

    /** Nobody blocks himself. */
    private static final Inclusion NOT_ONESELF = new Inclusion(
            "not_oneself",
            UnionQuery.of(new ConjunctiveQuery(
                    FROM_BLOCKS,
                    List.of(new Condition.Comparison(
                            Condition.Operator.EQUAL, new Term.Variable(1), new Term.Variable(2))),
                    List.of(new Term.Variable(0)))),
            new UnionQuery(List.of()),
            "");

    private final Map<String, Value> context = Map.of("MyUId", Value.of(1));
    private final CompiledPolicy policy = CompiledPolicy.of(
            new Policy(new Schema(Map.of("blocks", BLOCKS)), Map.of("MyUId", NUMBER), List.of(), List.of(NOT_ONESELF)));
    private final ChaseEngine chase = new ChaseEngine(policy, Budget.DEFAULT);
    private final Facts facts = new Facts(policy, chase, 400);
    private final Trace trace = new Trace(new Trace.Bounds(100, 100, 1_000));
    private final TraceResult result = trace.open(ALL, List.of());

    @Test
    void thatRowsCanHoldIsRemembered() {
        read(1, 2, 3);

        assertThat(isRemembered(0)).isFalse();
        assertThat(canHold(0)).isTrue();
        assertThat(isRemembered(0)).isTrue();
        assertThat(canHold(0)).isTrue();
    }

    @Test
    void rowsThatBreakAnAssertionAreRefusedEachTime() {
        read(1, 2, 3);
        read(2, 4, 4);

        assertThat(canHold(1)).isFalse();
        assertThat(isRemembered(1)).isFalse();
        assertThat(canHold(0)).isTrue();
        assertThat(canHold(1)).isFalse();
    }

    @Test
    void whatWasFoundOfOneRowSaysNothingOfSeveral() {
        read(1, 2, 3);
        read(2, 4, 4);

        assertThat(canHold(0)).isTrue();
        assertThat(canHold(0, 0)).isTrue();
        assertThat(canHold(0, 1)).isFalse();
        assertThat(canHold(0, 1)).isFalse();
    }

    @Test
    void aResultThatHasChangedIsLookedAtAnew() {
        read(1, 2, 3);
        assertThat(canHold(0)).isTrue();

        read(2, 3, 4);

        assertThat(isRemembered(0)).isFalse();
    }

    @Test
    void anotherContextAndOneMoreTableAreLookedAtAnew() {
        read(1, 2, 3);
        assertThat(canHold(0)).isTrue();
        var elsewhere = new AssertedRow(chase.knowledge(), Map.of("MyUId", Value.of(2)), 0);
        assertThat(entry().isKnownToHold(elsewhere)).isFalse();

        policy.addTable(OTHERS);

        assertThat(isRemembered(0)).isFalse();
        assertThat(canHold(0)).isTrue();
    }

    @Test
    void whatIsAskedLaterDoesNotChangeWhatWasRemembered() {
        read(1, 2, 3);
        read(2, 4, 4);
        TraceEntry[] entries = {entry()};
        int[] rows = {0};
        assertThat(facts.canHold(entries, rows, context)).isTrue();

        rows[0] = 1;

        assertThat(facts.canHold(entries, rows, context)).isFalse();
    }

    private void read(long id, long user, long person) {
        result.add(new Value[] {Value.of(id), Value.of(user), Value.of(person)});
    }

    private TraceEntry entry() {
        return trace.entries().get(0);
    }

    private boolean canHold(int... rows) {
        return facts.canHold(entries(rows), rows, context);
    }

    private boolean isRemembered(int row) {
        return entry().isKnownToHold(new AssertedRow(chase.knowledge(), context, row));
    }

    private TraceEntry[] entries(int... rows) {
        TraceEntry[] entries = new TraceEntry[rows.length];
        Arrays.fill(entries, entry());
        return entries;
    }

    private static Table table(String name) {
        return new Table(
                name,
                List.of(column("id"), column("user_id"), column("person_id")),
                List.of(new Key(name + "_pk", List.of(0), false)),
                List.of());
    }

    private static Column column(String name) {
        return new Column(name, NUMBER, true);
    }
}
