package io.leeway.privoxy.internal.cache;

import static io.leeway.privoxy.internal.decide.QueryBuilder.from;
import static io.leeway.privoxy.internal.decide.QueryBuilder.parameter;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.cache.TemplateListener.Event;
import io.leeway.privoxy.internal.decide.Goal;
import io.leeway.privoxy.internal.decide.SchemaBuilder;
import io.leeway.privoxy.internal.model.Condition.Operator;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class TemplateStoreTest {

    private static final Schema SCHEMA =
            new SchemaBuilder().table("t", "a!", "b", "c").key("t", "a").build();
    private static final ConjunctiveQuery SEEN =
            from(SCHEMA, "t t").equal("t.a", parameter(0)).select("t.a", "t.b");
    private static final Pattern X = new Pattern.Variable(0);

    private final Scene scene = new Scene(SCHEMA, List.of(from(SCHEMA, "t t").union("t.*")));
    private final List<Event> events = Collections.synchronizedList(new ArrayList<>());

    private TemplateStore store(int templates, int perGoal, boolean reviewedOnly) {
        return new TemplateStore(scene.policy, new StoreSettings(templates, perGoal, reviewedOnly), events::add);
    }

    private static UnionQuery goal(int number) {
        return from(SCHEMA, "t t")
                .equal("t.a", parameter(0))
                .equal("t.b", number)
                .union("t.c");
    }

    private static Template exactly(int goal, int value) {
        return template(goal, new Pattern.Constant(Value.of(value)), List.of());
    }

    private static Template template(int goal, Pattern argument, List<Premise> premises) {
        return Template.canonical(goal(goal), List.of(argument), Map.of(), premises, List.of(), List.of());
    }

    private boolean finds(TemplateStore store, int goal, int value) {
        Goal asked = scene.policy.goal(goal(goal));
        return store.find(asked, Scene.values(value), Map.of(), TraceView.EMPTY) != null;
    }

    @Test
    void whatIsKeptIsFoundForItsGoalOnly() {
        TemplateStore store = store(10, 10, false);

        assertThat(store.add(exactly(1, 5))).isTrue();

        assertThat(finds(store, 1, 5)).isTrue();
        assertThat(finds(store, 1, 6)).isFalse();
        assertThat(finds(store, 2, 5)).isFalse();
        assertThat(store.misses()).isEqualTo(2);
        assertThat(store.templates()).singleElement().satisfies(only -> {
            assertThat(only.hits()).isEqualTo(1);
            assertThat(only.isReviewed()).isFalse();
        });
    }

    @Test
    void aMoreGeneralTemplateTakesThePlaceOfSpecialOnes() {
        TemplateStore store = store(10, 10, false);
        store.add(exactly(1, 5));
        store.add(exactly(1, 6));

        assertThat(store.add(template(1, Pattern.ANY, List.of()))).isTrue();
        assertThat(store.add(exactly(1, 7))).isFalse();
        assertThat(store.add(template(1, Pattern.ANY, List.of()))).isFalse();

        assertThat(store.size()).isEqualTo(1);
        assertThat(events)
                .containsExactly(
                        Event.CREATED,
                        Event.CREATED,
                        Event.REPLACED,
                        Event.REPLACED,
                        Event.CREATED,
                        Event.REJECTED,
                        Event.REJECTED);
    }

    @Test
    void aTemplateWithMorePremisesOrDemandsIsTheMoreSpecialOne() {
        Premise seen = new Premise(SEEN, List.of(X), List.of(Pattern.ANY, Pattern.ANY));
        Premise seenTwice = new Premise(SEEN, List.of(X), List.of(Pattern.ANY, new Pattern.Constant(Value.of(2))));
        Template one = template(1, X, List.of(seen));
        Template two = template(1, X, List.of(seen, seenTwice));
        Template small = Template.canonical(
                goal(1),
                List.of(X),
                Map.of(),
                List.of(seen),
                List.of(),
                List.of(new PatternComparison(Operator.LESS, X, new Pattern.Constant(Value.of(9)))));
        Template notNull = Template.canonical(goal(1), List.of(X), Map.of(), List.of(seen), List.of(0), List.of());

        assertThat(Subsumption.holds(one, two)).isTrue();
        assertThat(Subsumption.holds(two, one)).isFalse();
        assertThat(Subsumption.holds(one, small)).isTrue();
        assertThat(Subsumption.holds(notNull, small)).isTrue();
        assertThat(Subsumption.holds(small, notNull)).isFalse();
        assertThat(Subsumption.holds(notNull, one)).isFalse();
        assertThat(Subsumption.holds(one, template(1, new Pattern.Constant(Value.of(1)), List.of())))
                .isFalse();
    }

    @Test
    void theLeastRecentlyUsedAreDroppedWhenTheStoreIsFull() {
        TemplateStore store = store(64, 10, false);
        for (int goal = 0; goal < 64; goal++) {
            store.add(exactly(goal, 5));
        }
        assertThat(finds(store, 0, 5)).isTrue();

        store.add(exactly(100, 5));

        assertThat(store.size()).isEqualTo(61);
        assertThat(store.templates()).hasSize(61);
        assertThat(finds(store, 0, 5)).isTrue();
        assertThat(finds(store, 100, 5)).isTrue();
        assertThat(finds(store, 1, 5)).isFalse();
        assertThat(events.stream().filter(event -> event == Event.EVICTED)).hasSize(4);
    }

    @Test
    void oneGoalCannotFillTheStore() {
        TemplateStore store = store(100, 3, false);
        for (int value = 0; value < 10; value++) {
            store.add(exactly(1, value));
        }

        assertThat(store.size()).isEqualTo(3);
        assertThat(finds(store, 1, 9)).isTrue();
        assertThat(finds(store, 1, 0)).isFalse();
    }

    @Test
    void reviewedTemplatesAreNeverDroppedForOthers() {
        TemplateStore store = store(4, 2, false);
        store.load(exactly(1, 1), true);
        store.load(exactly(1, 2), true);

        assertThat(store.add(exactly(1, 3))).isFalse();
        for (int goal = 2; goal < 10; goal++) {
            store.add(exactly(goal, 1));
        }

        assertThat(finds(store, 1, 1)).isTrue();
        assertThat(finds(store, 1, 2)).isTrue();
        assertThat(store.size()).isLessThanOrEqualTo(4);
    }

    @Test
    void aStoreOfReviewedTemplatesTakesNoOthers() {
        TemplateStore store = store(10, 10, true);

        assertThat(store.add(exactly(1, 1))).isFalse();
        assertThat(store.load(exactly(1, 1), false)).isFalse();
        assertThat(store.load(exactly(1, 1), true)).isTrue();
        assertThat(store.isReviewedOnly()).isTrue();
    }

    @Test
    void aReviewedTemplateTakesThePlaceOfTheSameOneThatWasNot() {
        TemplateStore store = store(10, 10, false);
        store.add(exactly(1, 1));

        assertThat(store.load(exactly(1, 1), true)).isTrue();

        assertThat(store.templates()).singleElement().matches(StoredTemplate::isReviewed);
    }

    @Test
    void clearingForgetsEverything() {
        TemplateStore store = store(10, 10, false);
        store.add(exactly(1, 1));

        store.clear();

        assertThat(store.size()).isZero();
        assertThat(finds(store, 1, 1)).isFalse();
    }

    @Test
    void readersSeeAPinnedTemplateWhileWritersFillAndEmptyTheStore()
            throws InterruptedException, ExecutionException, TimeoutException {
        TemplateStore store = store(32, 4, false);
        store.load(exactly(0, 7), true);
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Boolean>> readers = new ArrayList<>();
            for (int r = 0; r < 2; r++) {
                readers.add(threads.submit(() -> {
                    boolean always = true;
                    do {
                        always &= finds(store, 0, 7) && !finds(store, 0, 8);
                    } while (!done.get());
                    return always;
                }));
            }
            List<Future<?>> writers = new ArrayList<>();
            for (int w = 0; w < 2; w++) {
                int offset = w;
                writers.add(threads.submit(() -> {
                    for (int i = 0; i < 4_000; i++) {
                        store.add(exactly(1 + (i * 7 + offset) % 61, i % 9));
                    }
                }));
            }
            for (Future<?> writer : writers) {
                writer.get(60, TimeUnit.SECONDS);
            }
            done.set(true);
            for (Future<Boolean> reader : readers) {
                assertThat(reader.get(60, TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            done.set(true);
            threads.shutdownNow();
        }
        assertThat(store.size()).isEqualTo(store.templates().size()).isLessThanOrEqualTo(32);
        for (StoredTemplate kept : store.templates()) {
            assertThat(store.templates().stream().filter(other -> Subsumption.holds(other.template(), kept.template())))
                    .hasSize(1);
        }
    }
}
