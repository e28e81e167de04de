package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.OTHER;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.read.UnfoundedEntries;
import io.leeway.hindex.internal.upkeep.UpkeepClient;
import io.leeway.hindex.internal.upkeep.Verdict;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A test named after each way in which an index of this kind loses entries or keeps garbage when it is built naively. */
class HolesTest extends WaitingRepairContract {

    @Override
    String variant() {
        return "pipelined";
    }

    @Override
    long cellsReadOf(long stored) {
        return 0;
    }

    @Override
    List<String> modes() {
        return List.of("mode=deferred", "mode=sync");
    }

    @Override
    List<IndexedWords> inEveryWay() throws IOException {
        return List.of(words(), words("mode=sync", 1), lazy());
    }

    @Nested
    class H01ReadRepairDeletesALiveEntry {

        @Test
        void aReadBetweenEntryAndBaseCellNeitherReturnsNorHarmsTheRow() throws Exception {
            IndexedWords words = words("mode=deferred", family -> family, WriteStop::behind);
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
            IndexedWords words = words("mode=deferred", family -> family, WriteStop::behind);
            WriteStop.Gate stop = WriteStop.arm();
            ExecutorService clients = Executors.newFixedThreadPool(2);
            try {
                Future<?> write = clients.submit(() -> {
                    words.put("r1", "apple", 5);
                    return null;
                });
                assertThat(stop.isReached()).isTrue();
                var unfounded = new UnfoundedEntries(cluster().connection(), words.name(), words.index());
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
            IndexedWords words = words(
                    "mode=deferred",
                    family -> family.setInMemoryCompaction(MemoryCompactionPolicy.EAGER),
                    MemoryCompactions::counted);
            int before = MemoryCompactions.count();
            String text = "x".repeat(500);
            for (int i = 0; i < 400; i++) {
                words.put("r" + i % 3, text + i);
            }
            await().atMost(Duration.ofMinutes(1)).until(() -> MemoryCompactions.count() > before);
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

        /** Of these HBase makes the result as late as the cell before. */
        @Test
        void resultsThatFollowACellFromTheFutureDifferFromItAndLeaveOtherCellsInThePresent() throws Exception {
            IndexedWords words = words();
            long future = System.currentTimeMillis() + TimeUnit.DAYS.toMillis(1_000);
            words.table().put(new Put(bytes("r1"), future).addColumn(FAMILY, OTHER, Bytes.toBytes(1L)));
            words.put("r2", "ap", future);
            for (int i = 0; i < 2; i++) {
                words.table().increment(new Increment(bytes("r1")).addColumn(FAMILY, OTHER, 1));
                words.table().append(new Append(bytes("r2")).addColumn(FAMILY, WORD, bytes("p")));
                words.put("r1", "pear" + i);
                words.table().put(new Put(bytes("r2")).addColumn(FAMILY, OTHER, bytes("red")));
            }

            assertThat(timestamp(words, "r1", OTHER)).isEqualTo(future + 2);
            assertThat(timestamp(words, "r2", WORD)).isEqualTo(future + 2);
            assertThat(timestamp(words, "r1", WORD)).isLessThan(future);
            assertThat(timestamp(words, "r2", OTHER)).isLessThan(future);
            assertThat(words.rows("appp")).containsExactly("r2");
            words.flushAndCompact();
            assertThat(words.entries()).containsExactly("appp/r2", "pear1/r1");
        }

        private static long timestamp(IndexedWords words, String row, byte[] column) throws IOException {
            return words.table()
                    .get(new Get(bytes(row)).addColumn(FAMILY, column))
                    .rawCells()[0]
                    .getTimestamp();
        }
    }

    @Nested
    class H08VersionsOfOneBatchToldApartByTimestampOnly {

        @Test
        void ofTwoValuesAtOneTimestampOnlyTheLaterIsKept() throws Exception {
            IndexedWords words = words();
            words.table().put(List.of(IndexedWords.word("r1", "apple", 100), IndexedWords.word("r1", "pear", 100)));
            words.flushAndCompact();

            assertThat(words.entries()).containsExactly("pear/r1");
        }
    }

    @Nested
    class H10NoVersionLeft {

        @Test
        void anEntryWithoutARowIsNotReturnedAndRemoved() throws Exception {
            IndexedWords words = words();
            try (Table entries = cluster().connection().getTable(words.indexTable())) {
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
                crossed.add(dropped(IndexedWords.create(
                        narrow, mode, family -> family, table -> table.setValue("hindex.write.timeout", "1m"))));
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
            for (int i = 0; i < 2; i++) {
                move(crossed.get(i).name(), i);
                move(crossed.get(i).indexTable(), 1 - i);
            }
        }

        private void move(TableName table, int server) throws IOException {
            BusyHandler.move(narrow, table, narrow.regionServers().get(server));
        }

        /** With the row r1, on the first server; its index is on the second. */
        private IndexedWords apart(String mode) throws IOException {
            IndexedWords words = dropped(IndexedWords.create(
                    narrow, mode, family -> family, table -> table.setValue("hindex.write.timeout", "1m")));
            move(words.name(), 0);
            move(words.indexTable(), 1);
            words.put("r1", "apple", 5);
            return words;
        }

        private BusyHandler busy(int server) throws IOException {
            return BusyHandler.of(narrow, narrow.regionServers().get(server));
        }

        private <T> T whileBusy(int server, BusyHandler.Question<T> question) throws Exception {
            try (var busy = busy(server)) {
                return busy.meanwhile(question);
            }
        }

        @Test
        void theFirstReadByAnIndexNeedsNoHandlerOfTheTablesServer() throws Exception {
            IndexedWords words = apart("mode=deferred");
            try (var busy = busy(0)) {
                IndexedTable indexed = IndexedTable.open(narrow.connection(), words.name(), IndexedWords.INDEX);

                // The region of the index asks how the index is defined, and for the row.
                assertThat(busy.meanwhile(() -> indexed.readValue(bytes("apple"))))
                        .hasToString("[r1=apple@5]");
            }
        }

        @Test
        void aScanNeedsNoHandlerOfTheIndexsServer() throws Exception {
            IndexedWords words = apart("mode=deferred");
            long rewritten = count(words, Metrics.Count.SCANS_REWRITTEN);

            assertThat(whileBusy(1, () -> words.scanned("apple"))).containsExactly("r1");
            assertThat(count(words, Metrics.Count.SCANS_REWRITTEN)).isEqualTo(rewritten + 1);
        }

        @Test
        void writesNeedNoHandlerOfTheIndexsServer() throws Exception {
            IndexedWords words = apart("mode=sync");
            whileBusy(1, () -> {
                words.put("r1", "pear");
                words.put("r2", "plum");
                words.delete("r2");
                return words;
            });

            assertThat(words.entries()).containsExactly("pear/r1");
        }

        @Test
        void verifyingAnEntryNeedsNoHandlerOfTheIndexsServer() throws Exception {
            IndexedWords words = apart("mode=deferred");
            Entry entry =
                    words.index().newEntries(bytes("r1"), bytes("apple"), 5).get(0);
            var suspect = new UpkeepClient.Suspect(entry.key(), entry.qualifier(), 5);
            var verdicts = new ArrayList<Verdict>();
            whileBusy(
                    1,
                    () -> new UpkeepClient(narrow.connection(), words.name())
                            .check(words.index(), List.of(suspect), true, (of, verdict) -> verdicts.add(verdict)));

            assertThat(verdicts).containsExactly(Verdict.RIGHT);
        }

        @Test
        void catchingUpNeedsNoHandlerOfTheIndexsServer() throws Exception {
            IndexedWords words = apart("mode=async");
            words.awaitEntries();
            move(words.name(), 1);
            whileBusy(1, () -> {
                move(words.name(), 0);
                words.awaitEntries();
                return words;
            });

            assertThat(words.entries()).containsExactly("apple/r1");
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

        /** HBase gives their cells no sequence id, unless each write says by itself that it has no log. */
        @Test
        void aTableWithoutALogIsRepaired() throws Exception {
            for (String mode : List.of("deferred", "sync")) {
                IndexedWords words = words(
                        "mode=" + mode,
                        family -> family,
                        table -> table.setDurability(Durability.SKIP_WAL)
                                .setValue(
                                        "hindex.index.pair",
                                        "columns=f:word:utf8, f:other:utf8; state=active; mode=" + mode));
                for (String word : List.of("apple", "pear", "plum")) {
                    words.put("r1", word);
                    words.table().put(new Put(bytes("r1")).addColumn(FAMILY, OTHER, bytes("of " + word)));
                    words.flush();
                }
                words.compact(true);

                for (IndexPlan index : words.indexes()) {
                    assertThat(words.stored(index)).as(mode).isEqualTo(words.fresh(index));
                }
            }
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
            try (var admin = cluster().connection().getAdmin()) {
                byte[] whole = admin.getRegions(words.name()).get(0).getRegionName();
                admin.splitRegionAsync(whole, bytes("rd")).get(60, TimeUnit.SECONDS);
                assertThat(words.rows("pear")).hasSize(6);
                words.put("rb", "plum");
                words.flush();
                words.compactAll();
                assertThat(words.entries()).hasSize(6);
                byte[][] halves = words.regions().stream()
                        .map(region -> region.getRegionInfo().getRegionName())
                        .toArray(byte[][]::new);
                assertThat(halves.length).isEqualTo(2);
                admin.mergeRegionsAsync(halves, false).get(60, TimeUnit.SECONDS);
            }
            words.put("rc", "plum");
            words.flush();
            words.compactAll();

            assertThat(words.rows("plum")).containsExactly("rb", "rc");
            assertThat(words.entries()).hasSize(6);
        }
    }

    @Nested
    class H15AMinorCompaction {

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

        @Test
        void aVersionThatADeleteInALargeFileMakesFreshKeepsItsEntry() throws Exception {
            IndexedWords words = besideALargeFile(3, new Delete(bytes("r1")).addColumn(FAMILY, WORD, 300));
            words.put("r1", "apple", 100);
            words.flush();
            words.put("r1", "pear", 200);
            words.flush();
            words.put("r1", "plum", 300);
            words.flush();
            compactTheOthers(words);
            assertThat(words.rows("pear")).containsExactly("r1");

            words.compact(true);
            assertThat(words.entries()).containsExactly("pear/r1");
        }
    }
}
