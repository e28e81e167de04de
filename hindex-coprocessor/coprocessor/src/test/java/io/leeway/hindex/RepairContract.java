package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.OTHER;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Ways in which repair loses entries or keeps garbage when it is built naively: those that depend on how the cells of a table
 * are read and when entries go, which is where the variants of repair differ. What comes before that, such as the hooks of
 * flushes, and what is the same code in each, such as the modes of indexes, is in {@link HolesTest} alone.
 */
abstract class RepairContract {

    private static final int MANY = 10_000;
    private static final List<Future<?>> DROPS = new ArrayList<>();

    private static final ExecutorService DROPPER = Executors.newSingleThreadExecutor(task -> {
        var thread = new Thread(task, "tables of past tests");
        thread.setDaemon(true);
        return thread;
    });

    private final HBaseCluster cluster = TestClusters.light();
    private final List<IndexedWords> tables = new ArrayList<>();

    /** The variant of repair, as in the option. */
    abstract String variant();

    /** Whether a compaction waits for its removals. */
    abstract boolean compactionsWait();

    /** How many of so many cells repair reads beside the compaction. */
    abstract long cellsReadOf(long stored);

    /** The modes of indexes in which a test runs. */
    List<String> modes() {
        return List.of("mode=deferred");
    }

    /** A table for each combination of mode and repair in which a test runs. */
    List<IndexedWords> inEveryWay() throws IOException {
        return List.of(words());
    }

    /** Beside the tests that follow: master and servers take longer than is to be waited for. */
    @AfterEach
    void dropTables() {
        for (IndexedWords words : tables) {
            DROPS.add(DROPPER.submit(words::close));
        }
        tables.clear();
    }

    @AfterAll
    static void awaitDrops() throws Exception {
        for (Future<?> drop : DROPS) {
            drop.get(2, TimeUnit.MINUTES);
        }
        DROPS.clear();
    }

    HBaseCluster cluster() {
        return cluster;
    }

    IndexedWords words() throws IOException {
        return words("mode=deferred", 1);
    }

    IndexedWords words(String settings, int familyVersions) throws IOException {
        return words(settings, family -> family.setMaxVersions(familyVersions), table -> table);
    }

    IndexedWords lazy() throws IOException {
        return words("mode=deferred", family -> family, table -> table.setValue("hindex.repair", "lazy"));
    }

    /** Whose writes of an index that is away end soon; a compaction tries a removal three times for so long. */
    IndexedWords impatient(String repair) throws IOException {
        return words(
                "mode=deferred",
                family -> family,
                table -> table.setValue("hindex.repair", repair)
                        .setValue("hindex.write.timeout", "2s")
                        .setValue("hindex.failed.delay", "10ms"));
    }

    IndexedWords words(
            String settings,
            UnaryOperator<ColumnFamilyDescriptorBuilder> family,
            UnaryOperator<TableDescriptorBuilder> table)
            throws IOException {
        IndexedWords words = IndexedWords.create(
                cluster,
                settings,
                family,
                builder -> table.apply(builder.setValue("hindex.repair.variant", variant())));
        return dropped(words);
    }

    /** This table is dropped after the test. */
    IndexedWords dropped(IndexedWords words) {
        tables.add(words);
        return words;
    }

    /** What was counted in the regions of tables so far. */
    static long count(IndexedWords words, Metrics.Count count) {
        return words.regions()
                .get(0)
                .getCoprocessorHost()
                .findCoprocessorEnvironment(HindexObserver.class.getName())
                .getMetricRegistryForRegionServer()
                .counter(count.key())
                .getCount();
    }

    @Test
    void readsBesideTheCompactionWhatItsVariantSays() throws IOException {
        IndexedWords words = words();
        for (int round = 0; round < 3; round++) {
            for (int row = 0; row < 20; row++) {
                words.put("r" + row, "w" + round);
            }
            words.flush();
        }
        long read = count(words, Metrics.Count.REPAIR_CELLS);
        long stored = words.cells();

        words.compact(true);

        assertThat(words.entries()).hasSize(20);
        assertThat(count(words, Metrics.Count.REPAIR_CELLS) - read).isEqualTo(cellsReadOf(stored));
    }

    @Nested
    class WhatIsInMemoryOnly {

        /** It may be lost in a crash: what it supersedes is fresh then. */
        @Test
        void makesNothingObsolete() throws IOException {
            IndexedWords words = words();
            words.put("r1", "apple");
            words.put("r2", "plum");
            words.put("r2", "cherry");
            words.flush();
            words.table().put(IndexedWords.word("r1", "pear").setDurability(Durability.SKIP_WAL));
            words.compact(true);

            assertThat(words.entries()).containsExactlyInAnyOrder("apple/r1", "pear/r1", "cherry/r2");
        }

        /** HBase shows the later one of two deletes that are alike. */
        @Test
        void hidesNoDeleteThatIsInAFile() throws IOException {
            IndexedWords words = words("mode=deferred", 3);
            words.put("r1", "apple", 100);
            words.put("r1", "pear", 200);
            words.table().delete(new Delete(bytes("r1")).addColumn(FAMILY, WORD, 200));
            words.put("r2", "plum");
            words.put("r2", "cherry");
            words.flush();
            words.table().delete(new Delete(bytes("r1")).addColumn(FAMILY, WORD, 200));
            words.compact(true);

            assertThat(words.rows("apple")).containsExactly("r1");
            words.flushAndCompact();
            words.compact(true);
            assertThat(words.entries()).containsExactlyInAnyOrder("apple/r1", "cherry/r2");
        }
    }

    @Nested
    class H06RepairComparesTheVersionsOwnAge {

        @Test
        void aVersionOlderThanTheLastRepairIsRemovedWhenItBecomesObsolete() throws Exception {
            for (IndexedWords words : inEveryWay()) {
                words.put("r1", "apple");
                words.flushAndCompact();
                words.put("r1", "pear");
                words.flushAndCompact();

                assertThat(words.entries()).containsExactly("pear/r1");
            }
        }
    }

    @Nested
    class H07LateWritesWithOldTimestamps {

        @Test
        void aVersionThatIsObsoleteAtBirthIsRemoved() throws Exception {
            for (IndexedWords words : inEveryWay()) {
                words.put("r1", "pear", 200);
                words.flushAndCompact();
                words.put("r1", "apple", 100);
                assertThat(words.rows("apple")).isEmpty();
                words.flushAndCompact();

                assertThat(words.entries()).containsExactly("pear/r1");
            }
        }
    }

    @Nested
    class H07APutThatADeleteHides {

        @Test
        void isFoundWhenTheDeleteIsPurgedBeforeThePutIsInAFile() throws Exception {
            for (IndexedWords words : inEveryWay()) {
                words.put("r1", "plum", 100);
                words.table().delete(new Delete(bytes("r1")).addColumns(FAMILY, WORD, 200));
                words.flush();
                words.put("r1", "apple", 150);
                // Here a read meets the entry, which the row does not bear out.
                assertThat(words.rows("apple")).isEmpty();
                words.compact(true);
                words.compact(true);

                assertThat(words.allFound()).containsExactlyElementsOf(words.visible());
            }
        }
    }

    @Nested
    class H08VersionsToldApartByTimestampOnly {

        @Test
        void ofTwoValuesAtOneTimestampOnlyTheLaterIsFoundAndKept() throws Exception {
            for (IndexedWords words : inEveryWay()) {
                words.put("r1", "apple", 100);
                words.put("r1", "pear", 100);

                assertThat(words.rows("apple")).isEmpty();
                assertThat(words.rows("pear")).containsExactly("r1");
                words.flushAndCompact();
                assertThat(words.entries()).containsExactly("pear/r1");
            }
        }
    }

    @Nested
    class H09KindsOfDeletes {

        @Test
        void everyKindHidesAndRemovesExactlyWhatHBaseHides() throws Exception {
            Map<String, Delete> deletes = Map.of(
                    "row", new Delete(bytes("row")),
                    "family", new Delete(bytes("family")).addFamily(FAMILY),
                    "upTo", new Delete(bytes("upTo")).addFamily(FAMILY, 200),
                    "version", new Delete(bytes("version")).addFamilyVersion(FAMILY, 200),
                    "column", new Delete(bytes("column")).addColumns(FAMILY, WORD),
                    "columnUpTo", new Delete(bytes("columnUpTo")).addColumns(FAMILY, WORD, 200),
                    "newest", new Delete(bytes("newest")).addColumn(FAMILY, WORD),
                    "exact", new Delete(bytes("exact")).addColumn(FAMILY, WORD, 200),
                    "other", new Delete(bytes("other")).addColumns(FAMILY, OTHER));
            for (String mode : modes()) {
                IndexedWords words = words("versions=3; " + mode, 3);
                for (Map.Entry<String, Delete> delete : deletes.entrySet()) {
                    for (int time = 100; time <= 300; time += 100) {
                        words.put(delete.getKey(), "w" + time, time);
                    }
                    words.table().delete(new Delete(delete.getValue()));
                    words.put(delete.getKey(), "late", 150);
                }
                List<String> visible = words.visible();

                assertThat(words.allFound()).containsExactlyInAnyOrderElementsOf(visible);
                words.flushAndCompact();
                assertThat(words.entriesWithTime()).containsExactlyInAnyOrderElementsOf(words.visible());
            }
        }

        @Test
        void aFamilyThatKeepsDeletedCellsIsRepairedToo() throws Exception {
            IndexedWords words = words(
                    "mode=deferred",
                    family -> family.setKeepDeletedCells(KeepDeletedCells.TRUE).setMaxVersions(5),
                    table -> table);
            words.put("r1", "apple");
            words.delete("r1");
            words.put("r1", "pear");
            words.flushAndCompact();

            assertThat(words.entries()).containsExactly("pear/r1");
        }
    }

    @Nested
    class H12AnEntryReturnsAtTheSameTimestamp {

        @Test
        void aVersionThatBecomesFreshAgainIsFound() throws Exception {
            for (String mode : modes()) {
                IndexedWords words = words(mode, 3);
                words.put("r1", "apple", 100);
                words.put("r1", "pear", 200);
                words.flushAndCompact();
                assertThat(words.entries()).containsExactly("pear/r1");
                words.table().delete(new Delete(bytes("r1")).addColumn(FAMILY, WORD, 200));

                assertThat(words.rows("apple")).containsExactly("r1");
                words.flushAndCompact();
                assertThat(words.entries()).containsExactly("apple/r1");
            }
        }

        /** The old files still show the version that the compaction has dropped. */
        @Test
        void aVersionThatComesBackWhenTheCompactionHasDroppedItLeavesNoEntry() throws Exception {
            IndexedWords words = withAVersionThatComesBackLate();
            words.awaitFailed();
            words.flushAndCompact();
            words.compact(true);

            assertThat(words.entriesWithTime()).containsExactlyInAnyOrderElementsOf(words.visible());
        }

        @Test
        void norWhenTheRegionIsClosedThen() throws Exception {
            IndexedWords words = withAVersionThatComesBackLate();
            words.reopen();
            words.flushAndCompact();
            words.compact(true);

            assertThat(words.entriesWithTime()).containsExactlyInAnyOrderElementsOf(words.visible());
        }

        private IndexedWords withAVersionThatComesBackLate() throws Exception {
            // A region that closes looks for so long at what came back.
            IndexedWords words = words(
                    "mode=deferred",
                    family -> family,
                    table -> StoreStop.around(table).setValue("hindex.write.timeout", "1m"));
            words.put("r1", "apple", 100);
            words.put("r1", "pear", 200);
            words.put("r2", "plum", 100);
            words.put("r2", "cherry", 200);
            words.flush();
            ExecutorService server = Executors.newSingleThreadExecutor();
            try (StoreStop.Gate stop = StoreStop.arm(StoreStop.Point.BEFORE_FILES_ARE_REPLACED)) {
                Future<?> compaction = server.submit(() -> {
                    words.compact(true);
                    return null;
                });
                assertThat(stop.isReached()).isTrue();
                words.table().delete(new Delete(bytes("r1")).addColumn(FAMILY, WORD, 200));
                assertThat(words.rows("apple")).containsExactly("r1");
                stop.open();
                compaction.get(60, TimeUnit.SECONDS);
                return words;
            } finally {
                server.shutdown();
            }
        }

        @Test
        void aClientMayWriteTheSameAgainAfterItsDeleteIsPurged() throws Exception {
            IndexedWords words = words();
            words.put("r1", "apple", 100);
            words.table().delete(new Delete(bytes("r1")).addFamily(FAMILY, 100));
            words.flushAndCompact();
            assertThat(words.entries()).isEmpty();
            if (!compactionsWait()) {
                // The first keeps what it repairs.
                words.compact(true);
            }
            words.put("r1", "apple", 100);

            assertThat(words.rows("apple")).containsExactly("r1");
            assertThat(words.visible()).containsExactly("apple/r1@100");
        }

        @Test
        void aClientMayWriteTheSameAgainBehindADeleteThatIsPurgedThen() throws Exception {
            List<IndexedWords> all = inEveryWay();
            for (IndexedWords words : all) {
                words.put("r1", "apple", 100);
                words.table().delete(new Delete(bytes("r1")).addColumns(FAMILY, WORD, 200));
                words.flush();
                words.put("r1", "apple", 100);
                // Drops the first with the delete; the second is not in a file yet.
                words.compact(true);
                words.compact(true);

                assertThat(words.allFound()).containsExactlyElementsOf(words.visible());
                words.flushAndCompact();
                assertThat(words.entriesWithTime()).containsExactlyElementsOf(words.visible());
            }
            assertThat(all.get(0).visible()).containsExactly("apple/r1@100");
        }
    }

    @Nested
    class H15ACompactionThatSeesOnlySomeFiles {

        @Test
        void aVersionThatADeleteInAnotherFileMakesFreshKeepsItsEntry() throws Exception {
            for (String mode : modes()) {
                IndexedWords words = words(mode, 3);
                words.put("r1", "apple", 100);
                words.flush();
                words.put("r1", "pear", 200);
                words.flush();
                words.put("r2", "plum");
                words.flush();
                words.table().delete(new Delete(bytes("r1")).addColumn(FAMILY, WORD, 200));
                // All files but not what is in memory.
                words.compact(true);

                assertThat(words.rows("apple")).containsExactly("r1");
            }
        }

        @Test
        void whatTheFamilyDoesNotKeepIsRemovedThoughOtherFilesAreNotRead() throws Exception {
            IndexedWords words = besideALargeFile(1, IndexedWords.word("r1", "apple"));
            for (String word : List.of("pear", "plum", "cherry")) {
                words.put("r1", word);
                words.flush();
            }
            compactTheOthers(words);
            if (compactionsWait()) {
                assertThat(words.entries()).containsExactly("apple/r1", "cherry/r1");
            } else {
                assertThat(words.entries()).hasSize(4);
            }

            words.compact(true);
            assertThat(words.entries()).containsExactly("cherry/r1");
        }
    }

    @Nested
    class H16CellsThatPointIntoReleasedBlocks {

        @Test
        void aCompactionOverManyBlocksRepairsExactly() throws Exception {
            IndexedWords words = words("mode=deferred", family -> family.setBlocksize(1024), table -> table);
            for (int round = 0; round < 3; round++) {
                var puts = new ArrayList<Put>();
                for (int i = 0; i < MANY; i++) {
                    puts.add(IndexedWords.word("row-" + i, "round " + round + " of " + i));
                }
                words.table().put(puts);
                words.flush();
            }
            words.compact(true);

            assertThat(words.entriesWithTime()).containsExactlyInAnyOrderElementsOf(words.visible());
        }
    }

    @Nested
    class H17WideRows {

        @Test
        void aRowThatComesInPiecesIsRepairedExactly() throws Exception {
            IndexedWords words = words();
            for (int round = 0; round < 40; round++) {
                Put put = IndexedWords.word("r1", "w" + round);
                for (int column = 0; column < 30; column++) {
                    put.addColumn(FAMILY, bytes("a" + column), bytes("v" + round));
                    put.addColumn(FAMILY, bytes("z" + column), bytes("v" + round));
                }
                words.table().put(put);
            }
            words.flushAndCompact();
            assertThat(words.entries()).containsExactly("w39/r1");
            if (!compactionsWait()) {
                words.compact(true);
            }

            assertThat(words.cells()).isEqualTo(61);
        }
    }

    /** The first file of the table, with this and much else. */
    IndexedWords besideALargeFile(int familyVersions, Mutation first) throws Exception {
        IndexedWords words = words(
                "mode=deferred",
                family -> family.setMaxVersions(familyVersions),
                table -> table.setValue("hbase.hstore.compaction.min.size", "1"));
        words.table().batch(List.of(first), new Object[1]);
        var puts = new ArrayList<Put>();
        for (int i = 0; i < 300; i++) {
            puts.add(new Put(bytes("large" + i)).addColumn(FAMILY, OTHER, new byte[1_000]));
        }
        words.table().put(puts);
        words.flush();
        return words;
    }

    void compactTheOthers(IndexedWords words) throws IOException {
        words.compact(false);
        // Else this would be a compaction of all files.
        assertThat(words.regions().get(0).getStore(FAMILY).getStorefilesCount()).isEqualTo(2);
    }
}
