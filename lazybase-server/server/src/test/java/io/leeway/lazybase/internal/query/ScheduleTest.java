package io.leeway.lazybase.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazybase.CommitToken;
import io.leeway.lazybase.Freshness;
import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.ColumnType;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.model.View;
import io.leeway.lazybase.internal.pipeline.Pipeline;
import io.leeway.lazybase.internal.pipeline.PipelineSettings;
import io.leeway.lazybase.internal.pipeline.Stage;
import io.leeway.lazybase.internal.sql.RowBuilder;
import io.leeway.lazybase.internal.storage.RunFile.CorruptFileException;
import io.leeway.testkit.Depth;
import io.leeway.testkit.LogCapture;
import io.leeway.testkit.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Random updates over random progress of the stages: whatever freshness is asked, the answer is what a model says after the commits that
 * the answer claims to have, through the primary and through the secondary view; and after a crash at any operation nothing that was
 * acknowledged is lost.
 */
class ScheduleTest {

    private static final List<String> COLUMNS = List.of("a", "b", "s");
    private static final List<Model.Kind> KINDS =
            List.of(Model.Kind.PUT, Model.Kind.PATCH, Model.Kind.DELETE, Model.Kind.ADD);

    private static final int KEYS = 60;

    /** Crashes are what is tested; their stack traces would hide everything else. */
    private static LogCapture log;

    @BeforeAll
    static void keepTheLogFromTheConsole() {
        log = LogCapture.of("io.leeway.lazybase.internal.pipeline");
    }

    @AfterAll
    static void giveTheLogBack() {
        log.close();
    }

    /** One run of a schedule. */
    private static final class World {
        final CrashStore store;
        final Random random;
        final Model model = new Model(COLUMNS);
        /** After which token the model has how many commits. */
        final TreeMap<CommitToken, Integer> tokens = new TreeMap<>();

        final Map<Integer, Long> times = new HashMap<>();
        long now = 1_000;
        Pipeline pipeline;
        boolean uncertain;

        World(CrashStore store, long seed) throws IOException {
            this.store = store;
            this.random = new Random(seed);
            tokens.put(CommitToken.NONE, 0);
            times.put(0, 0L);
            open();
        }

        private void open() throws IOException {
            pipeline = new Pipeline(store, PipelineSettings.manual(15, 16), () -> now);
            if (pipeline.catalog().tables().isEmpty()) {
                pipeline.define(catalog -> {
                    List<Column> columns = List.of(
                            new Column(1, "k", ColumnType.BIGINT, 0, 0, true),
                            new Column(2, "a", ColumnType.BIGINT, 0, 0, false),
                            new Column(3, "b", ColumnType.BIGINT, 0, 0, false),
                            new Column(4, "s", ColumnType.TEXT, 0, 0, false));
                    var primary = new View(2, "t", List.of(1), List.of(1, 2, 3, 4));
                    return catalog.with(new Table(1, "t", columns, List.of(primary), 5), 4);
                });
                pipeline.addView(1, new View(3, "by_s", List.of(4, 2, 1), List.of(4, 2, 1)));
            }
        }

        Table table() {
            return pipeline.catalog().table("t");
        }

        /** Does something; whatever is durable afterwards is known. */
        void act() throws IOException {
            now += random.nextInt(50);
            switch (random.nextInt(12)) {
                case 0, 1, 2, 3, 4 -> commit();
                case 5, 6 -> pipeline.seal();
                case 7, 8 -> pipeline.step(Stage.SORT);
                case 9 -> pipeline.step(Stage.MERGE);
                case 10 -> pipeline.step(Stage.AUTHORITY);
                default -> {
                    // A clock that somebody sets.
                    int jump = random.nextInt(12);
                    now += jump < 4 ? -1_000 : jump == 4 ? -86_400_000 : jump == 5 ? 86_400_000 : 0;
                }
            }
        }

        private void commit() {
            var updates = new ArrayList<Model.Update>();
            var parts = new ArrayList<Batch>();
            int count = 1 + random.nextInt(6);
            for (int i = 0; i < count; i++) {
                Model.Update update = update();
                updates.add(update);
                parts.add(batch(update));
            }
            CompletableFuture<CommitToken> answer = pipeline.commit(Map.of(1, Batch.concat(parts)));
            uncertain = true;
            pipeline.drain();
            try {
                CommitToken token = answer.get(60, TimeUnit.SECONDS);
                model.commit(updates);
                tokens.put(token, model.commits());
                times.put(model.commits(), pipeline.now());
                uncertain = false;
            } catch (ExecutionException e) {
                // The outcome is not known: the model has it as one commit that may be there.
                model.commit(updates);
            } catch (InterruptedException | TimeoutException e) {
                throw new AssertionError(e);
            }
        }

        private Model.Update update() {
            long key = random.nextInt(KEYS);
            var values = new HashMap<String, Object>();
            Model.Kind kind = KINDS.get(random.nextInt(KINDS.size()));
            if (kind == Model.Kind.ADD) {
                values.put("a", (long) random.nextInt(10));
            } else if (kind != Model.Kind.DELETE) {
                if (kind == Model.Kind.PUT || random.nextBoolean()) {
                    values.put("a", random.nextInt(4) == 0 ? null : (Object) (long) random.nextInt(1000));
                }
                if (kind == Model.Kind.PUT || random.nextBoolean()) {
                    values.put("b", random.nextLong());
                }
                if (kind == Model.Kind.PUT || values.isEmpty() || random.nextBoolean()) {
                    values.put("s", random.nextInt(5) == 0 ? null : "v" + random.nextInt(8));
                }
            }
            return new Model.Update(kind, key, values);
        }

        private Batch batch(Model.Update update) {
            var names = new ArrayList<String>(List.of("k"));
            names.addAll(
                    update.kind() == Model.Kind.PUT
                            ? COLUMNS
                            : List.copyOf(update.values().keySet()));
            byte flag = switch (update.kind()) {
                case PUT -> Batch.PUT;
                case DELETE -> Batch.DELETE;
                default -> Batch.PATCH;
            };
            List<String> adds = update.kind() == Model.Kind.ADD ? List.of("a") : List.of();
            RowBuilder rows = RowBuilder.of(table(), names, flag, adds);
            rows.add(update.key());
            names.subList(1, names.size())
                    .forEach(name -> rows.add(update.values().get(name)));
            rows.endRow();
            return rows.build();
        }

        /** Reads in every way and compares. */
        void check() {
            List<Freshness> asked = List.of(
                    Freshness.ANY,
                    Freshness.NOW,
                    new Freshness.Within(Duration.ofMillis(random.nextInt(2_000))),
                    new Freshness.Within(Duration.ofMillis(random.nextInt(100))));
            for (Freshness freshness : asked) {
                try (Reading reading = Reading.of(pipeline.snapshot(), freshness, CommitToken.NONE)) {
                    int commits = tokens.floorEntry(reading.reach().token()).getValue();
                    checkFresh(freshness, commits);
                    assertThat(rows(reading, table().primary(), new Predicate.Constant(true)))
                            .as("%s, %s", freshness, reading.stages())
                            .isEqualTo(expected(commits, null));
                    checkView(reading, commits);
                }
            }
        }

        private void checkFresh(Freshness freshness, int commits) {
            if (!(freshness instanceof Freshness.Within within)) {
                return;
            }
            long needed = pipeline.now() - within.age().toMillis();
            for (int later = commits + 1; later <= model.commits(); later++) {
                assertThat(times.getOrDefault(later, Long.MAX_VALUE))
                        .as("time of a commit that is not in the answer")
                        .isGreaterThan(needed);
            }
            if (within.age().isZero()) {
                assertThat(commits).isEqualTo(model.commits());
            }
        }

        private void checkView(Reading reading, int commits) {
            View view = table().views().get(1);
            String wanted = "v" + random.nextInt(8);
            var equal = new Predicate.CompareBytes(4, Predicate.Op.EQUAL, wanted.getBytes(StandardCharsets.UTF_8));
            Map<Long, Map<String, Object>> expected = expected(commits, wanted);
            expected.values().forEach(row -> row.remove("b"));
            assertThat(rows(reading, view, equal))
                    .as("view, %s", reading.stages())
                    .isEqualTo(expected);
        }

        private Map<Long, Map<String, Object>> expected(int commits, String s) {
            var rows = new TreeMap<Long, Map<String, Object>>();
            model.after(commits).forEach((key, row) -> {
                if (s == null || s.equals(row.get("s"))) {
                    rows.put(key, new TreeMap<>(row));
                }
            });
            return rows;
        }

        private Map<Long, Map<String, Object>> rows(Reading reading, View view, Predicate predicate) {
            boolean primary = view.id() == table().primary().id();
            int[] ids = primary ? new int[] {1, 2, 4, 3} : new int[] {1, 2, 4};
            var found = new TreeMap<Long, Map<String, Object>>();
            for (Scan scan : Scan.of(reading, table(), view, predicate, ids, new Scan.Stats(), 3)) {
                for (Scan.Rows some = scan.next(); some != null; some = scan.next()) {
                    for (int i = 0; i < some.count(); i++) {
                        int row = some.segment().from() + some.rows()[i];
                        var values = new TreeMap<String, Object>();
                        put(values, "a", scan.columnAt(some.segment(), 1), row);
                        put(values, "s", scan.columnAt(some.segment(), 2), row);
                        if (primary) {
                            put(values, "b", scan.columnAt(some.segment(), 3), row);
                        }
                        Object before =
                                found.put(scan.columnAt(some.segment(), 0).getLong(row), values);
                        assertThat(before).as("a key twice").isNull();
                    }
                }
            }
            return found;
        }

        private static void put(Map<String, Object> values, String name, Vector column, int row) {
            if (!column.isNull(row)) {
                values.put(name, column.isLong() ? (Object) column.getLong(row) : column.getText(row));
            }
        }
    }

    @Test
    void answersAreThoseOfTheModelAtEveryFreshness() throws IOException {
        int cases = Depth.of(60, 3_000);
        long seed = Seeds.seed("schedules");
        for (int i = 0; i < cases; i++) {
            var world = new World(new CrashStore(Long.MAX_VALUE, 0), seed + i);
            try {
                for (int step = 0; step < 60; step++) {
                    world.act();
                    if (step % 6 == 5) {
                        world.check();
                    }
                }
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError("schedule of seed " + (seed + i), e);
            } finally {
                world.pipeline.close();
            }
        }
    }

    @Test
    void aCrashAtAnySyncOrRenameLosesNothingThatWasAcknowledged() throws IOException {
        long seed = Seeds.seed("crashes");
        int schedules = Depth.of(4, 200);
        for (int i = 0; i < schedules; i++) {
            long operations = run(new CrashStore(Long.MAX_VALUE, 0), seed + i);
            assertThat(operations).isGreaterThan(20);
            for (long crashAt = 1; crashAt <= operations; crashAt++) {
                crash(seed + i, crashAt);
            }
        }
    }

    private static long run(CrashStore store, long seed) throws IOException {
        var world = new World(store, seed);
        for (int step = 0; step < 50; step++) {
            world.act();
        }
        world.pipeline.close();
        return store.operations();
    }

    private static void crash(long seed, long crashAt) throws IOException {
        var store = new CrashStore(crashAt, seed * 31 + crashAt);
        World world = null;
        try {
            world = new World(store, seed);
            for (int step = 0; step < 50 && !store.hasCrashed(); step++) {
                world.act();
            }
        } catch (IOException | RuntimeException e) {
            assertThat(store.hasCrashed()).as("%s", e).isTrue();
        }
        if (world == null) {
            // Nothing was acknowledged yet; the store must open all the same.
            new Pipeline(store.afterCrash(), PipelineSettings.manual(15, 16), () -> 0).close();
            return;
        }
        try {
            recover(world, store);
        } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed + ", crash at operation " + crashAt, e);
        }
    }

    private static void recover(World world, CrashStore store) throws IOException {
        int last = world.model.commits();
        CrashStore after = store.afterCrash();
        try (var pipeline = new Pipeline(after, PipelineSettings.manual(15, 16), () -> world.now)) {
            world.pipeline = pipeline;
            for (int round = 0; round < 4; round++) {
                try (Reading reading = Reading.of(pipeline.snapshot(), Freshness.NOW, CommitToken.NONE)) {
                    var rows = world.rows(reading, world.table().primary(), new Predicate.Constant(true));
                    // The last commit may be there or not if it was not acknowledged.
                    if (world.uncertain && rows.equals(world.expected(last - 1, null))) {
                        last = last - 1;
                        world.uncertain = false;
                        world.model.forget(last);
                    }
                    assertThat(rows).isEqualTo(world.expected(last, null));
                    world.checkView(reading, last);
                }
                pipeline.seal();
                while (pipeline.step(Stage.SORT)) {}
                pipeline.step(round % 2 == 0 ? Stage.MERGE : Stage.AUTHORITY);
            }
        }
    }

    @Test
    void aDamagedRunIsMadeAgainFromAnEarlierStage() throws IOException {
        long seed = Seeds.seed("damage");
        int remade = 0;
        for (int i = 0; i < Depth.of(20, 500); i++) {
            var store = new CrashStore(Long.MAX_VALUE, 0);
            var world = new World(store, seed + i);
            for (int step = 0; step < 40; step++) {
                world.act();
            }
            world.pipeline.seal();
            while (world.pipeline.step(Stage.SORT)) {}
            var flights = world.pipeline.state().flights();
            if (flights.isEmpty() || flights.get(0).runs().isEmpty()) {
                world.pipeline.close();
                continue;
            }
            String file = flights.get(0).runs().get(1).file();
            store.damage(file, 20 + world.random.nextInt(30));
            try {
                world.check();
            } catch (CorruptFileException e) {
                assertThat(e.file()).isEqualTo(file);
                assertThat(world.pipeline.remake(file)).isTrue();
                remade++;
            } catch (UncheckedIOException e) {
                throw new AssertionError(e);
            }
            world.check();
            world.pipeline.close();
        }
        assertThat(remade).isPositive();
    }
}
