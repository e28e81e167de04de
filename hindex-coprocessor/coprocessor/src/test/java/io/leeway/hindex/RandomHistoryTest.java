package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random writes, flushes, compactions of all kinds, splits, merges and moves; after each quiet moment the index must say
 * what the base table says, and after a major compaction it must hold nothing else.
 */
class RandomHistoryTest {

    private static final int ROUNDS = Depth.of(1, 12);
    private static final int STEPS = 60;
    private static final int ROWS = 12;
    private static final int WORDS = 6;
    private static final byte[] THIRD = bytes("third");
    /** Between the times of clients and those of servers. */
    private static final long LOADED = 1_000_000;

    private static final byte[] COUNT = bytes("count");

    @TempDir
    Path directory;

    private final HBaseCluster cluster = TestClusters.light(2);

    @ParameterizedTest(name = "{0}, {1} versions, {2} indexed, client time {3}, {4}")
    @CsvSource({
        "deferred, 1, 1, false, strict",
        "deferred, 3, 3, false, strict",
        "deferred, 3, 1, true, strict",
        "deferred, 1, 1, false, lazy",
        "deferred, 2, 1, true, lazy",
        "deferred, 3, 2, true, strict isolated",
        "deferred, 2, 1, true, lazy before-compaction",
        "async, 1, 1, false, strict",
        "async, 3, 2, true, lazy",
        "async, 1, 1, false, strict isolated",
        "sync, 1, 1, false, strict",
        "sync, 3, 2, true, strict",
        "deferred, 3, 1, true, strict pipelined forgetful",
        "sync, 3, 2, true, lazy isolated forgetful"
    })
    void theIndexSaysWhatTheTableSays(
            String mode, int familyVersions, int indexedVersions, boolean clientTime, String repair) throws Exception {
        String label = mode + familyVersions + indexedVersions + clientTime + repair;
        RandomGenerator random = Seeds.random(label);
        try (var words = IndexedWords.create(
                cluster,
                "versions=" + indexedVersions + "; mode=" + mode,
                family -> family.setMaxVersions(familyVersions)
                        .setInMemoryCompaction(
                                random.nextBoolean() ? MemoryCompactionPolicy.EAGER : MemoryCompactionPolicy.NONE),
                table -> repaired(MemoryCompactions.soon(table), repair))) {
            var history = new History(words, random, clientTime, repair);
            for (int round = 0; round < ROUNDS; round++) {
                for (int step = 0; step < STEPS; step++) {
                    history.step();
                }
                words.awaitEntries();
                history.assertReads();
                history.settle();
                history.assertReads();
                assertThat(words.entriesWithTime().stream().sorted().toList())
                        .as(history.log())
                        .isEqualTo(words.visible().stream().sorted().toList());
            }
        }
    }

    /**
     * In such a way, and in another variant than the pipelined one if it is named; one that is forgetful remembers few of the
     * entries that deletes bring back. What a region that closes has left is looked at by its next life after the delay, which
     * is waited for here.
     */
    private static TableDescriptorBuilder repaired(TableDescriptorBuilder table, String wayAndVariant) {
        String[] words = wayAndVariant.split(" ");
        table.setValue("hindex.repair", words[0]).setValue("hindex.failed.delay", "10s");
        if (words.length > 1) {
            table.setValue("hindex.repair.variant", words[1]);
        }
        return words.length > 2
                ? table.setValue("hindex.revived.entries", "2")
                        .setValue("hindex.failed.delay", "100ms")
                        .setValue("hindex.certain.pause", "200ms")
                : table;
    }

    static Stream<Arguments> severalIndexes() {
        String pair = "columns=f:word:utf8, f:other:utf8";
        String covering = "columns=f:word:utf8; covers=f:other";
        String turned = "columns=f:other:fold.desc, f:word:utf8, f:third:utf8; salt=4";
        String several = "columns=f:other:utf8.split(w), f:word:utf8; covers=f:third, f:word";
        return Stream.of(
                Arguments.of("pair", 1, false, "strict", List.of(pair)),
                Arguments.of("pair, client time", 3, true, "strict", List.of(pair)),
                Arguments.of("covering", 1, false, "strict", List.of(covering)),
                Arguments.of("covering, client time", 2, true, "strict", List.of(covering)),
                Arguments.of("turned and several", 1, false, "lazy", List.of(turned, several)),
                Arguments.of("sync", 2, true, "strict", List.of(pair + "; mode=sync", several + "; mode=sync")),
                Arguments.of("async", 1, false, "strict", List.of(pair + "; mode=async", covering + "; mode=async")),
                Arguments.of("immutable", 1, true, "strict", List.of(pair + "; mode=immutable", covering)),
                Arguments.of("forgetful", 3, true, "strict pipelined forgetful", List.of(pair, several)),
                Arguments.of("isolated", 2, true, "lazy isolated", List.of(pair, "columns=f:other:utf8")),
                Arguments.of("all", 1, true, "strict", List.of(pair, covering, turned, several)));
    }

    /** Several indexes on one table, most of them over several columns. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("severalIndexes")
    void allIndexesSayWhatTheTableSays(
            String label, int familyVersions, boolean clientTime, String repair, List<String> definitions)
            throws Exception {
        RandomGenerator random = Seeds.random(label);
        try (var words = IndexedWords.create(
                cluster, "mode=deferred", family -> family.setMaxVersions(familyVersions), table -> {
                    repaired(table, repair);
                    for (int i = 0; i < definitions.size(); i++) {
                        table.setValue("hindex.index.x" + i, definitions.get(i) + "; state=active");
                    }
                    return table;
                })) {
            var history = new History(words, random, clientTime, repair);
            for (int round = 0; round < ROUNDS; round++) {
                for (int step = 0; step < STEPS; step++) {
                    history.step();
                }
                history.checkAll(false);
                history.settle();
                history.checkAll(true);
            }
        }
    }

    private interface Check<T> {
        void run(T expected) throws Exception;
    }

    private final class History {

        private final IndexedWords words;
        private final RandomGenerator random;
        private final boolean clientTime;
        private final boolean isForgetful;
        private final List<String> log = new ArrayList<>();
        private int loaded;

        History(IndexedWords words, RandomGenerator random, boolean clientTime, String repair) {
            this.words = words;
            this.random = random;
            this.clientTime = clientTime;
            this.isForgetful = repair.contains("forgetful");
        }

        String log() {
            return String.join("\n", log.subList(Math.max(0, log.size() - 300), log.size()));
        }

        void step() throws Exception {
            int kind = random.nextInt(100);
            if (kind < 40) {
                put();
            } else if (kind < 50) {
                batch();
            } else if (kind < 64) {
                delete();
            } else if (kind < 76) {
                conditional();
            } else if (kind < 78) {
                load();
            } else if (kind < 86) {
                note("flush");
                words.flush();
            } else if (kind < 90) {
                note("minor compaction");
                words.compact(false);
            } else if (kind < 93) {
                note("major compaction");
                words.compact(true);
            } else {
                reshape();
            }
        }

        private void note(String step) {
            log.add(step);
        }

        private byte[] row() {
            return bytes("r" + (char) ('a' + random.nextInt(ROWS)));
        }

        private byte[] value() {
            return bytes("w" + random.nextInt(WORDS));
        }

        private long time() {
            return 1_000L + random.nextInt(30);
        }

        private Put somePut(byte[] row) {
            Put put = new Put(row);
            int columns = random.nextInt(8);
            if (columns > 1) {
                add(put, IndexedWords.WORD);
            }
            if (columns < 4) {
                add(put, IndexedWords.OTHER);
            }
            if (columns % 4 == 0) {
                add(put, THIRD);
            }
            return put;
        }

        private void add(Put put, byte[] column) {
            byte[] value = value();
            String cell = Bytes.toString(put.getRow()) + " " + Bytes.toString(column) + "=" + Bytes.toString(value);
            if (clientTime && random.nextInt(2) == 0) {
                long time = time();
                note("put " + cell + "@" + time);
                put.addColumn(IndexedWords.FAMILY, column, time, value);
            } else {
                note("put " + cell);
                put.addColumn(IndexedWords.FAMILY, column, value);
            }
        }

        private void put() throws IOException {
            words.table().put(somePut(row()));
        }

        private void batch() throws IOException {
            var puts = new ArrayList<Put>();
            for (int i = 0; i < 8; i++) {
                puts.add(somePut(row()));
            }
            words.table().put(puts);
        }

        private void delete() throws IOException {
            byte[] row = row();
            Delete delete = new Delete(row);
            int kind = random.nextInt(clientTime ? 8 : 4);
            byte[] column = random.nextBoolean() ? IndexedWords.WORD : IndexedWords.OTHER;
            long time = time();
            note("delete " + kind + " of " + Bytes.toString(row) + " " + Bytes.toString(column) + "@" + time);
            switch (kind) {
                case 0 -> {}
                case 1 -> delete.addColumns(IndexedWords.FAMILY, column);
                case 2 -> delete.addColumn(IndexedWords.FAMILY, column);
                case 3 -> delete.addFamily(IndexedWords.FAMILY);
                case 4 -> delete.addColumns(IndexedWords.FAMILY, column, time);
                case 5 -> delete.addColumn(IndexedWords.FAMILY, column, time);
                case 6 -> delete.addFamily(IndexedWords.FAMILY, time);
                default -> delete.addFamilyVersion(IndexedWords.FAMILY, time);
            }
            words.table().delete(delete);
        }

        private void conditional() throws IOException {
            byte[] row = row();
            switch (random.nextInt(4)) {
                case 0 -> {
                    note("check and");
                    words.table()
                            .checkAndMutate(CheckAndMutate.newBuilder(row)
                                    .ifEquals(IndexedWords.FAMILY, IndexedWords.WORD, value())
                                    .build(somePut(row)));
                }
                case 1 -> {
                    note("append to " + Bytes.toString(row));
                    // Long words would never meet again: appended to when short only.
                    byte[] before = words.table()
                            .get(new Get(row).addColumn(IndexedWords.FAMILY, IndexedWords.WORD))
                            .value();
                    if (before == null || before.length < 4) {
                        words.table()
                                .append(new Append(row).addColumn(IndexedWords.FAMILY, IndexedWords.WORD, bytes("x")));
                    }
                }
                case 2 -> {
                    note("increment of " + Bytes.toString(row));
                    byte[] column = random.nextBoolean() ? IndexedWords.WORD : COUNT;
                    byte[] before = words.table()
                            .get(new Get(row).addColumn(IndexedWords.FAMILY, column))
                            .value();
                    // HBase increments what has eight bytes, and what is not there.
                    if (before == null || before.length == Long.BYTES) {
                        words.table()
                                .increment(new Increment(row)
                                        .addColumn(IndexedWords.FAMILY, column, 1 + random.nextInt(2)));
                    }
                }
                default -> {
                    note("row mutations of " + Bytes.toString(row));
                    words.table()
                            .mutateRow(RowMutations.of(List.of(
                                    new Delete(row).addColumns(IndexedWords.FAMILY, IndexedWords.OTHER),
                                    new Put(row).addColumn(IndexedWords.FAMILY, IndexedWords.WORD, value()))));
                }
            }
        }

        /** Of a few rows; no cell has the time of another, which the one or the other would hide. */
        private void load() throws IOException {
            var rows = new TreeMap<byte[], List<KeyValue>>(Bytes.BYTES_COMPARATOR);
            for (int i = 0; i < 3; i++) {
                byte[] row = row();
                byte[] column = random.nextBoolean() ? IndexedWords.WORD : IndexedWords.OTHER;
                byte[] value = value();
                long time = LOADED + loaded++;
                note("load " + Bytes.toString(row) + " " + Bytes.toString(column) + "=" + Bytes.toString(value) + "@"
                        + time);
                rows.computeIfAbsent(row, none -> new ArrayList<>())
                        .add(new KeyValue(row, IndexedWords.FAMILY, column, time, value));
            }
            LoadedCells.load(
                    cluster,
                    directory,
                    words.name(),
                    List.of(rows.values().stream().flatMap(List::stream).toList()));
        }

        private void reshape() throws Exception {
            try (Admin admin = cluster.connection().getAdmin()) {
                List<HRegion> regions = words.regions();
                HRegion any = regions.get(random.nextInt(regions.size()));
                switch (random.nextInt(5)) {
                    case 0 -> {
                        if (regions.size() < 3 && any.checkSplit(true).isPresent()) {
                            note("split");
                            var daughters = admin.splitRegionAsync(
                                    any.getRegionInfo().getRegionName(),
                                    any.checkSplit(true).get());
                            daughters.get();
                            cluster.forgetRegions();
                        }
                    }
                    case 1 -> {
                        if (regions.size() > 1 && regions.stream().noneMatch(HRegion::hasReferences)) {
                            note("merge");
                            admin.mergeRegionsAsync(
                                            new byte[][] {
                                                regions.get(0).getRegionInfo().getRegionName(),
                                                regions.get(1).getRegionInfo().getRegionName()
                                            },
                                            false)
                                    .get();
                            cluster.forgetRegions();
                        }
                    }
                    case 2 -> {
                        note("move");
                        admin.move(any.getRegionInfo().getEncodedNameAsBytes());
                    }
                    case 3 -> splitIndex(admin);
                    default -> {
                        HRegion entries = anyOfIndexes();
                        note("move of " + entries.getRegionInfo().getTable());
                        admin.move(entries.getRegionInfo().getEncodedNameAsBytes());
                    }
                }
            }
        }

        private HRegion anyOfIndexes() {
            List<IndexPlan> indexes = words.indexes();
            List<HRegion> regions =
                    cluster.regions(indexes.get(random.nextInt(indexes.size())).table());
            return regions.get(random.nextInt(regions.size()));
        }

        private void splitIndex(Admin admin) throws Exception {
            HRegion entries = anyOfIndexes();
            int regions = cluster.regions(entries.getRegionInfo().getTable()).size();
            entries.flush(true);
            if (regions < 4 && entries.checkSplit(true).isPresent()) {
                note("split of " + entries.getRegionInfo().getTable());
                admin.splitRegionAsync(
                                entries.getRegionInfo().getRegionName(),
                                entries.checkSplit(true).get())
                        .get();
                cluster.forgetRegions();
            }
        }

        void checkAll(boolean exactly) throws Exception {
            words.awaitEntries();
            for (IndexPlan index : words.indexes()) {
                whileItStays(() -> words.fresh(index), fresh -> {
                    Set<String> stored = words.stored(index);
                    if (exactly && index.isRepaired()) {
                        assertThat(stored).as("%s%n%s", index, log()).isEqualTo(fresh);
                    } else {
                        assertThat(stored).as("%s%n%s", index, log()).containsAll(fresh);
                    }
                });
            }
            whileItStays(this::table, table -> assertThat(index()).as(log()).isEqualTo(table));
        }

        /**
         * Servers compact by themselves, which changes what a table shows: a delete that is purged uncovers what was written
         * behind it. So a check counts if the table shows the same before and after.
         */
        private <T> void whileItStays(Callable<T> table, Check<T> check) throws Exception {
            T after = table.call();
            for (int attempt = 0; attempt < 20; attempt++) {
                T before = after;
                AssertionError failure = null;
                try {
                    check.run(before);
                } catch (AssertionError e) {
                    failure = e;
                }
                after = table.call();
                if (after.equals(before)) {
                    if (failure != null) {
                        throw failure;
                    }
                    return;
                }
            }
            throw new AssertionError("the table does not stay as it is\n" + log());
        }

        void settle() throws Exception {
            note("settle");
            words.flush();
            words.compactAll();
            // Of a lazy index, the first drops nothing; of a region that was split, the first reads half a file.
            words.compactAll();
            words.awaitFailed();
            words.awaitLeftBehind();
            if (isForgetful) {
                // What came back and is not remembered is looked for in the index.
                words.awaitSwept();
                words.awaitFailed();
            }
        }

        /** Every way to read says what the table says. */
        void assertReads() throws Exception {
            whileItStays(this::table, expected -> {
                assertThat(index()).as(log()).isEqualTo(expected);
                assertThat(words.found(Condition.isPresent()))
                        .as("range\n" + log())
                        .isEqualTo(expected);
                var all = new ArrayList<Object>(words.allWords());
                assertThat(words.found(Condition.in(all))).as("list\n" + log()).isEqualTo(expected);
                for (String word : words.allWords()) {
                    assertThat(words.scanned(word))
                            .as("scan for " + word + "\n" + log())
                            .isEqualTo(words.newest(word));
                }
            });
        }

        /** Rows by word, by the index. */
        Map<String, List<String>> index() throws IOException {
            var rows = new TreeMap<String, List<String>>();
            for (String word : words.allWords()) {
                rows.put(word, words.rows(word).stream().sorted().toList());
            }
            rows.values().removeIf(List::isEmpty);
            return rows;
        }

        /** Rows by word, by the table. */
        Map<String, List<String>> table() throws IOException {
            var rows = new TreeMap<String, List<String>>();
            for (String entry : words.visible()) {
                String word = entry.substring(0, entry.indexOf('/'));
                String row = entry.substring(entry.indexOf('/') + 1, entry.indexOf('@'));
                List<String> of = rows.computeIfAbsent(word, none -> new ArrayList<>());
                if (!of.contains(row)) {
                    of.add(row);
                }
            }
            rows.values().forEach(list -> list.sort(null));
            return rows;
        }
    }
}
