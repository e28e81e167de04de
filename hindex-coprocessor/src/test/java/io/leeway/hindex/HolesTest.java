package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.OTHER;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.read.UnfoundedEntries;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A test named after each way in which an index of this kind loses entries or keeps garbage when it is built naively. */
class HolesTest {

    private static final int MANY = 10_000;

    private final HBaseCluster cluster = TestClusters.light();
    private final List<IndexedWords> tables = new ArrayList<>();

    @AfterEach
    void dropTables() {
        tables.forEach(IndexedWords::close);
    }

    private IndexedWords words() throws IOException {
        return words("mode=deferred", 1);
    }

    private IndexedWords words(String settings, int familyVersions) throws IOException {
        IndexedWords words =
                IndexedWords.create(cluster, settings, family -> family.setMaxVersions(familyVersions), table -> table);
        tables.add(words);
        return words;
    }

    @Nested
    class H01ReadRepairDeletesALiveEntry {

        @Test
        void aReadBetweenEntryAndBaseCellNeitherReturnsNorHarmsTheRow() throws Exception {
            IndexedWords words =
                    IndexedWords.create(cluster, "mode=deferred", family -> family, table -> stoppable(table));
            tables.add(words);
            WriteStop.Gate stop = WriteStop.arm();
            ExecutorService client = Executors.newSingleThreadExecutor();
            try {
                Future<?> write = client.submit(() -> {
                    words.put("r1", "apple");
                    return null;
                });
                assertThat(stop.isReached()).isTrue();

                assertThat(words.entries()).containsExactly("apple/r1");
                assertThat(words.rows("apple")).isEmpty();
                stop.open();
                write.get(60, TimeUnit.SECONDS);

                assertThat(words.rows("apple")).containsExactly("r1");
            } finally {
                stop.open();
                client.shutdown();
            }
        }
    }

    @Nested
    class H01UnderTheLock {

        @Test
        void aRemovalWaitsForTheWriteAndThenLeavesItsEntry() throws Exception {
            IndexedWords words =
                    IndexedWords.create(cluster, "mode=deferred", family -> family, table -> stoppable(table));
            tables.add(words);
            WriteStop.Gate stop = WriteStop.arm();
            ExecutorService clients = Executors.newFixedThreadPool(2);
            try {
                Future<?> write = clients.submit(() -> {
                    words.put("r1", "apple", 5);
                    return null;
                });
                assertThat(stop.isReached()).isTrue();
                var unfounded = new UnfoundedEntries(cluster.connection(), words.name(), words.index());
                unfounded.add(
                        words.index().newEntries(bytes("r1"), bytes("apple"), 5).get(0));
                unfounded.add(
                        words.index().newEntries(bytes("r1"), bytes("pear"), 6).get(0));
                Future<Integer> removal = clients.submit(unfounded::remove);
                stop.open();
                write.get(60, TimeUnit.SECONDS);

                assertThat(removal.get(60, TimeUnit.SECONDS)).isEqualTo(1);
                assertThat(words.rows("apple")).containsExactly("r1");
            } finally {
                stop.open();
                clients.shutdown();
            }
        }
    }

    @Nested
    class H02TheQueueEmitsTheNewest {

        @Test
        void theNewestVersionsStayWhateverTheirNumber() throws Exception {
            IndexedWords words = words("versions=2; mode=deferred", 2);
            for (int i = 1; i <= 5; i++) {
                words.put("r1", "w" + i);
            }
            words.flushAndCompact();

            assertThat(words.entries()).containsExactly("w4/r1", "w5/r1");
            assertThat(words.rows("w4")).containsExactly("r1");
        }
    }

    @Nested
    class H03CompactionDropsBeforeItIsSeen {

        @Test
        void versionsInSeveralFilesAreRepaired() throws Exception {
            IndexedWords words = words();
            for (int i = 1; i <= 4; i++) {
                words.put("r1", "w" + i);
                words.flush();
            }
            words.compact(true);

            assertThat(words.entries()).containsExactly("w4/r1");
        }
    }

    @Nested
    class H04FlushDropsBeforeItIsSeen {

        @Test
        void versionsInOneFlushAreRepaired() throws Exception {
            IndexedWords words = words();
            words.put("r1", "apple");
            words.put("r1", "pear");
            words.put("r2", "plum");
            words.delete("r2");
            words.flush();
            words.compact(true);

            assertThat(words.entries()).containsExactly("pear/r1");
        }

        @Test
        void versionsInAnInMemoryCompactionAreRepaired() throws Exception {
            IndexedWords words = IndexedWords.create(
                    cluster,
                    "mode=deferred",
                    family -> family.setInMemoryCompaction(MemoryCompactionPolicy.EAGER),
                    table -> table.setMemStoreFlushSize(1 << 20));
            tables.add(words);
            String text = "x".repeat(500);
            for (int i = 0; i < 400; i++) {
                words.put("r" + i % 3, text + i);
            }
            words.flushAndCompact();

            assertThat(words.entries()).containsExactlyInAnyOrder(text + "397/r1", text + "398/r2", text + "399/r0");
        }
    }

    @Nested
    class H05TwoWritesInOneMillisecond {

        @Test
        void batchesOnFewRowsLeaveNothingBehind() throws Exception {
            IndexedWords words = words();
            var puts = new ArrayList<Put>();
            for (int i = 0; i < 3000; i++) {
                puts.add(IndexedWords.word("r" + i % 10, "w" + i % 7));
            }
            words.table().put(puts);
            words.flushAndCompact();

            assertThat(words.entries()).hasSize(10);
        }

        @Test
        void aPutRightAfterADeleteIsVisible() throws Exception {
            IndexedWords words = words();
            words.table()
                    .mutateRow(RowMutations.of(List.of(new Delete(bytes("r1")), IndexedWords.word("r1", "apple"))));
            for (int i = 0; i < 200; i++) {
                words.delete("r2");
                words.put("r2", "pear");
                assertThat(words.rows("pear")).containsExactly("r2");
            }

            assertThat(words.rows("apple")).containsExactly("r1");
        }

        @Test
        void aDeleteRightAfterManyPutsHidesThemAll() throws Exception {
            IndexedWords words = words();
            var puts = new ArrayList<Put>();
            for (int i = 0; i < 1000; i++) {
                puts.add(IndexedWords.word("r1", "w" + i));
            }
            words.table().put(puts);
            words.delete("r1");

            assertThat(words.visible()).isEmpty();
        }
    }

    @Nested
    class H06RepairComparesTheVersionsOwnAge {

        @Test
        void aVersionOlderThanTheLastRepairIsRemovedWhenItBecomesObsolete() throws Exception {
            IndexedWords words = words();
            words.put("r1", "apple");
            words.flushAndCompact();
            words.put("r1", "pear");
            words.flushAndCompact();

            assertThat(words.entries()).containsExactly("pear/r1");
        }

        @Test
        void theSameOfALazyIndex() throws Exception {
            IndexedWords words = lazy();
            words.put("r1", "apple");
            words.flushAndCompact();
            words.put("r1", "pear");
            words.flushAndCompact();

            assertThat(words.entries()).containsExactly("pear/r1");
        }
    }

    @Nested
    class H07LateWritesWithOldTimestamps {

        @Test
        void aVersionThatIsObsoleteAtBirthIsRemoved() throws Exception {
            for (IndexedWords words : List.of(words(), lazy())) {
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
            for (IndexedWords words : List.of(words(), words("mode=sync", 1), lazy())) {
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
            for (IndexedWords words : List.of(words(), words("mode=sync", 1))) {
                words.put("r1", "apple", 100);
                words.put("r1", "pear", 100);

                assertThat(words.rows("apple")).isEmpty();
                assertThat(words.rows("pear")).containsExactly("r1");
                words.flushAndCompact();
                assertThat(words.entries()).containsExactly("pear/r1");
            }
        }

        @Test
        void theSameWithinOneBatch() throws Exception {
            IndexedWords words = words();
            words.table().put(List.of(IndexedWords.word("r1", "apple", 100), IndexedWords.word("r1", "pear", 100)));
            words.flushAndCompact();

            assertThat(words.entries()).containsExactly("pear/r1");
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
            for (String settings : List.of("versions=3; mode=deferred", "versions=3; mode=sync")) {
                IndexedWords words = words(settings, 3);
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
            IndexedWords words = IndexedWords.create(
                    cluster,
                    "mode=deferred",
                    family -> family.setKeepDeletedCells(KeepDeletedCells.TRUE).setMaxVersions(5),
                    table -> table);
            tables.add(words);
            words.put("r1", "apple");
            words.delete("r1");
            words.put("r1", "pear");
            words.flushAndCompact();

            assertThat(words.entries()).containsExactly("pear/r1");
        }
    }

    @Nested
    class H10NoVersionLeft {

        @Test
        void anEntryWithoutARowIsNotReturnedAndRemoved() throws Exception {
            IndexedWords words = words();
            try (Table entries = cluster.connection().getTable(words.indexTable())) {
                byte[] key = words.index()
                        .newEntries(bytes("r1"), bytes("apple"), 5)
                        .get(0)
                        .key();
                entries.put(
                        new Put(key).addColumn(IndexPlan.entryFamily(), IndexPlan.entryQualifier(), 5, new byte[0]));
            }

            assertThat(words.entries()).containsExactly("apple/r1");
            assertThat(words.rows("apple")).isEmpty();
            assertThat(words.entries()).isEmpty();
        }
    }

    @Nested
    class H11ARemovalFails {

        @Test
        void aStrictCompactionFailsAndTheNextOneRepairs() throws Exception {
            IndexedWords words = words();
            garbageWhoseRemovalFails(words, () -> {
                HRegion region = words.regions().get(0);
                int files = region.getStore(FAMILY).getStorefilesCount();
                assertThatThrownBy(() -> words.compact(true)).isInstanceOf(IOException.class);
                assertThat(region.getStore(FAMILY).getStorefilesCount()).isEqualTo(files);
                return null;
            });
            assertThat(words.entries()).containsExactly("apple/r1", "pear/r1");
            words.compact(true);

            assertThat(words.entries()).containsExactly("pear/r1");
        }

        @Test
        void aLazyCompactionSucceedsAndTheNextOneRepairs() throws Exception {
            IndexedWords words = lazy();
            garbageWhoseRemovalFails(words, () -> {
                words.compact(true);
                return null;
            });
            assertThat(words.entries()).containsExactly("apple/r1", "pear/r1");
            words.put("r2", "plum");
            words.flushAndCompact();

            assertThat(words.entries()).containsExactlyInAnyOrder("pear/r1", "plum/r2");
        }

        private void garbageWhoseRemovalFails(IndexedWords words, Callable<?> meanwhile) throws Exception {
            words.put("r1", "apple");
            words.flush();
            words.put("r1", "pear");
            words.flush();
            try (var admin = cluster.connection().getAdmin()) {
                admin.disableTable(words.indexTable());
                try {
                    meanwhile.call();
                } finally {
                    admin.enableTable(words.indexTable());
                }
            }
        }
    }

    @Nested
    class H12AnEntryReturnsAtTheSameTimestamp {

        @Test
        void aVersionThatBecomesFreshAgainIsFound() throws Exception {
            for (String mode : List.of("mode=deferred", "mode=sync")) {
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

        @Test
        void aClientMayWriteTheSameAgainAfterItsDeleteIsPurged() throws Exception {
            IndexedWords words = words();
            words.put("r1", "apple", 100);
            words.table().delete(new Delete(bytes("r1")).addFamily(FAMILY, 100));
            words.flushAndCompact();
            assertThat(words.entries()).isEmpty();
            words.put("r1", "apple", 100);

            assertThat(words.rows("apple")).containsExactly("r1");
            assertThat(words.visible()).containsExactly("apple/r1@100");
        }

        @Test
        void aClientMayWriteTheSameAgainBehindADeleteThatIsPurgedThen() throws Exception {
            for (IndexedWords words : List.of(words(), words("mode=sync", 1), lazy())) {
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
            assertThat(tables.get(0).visible()).containsExactly("apple/r1@100");
        }
    }

    @Nested
    class H13HandlersWaitForEachOther {

        /** Handlers that wait for each other would wait longer than this test does. */
        private final HBaseCluster narrow =
                TestClusters.light(2, Map.of("hbase.regionserver.handler.count", "1", "hindex.read.timeout", "1m"));

        @Test
        void twoServersWithOneHandlerEachGetOn() throws Exception {
            crossed("mode=deferred", (words, table, client) -> {
                for (int i = 0; i < 50; i++) {
                    table.put(IndexedWords.word("r" + client + "-" + i, "w" + i));
                    assertThat(words.rows("w" + i)).contains("r" + client + "-" + i);
                    assertThat(words.scanned("w" + i)).contains("r" + client + "-" + i);
                }
            });
        }

        @Test
        void theSameWhileWritesRemoveEntries() throws Exception {
            List<IndexedWords> crossed = crossed("mode=sync", (words, table, client) -> {
                for (int i = 0; i < 50; i++) {
                    table.put(IndexedWords.word("r" + client, "w" + i));
                    table.put(List.of(
                            IndexedWords.word("s" + client, "w" + i), IndexedWords.word("t" + client, "w" + i)));
                    table.delete(new Delete(bytes("s" + client)));
                }
            });

            // None that waited in vain has left its entry to a compaction.
            for (IndexedWords words : crossed) {
                assertThat(words.entriesWithTime()).containsExactlyInAnyOrderElementsOf(words.visible());
            }
        }

        private interface Client {
            void run(IndexedWords words, Table table, int number) throws Exception;
        }

        /** Two tables, each with its index on the server that does not have it, and their clients. */
        private List<IndexedWords> crossed(String mode, Client client) throws Exception {
            var crossed = new ArrayList<IndexedWords>();
            for (int i = 0; i < 2; i++) {
                crossed.add(IndexedWords.create(
                        narrow, mode, family -> family, table -> table.setValue("hindex.write.timeout", "1m")));
                tables.add(crossed.get(i));
            }
            place(crossed);
            ExecutorService clients = Executors.newFixedThreadPool(6);
            try {
                var running = new ArrayList<Future<?>>();
                for (int i = 0; i < 6; i++) {
                    int number = i;
                    running.add(clients.submit(() -> {
                        IndexedWords words = crossed.get(number % 2);
                        try (Table table = words.connect()) {
                            client.run(words, table, number);
                        }
                        return null;
                    }));
                }
                for (Future<?> one : running) {
                    one.get(50, TimeUnit.SECONDS);
                }
                for (IndexedWords words : crossed) {
                    assertThat(words.allFound()).containsExactlyInAnyOrderElementsOf(words.visible());
                }
                return crossed;
            } finally {
                clients.shutdownNow();
            }
        }

        /** Each table's index on the server that does not have the table. */
        private void place(List<IndexedWords> crossed) throws IOException {
            var servers = narrow.regionServers();
            try (var admin = narrow.connection().getAdmin()) {
                for (int i = 0; i < 2; i++) {
                    TableName[] tables = {crossed.get(i).name(), crossed.get(i).indexTable()};
                    for (int j = 0; j < 2; j++) {
                        admin.move(
                                admin.getRegions(tables[j]).get(0).getEncodedNameAsBytes(),
                                servers.get((i + j) % 2).getServerName());
                    }
                }
            }
        }
    }

    @Nested
    class H14OtherWaysToWrite {

        @Test
        void appendsAndIncrementsAreIndexedByTheirResult() throws Exception {
            IndexedWords words = words();
            words.put("r1", "ap");
            words.table().append(new Append(bytes("r1")).addColumn(FAMILY, WORD, bytes("ple")));
            words.table().append(new Append(bytes("r2")).addColumn(FAMILY, WORD, bytes("plum")));
            words.table().increment(new Increment(bytes("r3")).addColumn(FAMILY, WORD, 0x6161616161616161L));

            assertThat(words.rows("apple")).containsExactly("r1");
            assertThat(words.rows("ap")).isEmpty();
            assertThat(words.rows("plum")).containsExactly("r2");
            assertThat(words.rows("aaaaaaaa")).containsExactly("r3");
            words.flushAndCompact();
            assertThat(words.entries()).hasSize(3);
        }

        @Test
        void checkedAndAtomicMutationsAreIndexed() throws Exception {
            IndexedWords words = words();
            var absent = CheckAndMutate.newBuilder(bytes("r1")).ifNotExists(FAMILY, WORD);
            words.table().checkAndMutate(absent.build(IndexedWords.word("r1", "apple")));
            words.table().checkAndMutate(absent.build(IndexedWords.word("r1", "never")));
            words.table()
                    .mutateRow(RowMutations.of(List.of(
                            IndexedWords.word("r2", "pear"), new Delete(bytes("r2")).addColumns(FAMILY, OTHER))));

            assertThat(words.entries()).containsExactly("apple/r1", "pear/r2");
            assertThat(words.rows("apple")).containsExactly("r1");
            assertThat(words.rows("pear")).containsExactly("r2");
        }

        @Test
        void writesWithoutALogAreIndexed() throws Exception {
            IndexedWords words = words();
            words.table().put(IndexedWords.word("r1", "apple").setDurability(Durability.SKIP_WAL));

            assertThat(words.rows("apple")).containsExactly("r1");
        }

        @Test
        void entriesExpireWithTheirCells() throws Exception {
            IndexedWords words = words();
            words.table()
                    .put(IndexedWords.word("r1", "apple", System.currentTimeMillis() - 1000)
                            .setTTL(1));
            words.table().put(IndexedWords.word("r2", "pear").setTTL(3_600_000));

            assertThat(words.entries()).containsExactly("pear/r2");
            assertThat(words.rows("pear")).containsExactly("r2");
        }

        @Test
        void splitsAndMergesChangeNothing() throws Exception {
            IndexedWords words = words();
            for (char row = 'a'; row <= 'f'; row++) {
                words.put("r" + row, "apple");
                words.put("r" + row, "pear");
            }
            try (var admin = cluster.connection().getAdmin()) {
                byte[] whole = admin.getRegions(words.name()).get(0).getRegionName();
                admin.splitRegionAsync(whole, bytes("rd")).get(60, TimeUnit.SECONDS);
                assertThat(words.rows("pear")).hasSize(6);
                words.put("rb", "plum");
                words.flushAndCompact();
                assertThat(words.entries()).hasSize(6);
                byte[][] halves = words.regions().stream()
                        .map(region -> region.getRegionInfo().getRegionName())
                        .toArray(byte[][]::new);
                assertThat(halves.length).isEqualTo(2);
                admin.mergeRegionsAsync(halves, false).get(60, TimeUnit.SECONDS);
            }
            words.put("rc", "plum");
            words.flushAndCompact();

            assertThat(words.rows("plum")).containsExactly("rb", "rc");
            assertThat(words.entries()).hasSize(6);
        }
    }

    @Nested
    class H15ACompactionThatSeesOnlySomeFiles {

        @Test
        void aVersionThatADeleteInAnotherFileMakesFreshKeepsItsEntry() throws Exception {
            for (String mode : List.of("versions=1; mode=deferred", "versions=1; mode=sync")) {
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
        void aMinorCompactionRemovesWhatIsDeletedInItsFiles() throws Exception {
            IndexedWords words = words();
            for (int i = 0; i < 4; i++) {
                words.put("r1", "w" + i);
                words.delete("r1");
                words.flush();
            }
            words.compact(false);

            assertThat(words.entries()).isEmpty();
        }
    }

    @Nested
    class H16CellsThatPointIntoReleasedBlocks {

        @Test
        void aCompactionOverManyBlocksRepairsExactly() throws Exception {
            IndexedWords words =
                    IndexedWords.create(cluster, "mode=deferred", family -> family.setBlocksize(1024), table -> table);
            tables.add(words);
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
            assertThat(words.cells()).isEqualTo(61);
        }
    }

    private IndexedWords lazy() throws IOException {
        IndexedWords words = IndexedWords.create(
                cluster, "mode=deferred", family -> family, table -> table.setValue("hindex.repair", "lazy"));
        tables.add(words);
        return words;
    }

    private static TableDescriptorBuilder stoppable(TableDescriptorBuilder table) {
        try {
            return table.setCoprocessor(CoprocessorDescriptorBuilder.newBuilder(WriteStop.class.getName())
                    .setPriority(Coprocessor.PRIORITY_LOWEST)
                    .build());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
