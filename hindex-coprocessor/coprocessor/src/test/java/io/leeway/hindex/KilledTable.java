package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.OTHER;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static io.leeway.hindex.IndexedWords.text;
import static io.leeway.hindex.KnownRow.NONE;
import static io.leeway.hindex.KnownRow.UNTOUCHED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.KnownRow.Content;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.testkit.hbase.RunningHBase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A table with an index over a word and one over a word and another column, whose servers are killed, and what its clients
 * know of it. Each client writes rows of its own, one write after the other; one of them also loads files, and one does not wait
 * for the log, or does without it: its rows fall back when a server is killed, and the indexes with them.
 */
final class KilledTable {

    /** Those that write only; behind them comes the one that loads, too. */
    static final int WRITERS = 2;

    static final String BOTH = "both";

    private static final int HASTY = WRITERS + 1;
    private static final String LAST = "last";
    private static final byte[] LAST_COLUMN = bytes("last");

    private static final int ROWS_EACH = 30;
    private static final int WORDS = 10;
    private static final int OTHERS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final List<Durability> DURABILITIES =
            List.of(Durability.SKIP_WAL, Durability.SKIP_WAL, Durability.ASYNC_WAL, Durability.USE_DEFAULT);

    private final RunningHBase cluster;
    private final IndexedWords words;
    private final IndexMode mode;
    private final Map<String, KnownRow> rows = new LinkedHashMap<>();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();
    private volatile String lastFailure = "nothing";
    private final AtomicLong lookUps = new AtomicLong();
    private final AtomicLong loads = new AtomicLong();
    private final AtomicLong unknownLoads = new AtomicLong();
    private final KilledLoads files;
    private volatile boolean isLoading;

    private KilledTable(RunningHBase cluster, Path directory, IndexedWords words, IndexMode mode) {
        this.cluster = cluster;
        this.words = words;
        this.mode = mode;
        this.files = new KilledLoads(cluster, directory, words.name());
        for (int writer = 0; writer <= WRITERS; writer++) {
            for (int row = 0; row < ROWS_EACH; row++) {
                rows.put(row(writer, row), new KnownRow());
            }
        }
        for (int row = 0; row < ROWS_EACH; row++) {
            rows.put(row(HASTY, row), new KnownRow(true));
        }
    }

    /** With a directory for files to be loaded. */
    static KilledTable create(RunningHBase cluster, Path directory, IndexMode mode) throws IOException {
        String settings = "mode=" + mode.name().toLowerCase(Locale.ROOT);
        IndexedWords words = IndexedWords.create(
                cluster,
                settings,
                family -> family,
                table -> table.setValue(
                                IndexDefinition.ATTRIBUTE_PREFIX + BOTH,
                                "columns=f:word:utf8, f:other:utf8; state=active; " + settings)
                        // Writes of this column alone may do without the log.
                        .setValue(
                                IndexDefinition.ATTRIBUTE_PREFIX + LAST,
                                "columns=f:last:utf8; state=active; " + settings));
        return new KilledTable(cluster, directory, words, mode);
    }

    IndexMode mode() {
        return mode;
    }

    TableName name() {
        return words.name();
    }

    IndexedWords words() {
        return words;
    }

    /** The table and those of its indexes. */
    List<TableName> tables() {
        var tables = new ArrayList<>(List.of(words.name()));
        words.indexes().forEach(index -> tables.add(index.table()));
        return tables;
    }

    long acknowledged() {
        return acknowledged.get();
    }

    /** Whether files are on their way. */
    boolean isLoading() {
        return isLoading;
    }

    /** How many loads of files were acknowledged. */
    long loads() {
        return loads.get();
    }

    String progress() {
        return mode + ": " + acknowledged + " writes acknowledged, " + unknown + " of unknown outcome, " + loads
                + " loads acknowledged, " + unknownLoads + " of unknown outcome, " + lookUps + " look-ups";
    }

    private static String row(int writer, int row) {
        return "r" + row + "-" + writer;
    }

    private KnownRow known(String row) {
        KnownRow known = rows.get(row);
        if (known == null) {
            throw new AssertionError("nobody wrote the row " + row);
        }
        return known;
    }

    /** Clients share no table. */
    Table connect() throws IOException {
        return words.connect();
    }

    /** Writes one row or several at once. */
    void write(Table table, int writer, RandomGenerator random) {
        var writes = new TreeMap<String, Content>();
        int size = random.nextInt(4) == 0 ? 2 + random.nextInt(4) : 1;
        for (int i = 0; i < size; i++) {
            writes.put(row(writer, random.nextInt(ROWS_EACH)), content(random));
        }
        writes.keySet().forEach(row -> known(row).begin());
        var results = new Object[writes.size()];
        try {
            if (writes.size() == 1) {
                Mutation mutation = mutations(writes).get(0);
                if (mutation instanceof Put put) {
                    table.put(put);
                } else {
                    table.delete((Delete) mutation);
                }
                results[0] = Result.EMPTY_RESULT;
            } else {
                table.batch(mutations(writes), results);
            }
        } catch (IOException e) {
            // What is told of each row counts.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        int at = 0;
        for (Map.Entry<String, Content> write : writes.entrySet()) {
            if (results[at++] instanceof Result) {
                known(write.getKey()).acknowledged(write.getValue());
                acknowledged.incrementAndGet();
            } else {
                lastFailure = String.valueOf(results[at - 1]);
                known(write.getKey()).unknown(write.getValue());
                unknown.incrementAndGet();
            }
        }
    }

    /** Writes rows that may fall back to what they had before. */
    void writeHastily(Table table, RandomGenerator random) {
        var puts = new ArrayList<Put>();
        int size = 1 + random.nextInt(4);
        for (int i = 0; i < size; i++) {
            byte[] row = bytes(row(HASTY, random.nextInt(ROWS_EACH)));
            Put put = new Put(row).setDurability(DURABILITIES.get(random.nextInt(DURABILITIES.size())));
            if (random.nextBoolean()) {
                put.addColumn(FAMILY, LAST_COLUMN, bytes("l" + random.nextInt(WORDS)));
            } else if (random.nextBoolean()) {
                put.addColumn(FAMILY, WORD, bytes("w" + random.nextInt(WORDS)));
            } else {
                put.addColumn(FAMILY, OTHER, bytes("o" + random.nextInt(OTHERS)));
            }
            puts.add(put);
        }
        try {
            table.put(puts);
        } catch (IOException e) {
            // All the same to these rows.
        }
    }

    /** Why a write was not acknowledged, the last time; for people who look for a fault. */
    String lastFailure() {
        return lastFailure;
    }

    /** Loads some rows in one file, or their words in one and the others in another; they were never written by others. */
    void load(RandomGenerator random) {
        var writes = new TreeMap<String, Content>();
        int size = 1 + random.nextInt(ROWS_EACH);
        for (int i = 0; i < size; i++) {
            writes.put(row(WRITERS, random.nextInt(ROWS_EACH)), content(random));
        }
        writes.keySet().forEach(row -> known(row).begin());
        boolean isAcknowledged = false;
        isLoading = true;
        try {
            files.load(writes, random.nextBoolean());
            isAcknowledged = true;
        } catch (IOException e) {
            lastFailure = "load: " + e;
            // It may be there in whole or in part, or may yet come.
        } finally {
            isLoading = false;
        }
        for (Map.Entry<String, Content> write : writes.entrySet()) {
            if (isAcknowledged) {
                known(write.getKey()).acknowledged(write.getValue());
            } else {
                known(write.getKey()).unknown(write.getValue());
            }
        }
        (isAcknowledged ? loads : unknownLoads).incrementAndGet();
    }

    private static Content content(RandomGenerator random) {
        String word = "w" + random.nextInt(WORDS);
        String other = "o" + random.nextInt(OTHERS);
        return switch (random.nextInt(10)) {
            case 0 -> new Content(NONE, NONE);
            case 1 -> new Content(NONE, UNTOUCHED);
            case 2, 3 -> new Content(UNTOUCHED, other);
            case 4, 5, 6 -> new Content(word, UNTOUCHED);
            default -> new Content(word, other);
        };
    }

    private static List<Mutation> mutations(Map<String, Content> writes) {
        var mutations = new ArrayList<Mutation>();
        writes.forEach((row, content) -> mutations.add(mutation(bytes(row), content)));
        return mutations;
    }

    private static Mutation mutation(byte[] row, Content content) {
        if (content.equals(Content.EMPTY)) {
            return new Delete(row);
        }
        if (content.word().equals(NONE)) {
            return new Delete(row).addColumns(FAMILY, WORD);
        }
        var put = new Put(row);
        if (!content.word().equals(UNTOUCHED)) {
            put.addColumn(FAMILY, WORD, bytes(content.word()));
        }
        if (!content.other().equals(UNTOUCHED)) {
            put.addColumn(FAMILY, OTHER, bytes(content.other()));
        }
        return put;
    }

    /** Looks up values: whatever row did not change meanwhile is found exactly by what it holds. */
    void read(RandomGenerator random) {
        String word = "w" + random.nextInt(WORDS);
        String other = random.nextBoolean() ? "o" + random.nextInt(OTHERS) : UNTOUCHED;
        var before = new HashMap<String, Long>();
        rows.forEach((row, known) -> before.put(row, known.certainty()));
        List<String> found;
        try {
            found = other.equals(UNTOUCHED) ? words.rows(word) : rowsWithBoth(word, other);
        } catch (IOException e) {
            // No answer is not a wrong one.
            return;
        }
        found.forEach(this::known);
        rows.forEach((row, known) -> {
            Content has = known.content();
            if (before.get(row) >= 0 && before.get(row) == known.certainty()) {
                boolean fits = has.word().equals(word)
                        && (other.equals(UNTOUCHED) || has.other().equals(other));
                boolean mayFollow = mode == IndexMode.ASYNC && fits;
                assertThat(found.contains(row) || mayFollow)
                        .as("%s: row %s, which has %s, is found by %s and %s", mode, row, known, word, other)
                        .isEqualTo(fits);
            }
        });
        lookUps.incrementAndGet();
    }

    private List<String> rowsWithBoth(String word, String other) throws IOException {
        IndexedTable indexed = IndexedTable.open(cluster.connection(), words.name(), BOTH);
        var found = new ArrayList<String>();
        try (IndexedRows hits = indexed.query(IndexQuery.where(Condition.is(word), Condition.is(other)))) {
            for (IndexedRow hit = hits.next(); hit != null; hit = hits.next()) {
                found.add(text(hit.row()));
            }
        }
        return found;
    }

    /** While nobody writes: the table holds what was acknowledged, and each index and each way to read says the same. */
    void check() throws IOException {
        Map<String, Content> table = scan();
        rows.forEach((row, known) -> {
            String expected = known.toString();
            Content found = table.getOrDefault(row, Content.EMPTY);
            assertThat(known.settle(found))
                    .as("%s: row %s has %s; acknowledged was %s", mode, row, found, expected)
                    .isTrue();
        });
        for (IndexPlan index : words.indexes()) {
            if (index.isAsync()) {
                await().atMost(PATIENCE).until(() -> missing(index).isEmpty());
            } else {
                assertThat(missing(index)).as("%s: missing in %s", mode, index).isEmpty();
            }
        }
        var byWord = new TreeMap<String, String>();
        var byBoth = new TreeMap<String, String>();
        table.forEach((row, content) -> {
            if (!content.word().equals(NONE)) {
                byWord.put(row, content.word());
                byBoth.put(row, content.word() + " " + content.other());
            }
        });
        assertThat(found(IndexedWords.INDEX)).as("%s: by one column", mode).isEqualTo(byWord);
        assertThat(found(BOTH)).as("%s: by both columns", mode).isEqualTo(byBoth);
        for (int word = 0; word < WORDS; word++) {
            assertThat(words.scanned("w" + word))
                    .as("%s: by a scan for w%s", mode, word)
                    .containsExactlyInAnyOrderElementsOf(words.newest("w" + word));
        }
    }

    private Set<String> missing(IndexPlan index) throws IOException {
        var missing = new TreeSet<>(words.fresh(index));
        missing.removeAll(words.stored(index));
        return missing;
    }

    private Map<String, Content> scan() throws IOException {
        var content = new TreeMap<String, Content>();
        try (Table table = words.connect();
                ResultScanner scanner = table.getScanner(new Scan().addFamily(FAMILY))) {
            for (Result row : scanner) {
                content.put(
                        text(row.getRow()),
                        new Content(orNone(row.getValue(FAMILY, WORD)), orNone(row.getValue(FAMILY, OTHER))));
            }
        }
        return content;
    }

    private static String orNone(byte @Nullable [] value) {
        return value == null ? NONE : text(value);
    }

    /** What all rows have in the columns of an index, by one query of it. */
    private Map<String, String> found(String index) throws IOException {
        var found = new TreeMap<String, String>();
        IndexedTable indexed = IndexedTable.open(cluster.connection(), words.name(), index);
        try (IndexedRows hits = indexed.query(IndexQuery.where(Condition.isPresent()))) {
            for (IndexedRow hit = hits.next(); hit != null; hit = hits.next()) {
                String values = text(hit.value());
                if (index.equals(BOTH)) {
                    values += " " + orNone(hit.value(ColumnName.of("f", "other")));
                }
                assertThat(found.put(text(hit.row()), values)).as("found twice").isNull();
            }
        }
        return found;
    }

    /**
     * While nobody writes, for the last time: entries without rows, which kills left behind, are found and removed by the
     * regions, and the rest by a compaction.
     */
    void end() throws Exception {
        HindexAdmin indexes = HindexAdmin.of(cluster.connection());
        for (IndexPlan index : words.indexes()) {
            try {
                await("nothing dangling in " + index.name()).atMost(PATIENCE).until(() -> {
                    VerifyReport report = indexes.verify(words.name(), index.name(), VerifyMethod.HASH, Long.MAX_VALUE);
                    System.out.println(mode + " " + report);
                    return report.dangling() == 0;
                });
            } catch (ConditionTimeoutException e) {
                sayWhatIsLeft(index);
                throw e;
            }
            for (VerifyMethod method : VerifyMethod.values()) {
                VerifyReport report = indexes.verify(words.name(), index.name(), method, Long.MAX_VALUE);
                assertThat(report.isSound())
                        .as("%s: %s by %s: %s", mode, index, method, report)
                        .isTrue();
            }
        }
        try (var admin = cluster.connection().getAdmin()) {
            admin.flush(words.name());
            admin.majorCompact(words.name());
        }
        for (IndexPlan index : words.indexes()) {
            await("an exact index after a compaction")
                    .atMost(PATIENCE)
                    .until(() -> words.stored(index).equals(words.fresh(index)));
        }
        check();
    }

    /** For people who look for the fault: entries that nobody needs, and all that the table stores. */
    private void sayWhatIsLeft(IndexPlan index) throws IOException {
        Set<String> left = words.stored(index);
        left.removeAll(words.fresh(index));
        System.out.println(mode + ", left in " + index.name() + ": " + left + "; cells:");
        try (ResultScanner scanner =
                words.table().getScanner(new Scan().setRaw(true).readAllVersions())) {
            for (Result row : scanner) {
                for (Cell cell : row.rawCells()) {
                    System.out.println(cell + " = " + text(CellUtil.cloneValue(cell)));
                }
            }
        }
    }
}
