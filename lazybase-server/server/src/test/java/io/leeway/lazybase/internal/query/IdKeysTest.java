package io.leeway.lazybase.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazybase.CommitToken;
import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.ColumnType;
import io.leeway.lazybase.internal.model.Reference;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.model.View;
import io.leeway.lazybase.internal.pipeline.Pipeline;
import io.leeway.lazybase.internal.pipeline.PipelineSettings;
import io.leeway.lazybase.internal.pipeline.Stage;
import io.leeway.lazybase.internal.sql.RowBuilder;
import io.leeway.testkit.Depth;
import io.leeway.testkit.LogCapture;
import io.leeway.testkit.Seeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Ids of natural keys: 1, 2, … as the keys appear in history, whatever is done when, done again, or crashes. */
class IdKeysTest {

    private static final List<Column> KEYS = List.of(
            new Column(1, "host", ColumnType.TEXT, 0, 0, true), new Column(2, "path", ColumnType.TEXT, 0, 0, true));

    private static LogCapture log;

    @BeforeAll
    static void keepTheLogFromTheConsole() {
        log = LogCapture.of("io.leeway.lazybase.internal.pipeline");
    }

    @AfterAll
    static void giveTheLogBack() {
        log.close();
    }

    /** A row: which key, when, how large. */
    private record Size(String host, String path, long at, long bytes) {
        String key() {
            return host + " " + path;
        }
    }

    /** Random commits and stages, and what should be there. */
    private static final class World {

        final Random random;
        Pipeline pipeline;
        final List<List<Size>> commits = new ArrayList<>();
        boolean uncertain;

        World(CrashStore store, long seed) throws IOException {
            this.random = new Random(seed);
            this.pipeline = new Pipeline(store, PipelineSettings.manual(15, 16), () -> 1_000);
            define();
        }

        private void define() {
            pipeline.define(catalog -> {
                var columns = new ArrayList<>(KEYS);
                columns.add(new Column(3, "id", ColumnType.BIGINT, 0, 0, false));
                var files = new Table(
                        1,
                        "files",
                        columns,
                        List.of(
                                new View(2, "files", List.of(1, 2), List.of(1, 2, 3)),
                                new View(3, "by_id", List.of(3, 1, 2), List.of(3, 1, 2))),
                        4,
                        3,
                        List.of());
                var sizes = new Table(
                        4,
                        "sizes",
                        List.of(
                                new Column(1, "file", ColumnType.BIGINT, 0, 0, true),
                                new Column(2, "at", ColumnType.BIGINT, 0, 0, true),
                                new Column(3, "bytes", ColumnType.BIGINT, 0, 0, false)),
                        List.of(new View(5, "sizes", List.of(1, 2), List.of(1, 2, 3))),
                        4,
                        0,
                        List.of(new Reference(1, 1, KEYS)));
                return catalog.with(files, 6).with(sizes, 6);
            });
        }

        Table table(String name) {
            return pipeline.catalog().table(name);
        }

        void commit() {
            var rows = new ArrayList<Size>();
            for (int i = 0; i < 1 + random.nextInt(4); i++) {
                rows.add(new Size(
                        "h" + random.nextInt(3),
                        "p" + random.nextInt(12),
                        random.nextInt(3),
                        commits.size() * 10L + i));
            }
            var batches = new HashMap<Integer, Batch>();
            RowBuilder sizes = RowBuilder.of(
                    table("sizes"), List.of("file.host", "file.path", "at", "bytes"), Batch.PUT, List.of());
            for (Size row : rows) {
                sizes.add(row.host);
                sizes.add(row.path);
                sizes.add(row.at);
                sizes.add(row.bytes);
                sizes.endRow();
            }
            batches.put(4, sizes.build());
            CompletableFuture<CommitToken> answer = pipeline.commit(batches);
            commits.add(rows);
            uncertain = true;
            pipeline.drain();
            try {
                answer.get();
                uncertain = false;
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }

        void act() throws IOException {
            switch (random.nextInt(9)) {
                case 0, 1, 2, 3 -> commit();
                case 4 -> pipeline.seal();
                case 5 -> pipeline.step(Stage.SORT);
                case 6 -> pipeline.step(Stage.MERGE);
                case 7 -> pipeline.step(Stage.AUTHORITY);
                default -> check();
            }
        }

        /** Ids and rows after so many commits. */
        Map<String, Long> ids(int upTo) {
            var ids = new LinkedHashMap<String, Long>();
            for (List<Size> rows : commits.subList(0, upTo)) {
                rows.forEach(row -> ids.putIfAbsent(row.key(), ids.size() + 1L));
            }
            return ids;
        }

        private Map<List<Long>, Long> sizes(int upTo) {
            Map<String, Long> ids = ids(upTo);
            var sizes = new HashMap<List<Long>, Long>();
            for (List<Size> rows : commits.subList(0, upTo)) {
                rows.forEach(row -> sizes.put(List.of(ids.get(row.key()), row.at), row.bytes));
            }
            return sizes;
        }

        /** Every way to read: always what some number of commits makes, and the freshest has all. */
        void check() {
            List<Reading> all = Reading.all(pipeline.snapshot());
            for (Reading reading : all) {
                check(reading);
            }
            assertThat(keys(all.get(all.size() - 1), 0)).isEqualTo(ids(commits.size()));
            all.get(0).close();
        }

        private void check(Reading reading) {
            Map<String, Long> keys = keys(reading, 0);
            Map<List<Long>, Long> rows = rows(reading);
            assertThat(keys(reading, 1)).isEqualTo(keys);
            boolean found = false;
            for (int upTo = commits.size(); upTo >= 0 && !found; upTo--) {
                found = ids(upTo).equals(keys) && sizes(upTo).equals(rows);
            }
            assertThat(found)
                    .as("%s and %s are no prefix of history", keys, rows)
                    .isTrue();
        }

        private Map<String, Long> keys(Reading reading, int view) {
            var found = new HashMap<String, Long>();
            Table files = table("files");
            scan(reading, files, files.views().get(view), new int[] {1, 2, 3}, (scan, row, segment) -> {
                String key = text(scan.columnAt(segment, 0), row) + " " + text(scan.columnAt(segment, 1), row);
                assertThat(found.put(key, scan.columnAt(segment, 2).getLong(row)))
                        .as("a key twice")
                        .isNull();
            });
            return found;
        }

        private Map<List<Long>, Long> rows(Reading reading) {
            var found = new HashMap<List<Long>, Long>();
            Table sizes = table("sizes");
            scan(
                    reading,
                    sizes,
                    sizes.primary(),
                    new int[] {1, 2, 3},
                    (scan, row, segment) -> assertThat(found.put(
                                    List.of(
                                            scan.columnAt(segment, 0).getLong(row),
                                            scan.columnAt(segment, 1).getLong(row)),
                                    scan.columnAt(segment, 2).getLong(row)))
                            .as("a row twice")
                            .isNull());
            return found;
        }

        private interface Each {
            void row(Scan scan, int row, io.leeway.lazybase.internal.merge.Segment segment);
        }

        private static void scan(Reading reading, Table table, View view, int[] columns, Each each) {
            var all = new Predicate.Constant(true);
            for (Scan scan : Scan.of(reading, table, view, all, columns, new Scan.Stats(), 3)) {
                for (Scan.Rows some = scan.next(); some != null; some = scan.next()) {
                    for (int i = 0; i < some.count(); i++) {
                        each.row(scan, some.segment().from() + some.rows()[i], some.segment());
                    }
                }
            }
        }

        private static String text(io.leeway.lazybase.internal.column.Vector vector, int row) {
            return new String(vector.bytes(), vector.offsets()[row], vector.length(row), StandardCharsets.UTF_8);
        }
    }

    @Test
    void idsFollowHistoryAtEveryFreshness() throws IOException {
        long seed = Seeds.seed("id keys");
        for (int i = 0; i < Depth.of(40, 2_000); i++) {
            var world = new World(new CrashStore(Long.MAX_VALUE, 0), seed + i);
            try {
                for (int step = 0; step < 60; step++) {
                    world.act();
                }
                world.check();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + (seed + i), e);
            } finally {
                world.pipeline.close();
            }
        }
    }

    @Test
    void idsThatWereSeenStayAfterACrash() throws IOException {
        long seed = Seeds.seed("id keys and crashes");
        for (int i = 0; i < Depth.of(40, 2_000); i++) {
            var store = new CrashStore(10 + new Random(seed + i).nextInt(60), seed + i);
            World world = new World(store, seed + i);
            try {
                for (int step = 0; step < 80 && !store.hasCrashed(); step++) {
                    world.act();
                }
            } catch (IOException | RuntimeException e) {
                assertThat(store.hasCrashed()).as("%s", e).isTrue();
            }
            try (var pipeline = new Pipeline(store.afterCrash(), PipelineSettings.manual(15, 16), () -> 1_000)) {
                world.pipeline = pipeline;
                List<Reading> all = Reading.all(pipeline.snapshot());
                Reading freshest = all.get(all.size() - 1);
                int last = world.commits.size();
                boolean there = world.keys(freshest, 0).equals(world.ids(last))
                        && world.rows(freshest).equals(world.sizes(last));
                all.get(0).close();
                if (world.uncertain && !there) {
                    world.commits.remove(last - 1);
                }
                for (int step = 0; step < 30; step++) {
                    world.act();
                }
                world.check();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + (seed + i), e);
            }
        }
    }

    @Test
    void idsOfARunThatIsMadeAgainAreTheSame() throws IOException {
        long seed = Seeds.seed("id keys and damage");
        for (int i = 0; i < Depth.of(20, 500); i++) {
            var world = new World(new CrashStore(Long.MAX_VALUE, 0), seed + i);
            for (int round = 0; round < 6; round++) {
                world.commit();
                world.commit();
                world.pipeline.seal();
                world.pipeline.step(Stage.SORT);
            }
            var flights = world.pipeline.state().flights();
            var flight = flights.get(world.random.nextInt(flights.size()));
            // Dropped as if it were damaged, while later ones stay.
            assertThat(world.pipeline.remake(
                            flight.runs().values().iterator().next().file()))
                    .isTrue();
            world.commit();
            world.check();
            while (world.pipeline.step(Stage.SORT)) {}
            world.check();
            world.pipeline.step(Stage.AUTHORITY);
            world.check();
            world.pipeline.close();
        }
    }
}
