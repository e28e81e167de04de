package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.OTHER;
import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.hindex.internal.metrics.Metrics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Repair in a thread of its own, after compactions that remove nothing. */
class IsolatedRepairTest extends RepairContract {

    @TempDir
    Path directory;

    @Override
    String variant() {
        return "isolated";
    }

    @Override
    boolean compactionsWait() {
        return false;
    }

    @Override
    long cellsReadOf(long stored) {
        return stored;
    }

    @Test
    void theCompactionDoesNotNeedTheIndexAndTheRepairIsTriedUntilItSucceeds() throws Exception {
        IndexedWords words = impatientWithGarbage();
        repairWhenTheIndexIsBack(words, () -> {});

        assertThat(words.entries()).containsExactly("pear/r1");
        assertThat(cellsReadByTheRepairAfterTheNextCompaction(words)).isPositive();
    }

    /** Loaded cells may have any sequence id, so that the repair cannot say what it has seen. */
    @Test
    void aRepairThatALoadCameBeforeIsNotTakenForComplete() throws Exception {
        IndexedWords words = impatientWithGarbage();
        repairWhenTheIndexIsBack(words, () -> {
            // Needs no entry, and is newer than all that is to be repaired, which alone would hide nothing.
            long now = System.currentTimeMillis();
            BulkLoadTest.load(directory, words, new KeyValue(bytes("r2"), FAMILY, OTHER, now, bytes("apple")));
        });
        assertThat(words.entries()).containsExactly("pear/r1");

        // It repairs itself, and what it has repaired is known again.
        assertThat(cellsReadByTheRepairAfterTheNextCompaction(words)).isZero();
        assertThat(cellsReadByTheRepairAfterTheNextCompaction(words)).isPositive();
    }

    /** A version that the family keeps needs no removal to succeed, but a repair in vain is none. */
    @Test
    void aRemovalThatFailsIsNotTakenForDoneWhereTheFamilyKeepsTheVersion() throws Exception {
        IndexedWords words = words(
                "mode=deferred",
                family -> family.setMaxVersions(3),
                table -> table.setValue("hindex.write.timeout", "2s").setValue("hindex.failed.delay", "10ms"));
        words.put("r1", "apple");
        words.flush();
        words.put("r1", "pear");
        // A put that took too long was repeated, and has left the entry of its first attempt.
        words.awaitFailed();
        words.flush();
        try (var admin = cluster().connection().getAdmin()) {
            admin.disableTable(words.indexTable());
            words.compact(true);
            admin.enableTable(words.indexTable());
        }
        assertThat(words.entries()).containsExactly("apple/r1", "pear/r1");

        words.put("r2", "plum");
        words.awaitFailed();
        words.flushAndCompact();

        assertThat(words.entries()).containsExactlyInAnyOrder("pear/r1", "plum/r2");
    }

    private long cellsReadByTheRepairAfterTheNextCompaction(IndexedWords words) throws Exception {
        words.put("r1", "cherry");
        words.put("r1", "plum");
        words.awaitFailed();
        words.flush();
        long read = count(words, Metrics.Count.REPAIR_CELLS);
        words.compact(true);
        assertThat(words.entries()).containsExactly("plum/r1");
        return count(words, Metrics.Count.REPAIR_CELLS) - read;
    }

    private IndexedWords impatientWithGarbage() throws Exception {
        IndexedWords words = impatient("strict");
        words.put("r1", "apple");
        words.flush();
        words.put("r1", "pear");
        words.awaitFailed();
        words.flush();
        return words;
    }

    private interface Meanwhile {
        void run() throws Exception;
    }

    /** Compacts while the index is away. */
    private void repairWhenTheIndexIsBack(IndexedWords words, Meanwhile meanwhile) throws Exception {
        HRegion region = words.regions().get(0);
        long retries = count(words, Metrics.Count.REPAIR_RETRIES);
        try (var admin = cluster().connection().getAdmin()) {
            admin.disableTable(words.indexTable());
            region.compact(true);
            assertThat(region.getStore(FAMILY).getStorefilesCount()).isEqualTo(1);
            await().atMost(Duration.ofMinutes(2)).until(() -> count(words, Metrics.Count.REPAIR_RETRIES) > retries);
            meanwhile.run();
            admin.enableTable(words.indexTable());
        }
        words.awaitRepairs();
    }

    @Test
    void versionsStayUntilTheirEntriesAreGone() throws IOException {
        IndexedWords words = words();
        for (int i = 0; i < 5; i++) {
            words.put("r1", "w" + i);
        }
        words.put("r2", "plum");
        words.delete("r2");
        words.flushAndCompact();
        assertThat(words.entries()).containsExactly("w4/r1");
        assertThat(words.cells()).isEqualTo(7);

        words.put("r3", "pear");
        words.flushAndCompact();

        assertThat(words.entries()).containsExactly("pear/r3", "w4/r1");
        assertThat(words.cells()).isEqualTo(2);
    }

    @Test
    void aCompactionThatFindsNothingIsNotFollowedByARepair() throws IOException {
        IndexedWords words = words();
        words.put("r1", "apple");
        words.flush();
        words.put("r2", "pear");
        words.flush();
        long read = count(words, Metrics.Count.REPAIR_CELLS);

        words.compact(true);

        assertThat(count(words, Metrics.Count.REPAIR_CELLS) - read).isZero();
    }

    /** A region that is opened anew does not know what was repaired. */
    @Test
    void anotherLifeOfTheRegionBeginsAnew() throws Exception {
        IndexedWords words = words();
        words.put("r1", "apple");
        words.put("r1", "pear");
        words.flushAndCompact();
        try (var admin = cluster().connection().getAdmin()) {
            admin.disableTable(words.name());
            admin.enableTable(words.name());
        }
        words.put("r1", "plum");
        words.flushAndCompact();
        assertThat(words.entries()).containsExactly("plum/r1");
        words.compact(true);

        assertThat(words.entries()).containsExactly("plum/r1");
        assertThat(words.cells()).isEqualTo(1);
    }
}
