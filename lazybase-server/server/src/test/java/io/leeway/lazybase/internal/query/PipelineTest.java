package io.leeway.lazybase.internal.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazybase.CommitToken;
import io.leeway.lazybase.Freshness;
import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.ColumnType;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.model.View;
import io.leeway.lazybase.internal.pipeline.Pipeline;
import io.leeway.lazybase.internal.pipeline.PipelineSettings;
import io.leeway.lazybase.internal.pipeline.Stage;
import io.leeway.lazybase.internal.sql.RowBuilder;
import io.leeway.lazybase.spi.Store;
import io.leeway.testkit.Depth;
import io.leeway.testkit.LogCapture;
import io.leeway.testkit.Seeds;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A disk that is full or refuses, clients that are faster than the pipeline, queries that run long: what was acknowledged stays. */
class PipelineTest {

    private static final int KEYS = 40;

    private static LogCapture log;

    @BeforeAll
    static void keepTheLogFromTheConsole() {
        log = LogCapture.of("io.leeway.lazybase.internal.pipeline");
    }

    @AfterAll
    static void giveTheLogBack() {
        log.close();
    }

    static Pipeline open(Store store, PipelineSettings settings) throws IOException {
        return define(new Pipeline(store, settings, () -> 1_000));
    }

    /** Its table, unless it has it already. */
    static Pipeline define(Pipeline pipeline) {
        if (pipeline.catalog().tables().isEmpty()) {
            pipeline.define(catalog -> {
                List<Column> columns = List.of(
                        new Column(1, "k", ColumnType.BIGINT, 0, 0, true),
                        new Column(2, "n", ColumnType.BIGINT, 0, 0, false));
                var primary = new View(2, "t", List.of(1), List.of(1, 2));
                return catalog.with(new Table(1, "t", columns, List.of(primary), 3), 4);
            });
            pipeline.addView(1, new View(3, "by_n", List.of(2, 1), List.of(2, 1)));
        }
        return pipeline;
    }

    static Batch batch(Pipeline pipeline, long key, long n) {
        RowBuilder rows = RowBuilder.of(pipeline.catalog().table("t"), List.of(), Batch.PUT, List.of());
        rows.add(key);
        rows.add(n);
        rows.endRow();
        return rows.build();
    }

    static Map<Long, Long> rows(Pipeline pipeline, int view) {
        try (Reading reading = Reading.of(pipeline.snapshot(), Freshness.NOW, CommitToken.NONE)) {
            return rows(reading, pipeline.catalog().table("t"), view);
        }
    }

    private static Map<Long, Long> rows(Reading reading, Table table, int view) {
        var found = new HashMap<Long, Long>();
        var all = new Predicate.Constant(true);
        for (Scan scan : Scan.of(reading, table, table.views().get(view), all, new int[] {1, 2}, new Scan.Stats(), 3)) {
            for (Scan.Rows some = scan.next(); some != null; some = scan.next()) {
                for (int i = 0; i < some.count(); i++) {
                    int row = some.segment().from() + some.rows()[i];
                    Long before = found.put(
                            scan.columnAt(some.segment(), 0).getLong(row),
                            scan.columnAt(some.segment(), 1).getLong(row));
                    assertThat(before).as("a key twice").isNull();
                }
            }
        }
        return found;
    }

    @Test
    void whatARunningQueryReadsStaysUntilItEndsAndThenGoes() throws IOException {
        var store = new CrashStore(Long.MAX_VALUE, 1);
        var model = new HashMap<Long, Long>();
        try (Pipeline pipeline = open(store, PipelineSettings.manual(15, 16))) {
            for (int round = 0; round < 5; round++) {
                change(pipeline, round, model);
                pipeline.step(Stage.AUTHORITY);
            }
            change(pipeline, 7, model);
            var files = pipeline.state().files();
            var then = Map.copyOf(model);
            try (Reading reading = Reading.of(pipeline.snapshot(), Freshness.NOW, CommitToken.NONE)) {
                for (int round = 10; round < 20; round++) {
                    change(pipeline, round, model);
                    pipeline.step(round % 2 == 0 ? Stage.AUTHORITY : Stage.MERGE);
                }
                assertThat(store.list()).containsAll(files);
                assertThat(rows(reading, pipeline.catalog().table("t"), 0)).isEqualTo(then);
                assertThat(rows(reading, pipeline.catalog().table("t"), 1)).isEqualTo(then);
            }
            assertThat(rows(pipeline, 0)).isEqualTo(model);
            pipeline.step(Stage.AUTHORITY);
            assertThat(store.list())
                    .filteredOn(name -> name.startsWith("run-"))
                    .containsExactlyInAnyOrderElementsOf(pipeline.state().files());
        }
    }

    private static void change(Pipeline pipeline, int round, Map<Long, Long> model) throws IOException {
        for (int key = 0; key < KEYS; key++) {
            commit(pipeline, key, round * 100L + key, model);
        }
        pipeline.seal();
        assertThat(pipeline.step(Stage.SORT)).isTrue();
    }

    private static LazyBaseException refusal(CompletableFuture<CommitToken> answer) {
        try {
            answer.get();
            return null;
        } catch (ExecutionException e) {
            return (LazyBaseException) e.getCause();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aDiskThatRefusesNowAndThenLosesNothingAndShowsNothingThatItRefused() {
        refuses(Seeds.seed("faults"), false);
    }

    @Test
    void whatFindsNoMemoryNowAndThenLosesNothingAndShowsNothingThatItRefused() {
        refuses(Seeds.seed("no memory"), true);
    }

    private static void refuses(long seed, boolean memory) {
        for (int i = 0; i < Depth.of(40, 2_000); i++) {
            try {
                var store = new CrashStore(Long.MAX_VALUE, seed + i);
                if (memory) {
                    store.refuseMemory();
                }
                refuses(store, new Random(seed + i));
            } catch (IOException | RuntimeException | AssertionError | OutOfMemoryError e) {
                throw new AssertionError("seed " + (seed + i), e);
            }
        }
    }

    private static void refuses(CrashStore store, Random random) throws IOException {
        var model = new HashMap<Long, Long>();
        try (Pipeline pipeline = open(store, PipelineSettings.manual(15, 16))) {
            store.refuse(6);
            for (int step = 0; step < 120; step++) {
                try {
                    act(pipeline, random, model);
                } catch (IOException | OutOfMemoryError e) {
                    assertThat(e).hasMessageContaining("No space");
                }
                if (step % 10 == 9) {
                    assertThat(rows(pipeline, 0)).isEqualTo(model);
                    assertThat(rows(pipeline, 1)).isEqualTo(model);
                }
            }
            store.refuse(0);
            commit(pipeline, 0, 7, model);
            pipeline.seal();
            while (pipeline.step(Stage.SORT)) {}
            pipeline.step(Stage.AUTHORITY);
            assertThat(rows(pipeline, 0)).isEqualTo(model);
        }
        try (Pipeline again = open(store, PipelineSettings.manual(15, 16))) {
            assertThat(rows(again, 0)).isEqualTo(model);
            assertThat(rows(again, 1)).isEqualTo(model);
        }
    }

    private static void act(Pipeline pipeline, Random random, Map<Long, Long> model) throws IOException {
        switch (random.nextInt(8)) {
            case 0 -> pipeline.seal();
            case 1, 2 -> pipeline.step(Stage.SORT);
            case 3 -> pipeline.step(Stage.MERGE);
            case 4 -> pipeline.step(Stage.AUTHORITY);
            default -> commit(pipeline, random.nextInt(KEYS), random.nextInt(1_000), model);
        }
    }

    private static void commit(Pipeline pipeline, long key, long n, Map<Long, Long> model) {
        CompletableFuture<CommitToken> answer = pipeline.commit(Map.of(1, batch(pipeline, key, n)));
        pipeline.drain();
        LazyBaseException refusal = refusal(answer);
        if (refusal == null) {
            model.put(key, n);
        } else {
            assertThat(refusal.code()).isEqualTo(Code.STORE);
        }
    }

    @Test
    void aFullDiskRefusesCommitsUntilThereIsRoom() throws IOException {
        var store = new CrashStore(Long.MAX_VALUE, 1);
        var model = new HashMap<Long, Long>();
        try (Pipeline pipeline = open(store, PipelineSettings.manual(15, 16))) {
            commit(pipeline, 1, 1, model);
            store.free(-1);
            // How much is free is asked for every half second of the clock, which stands here: a new server asks at
            // once.
        }
        try (Pipeline pipeline = open(store, PipelineSettings.manual(15, 16))) {
            long before = store.operations();
            CompletableFuture<CommitToken> answer = pipeline.commit(Map.of(1, batch(pipeline, 2, 2)));
            pipeline.drain();
            assertThat(refusal(answer).code()).isEqualTo(Code.DISK_FULL);
            assertThat(store.operations()).as("nothing was written").isEqualTo(before);
            assertThat(rows(pipeline, 0)).isEqualTo(model);
            store.free(1 << 20);
            commit(pipeline, 3, 3, model);
            assertThat(rows(pipeline, 0)).isEqualTo(model);
        }
    }

    @Test
    void commitsWaitAndAreRefusedWhenThePipelineIsBehindAndMemoryHasItsLimit() throws IOException {
        long backlog = 1 << 20;
        var settings = new PipelineSettings(
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Duration.ofDays(1),
                1 << 18,
                backlog,
                Duration.ofMillis(20),
                0,
                3,
                Duration.ZERO,
                15,
                16,
                1 << 20,
                16 << 20,
                0);
        try (Pipeline pipeline = open(new CrashStore(Long.MAX_VALUE, 1), settings)) {
            int taken = 0;
            LazyBaseException refused = null;
            while (refused == null) {
                try {
                    RowBuilder rows = RowBuilder.of(pipeline.catalog().table("t"), List.of(), Batch.PUT, List.of());
                    for (int i = 0; i < 1_000; i++) {
                        rows.add((long) taken * 1_000 + i);
                        rows.add((long) i);
                        rows.endRow();
                    }
                    CompletableFuture<CommitToken> answer = pipeline.commit(Map.of(1, rows.build()));
                    pipeline.drain();
                    assertThat(refusal(answer)).isNull();
                    taken++;
                } catch (LazyBaseException e) {
                    refused = e;
                }
            }
            assertThat(refused.code()).isEqualTo(Code.OVERLOADED);
            assertThat(pipeline.backlog()).isLessThanOrEqualTo(backlog);
            assertThat(rows(pipeline, 0)).hasSize(taken * 1_000);
            pipeline.seal();
            assertThat(pipeline.step(Stage.SORT)).isTrue();
            CompletableFuture<CommitToken> answer = pipeline.commit(Map.of(1, batch(pipeline, -1, 1)));
            pipeline.drain();
            assertThat(refusal(answer)).isNull();

            RowBuilder large = RowBuilder.of(pipeline.catalog().table("t"), List.of(), Batch.PUT, List.of());
            for (int i = 0; i < 30_000; i++) {
                large.add((long) i);
                large.add((long) i);
                large.endRow();
            }
            Batch batch = large.build();
            assertThatThrownBy(() -> pipeline.commit(Map.of(1, batch)))
                    .isInstanceOfSatisfying(
                            LazyBaseException.class, e -> assertThat(e.code()).isEqualTo(Code.TOO_LARGE));
        }
    }
}
