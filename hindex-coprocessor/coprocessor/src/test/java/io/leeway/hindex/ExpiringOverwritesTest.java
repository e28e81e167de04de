package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.bytes;
import static io.leeway.hindex.IndexedWords.word;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.client.Put;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a value with a time to live of its own has overwritten goes from files as it does without an index: once HBase has
 * written them, nothing is there that could come back when the value expires.
 */
class ExpiringOverwritesTest {

    private static final long AN_HOUR = 3_600_000;
    private static final long A_WHILE = 6_000;

    private static IndexedWords create(String mode, String variant) throws IOException {
        return IndexedWords.create(
                TestClusters.light(),
                "mode=" + mode,
                family -> family,
                table -> table.setValue("hindex.repair.variant", variant));
    }

    @ParameterizedTest
    @CsvSource({"deferred, pipelined", "sync, pipelined", "async, pipelined", "deferred, isolated"})
    void aFlushDropsIt(String mode, String variant) throws Exception {
        try (IndexedWords words = create(mode, variant)) {
            words.put("r1", "apple");
            words.table().put(word("r1", "pear").setTTL(AN_HOUR));
            words.table().put(new Put(bytes("r1")).addColumn(IndexedWords.FAMILY, IndexedWords.OTHER, bytes("one")));
            words.table()
                    .put(new Put(bytes("r1"))
                            .addColumn(IndexedWords.FAMILY, IndexedWords.OTHER, bytes("two"))
                            .setTTL(AN_HOUR));
            words.awaitEntries();
            words.flush();
            words.awaitFailed();

            assertThat(words.cells()).isEqualTo(2);
            assertThat(words.entries()).containsExactly("pear/r1");
            assertThat(words.rows("pear")).containsExactly("r1");
        }
    }

    @ParameterizedTest
    @CsvSource({"deferred, pipelined", "sync, pipelined", "deferred, isolated", "deferred, before-compaction"})
    void aCompactionDropsItThoughTheValueExpiresWhileItRuns(String mode, String variant) throws Exception {
        try (IndexedWords words = create(mode, variant)) {
            words.put("r1", "apple");
            words.flush();
            words.table().put(word("r1", "pear").setTTL(AN_HOUR));
            words.flush();
            words.compact(true);
            words.awaitFailed();

            assertThat(words.cells()).isEqualTo(1);
            assertThat(words.entries()).containsExactly("pear/r1");
        }
    }

    /** HBase's flush knows what is in memory, and no more. */
    @Test
    void whatIsInAnotherFileAndWhatTheFamilyKeepsStays() throws Exception {
        try (IndexedWords words = IndexedWords.create(
                TestClusters.light(),
                "mode=deferred; versions=2",
                family -> family.setMaxVersions(2),
                table -> table)) {
            words.put("r1", "plum", 1);
            words.flush();
            words.put("r1", "fig", 2);
            words.put("r1", "apple", 3);
            words.table().put(word("r1", "pear", System.currentTimeMillis()).setTTL(AN_HOUR));
            words.flush();
            words.awaitFailed();

            assertThat(words.cells()).isEqualTo(3);
            assertThat(words.entries()).containsExactlyInAnyOrder("plum/r1", "apple/r1", "pear/r1");
            words.compact(true);
            words.awaitFailed();
            assertThat(words.entries()).containsExactlyInAnyOrder("apple/r1", "pear/r1");
        }
    }

    /**
     * Who gives timestamps himself may overwrite at the same one. HBase shows nobody what is behind, until the value has expired or
     * for ever: the entry stays for the first case, and in the second is nothing but one that no read returns.
     */
    @ParameterizedTest
    @CsvSource({"deferred, pipelined", "sync, pipelined"})
    void whatIsOverwrittenAtItsTimestampKeepsItsEntryAndIsNotFound(String mode, String variant) throws Exception {
        long now = System.currentTimeMillis();
        try (IndexedWords words = create(mode, variant)) {
            words.put("r1", "apple", now);
            words.table().put(word("r1", "pear", now).setTTL(AN_HOUR));

            assertThat(words.entries()).containsExactlyInAnyOrder("apple/r1", "pear/r1");
            assertThat(words.rows("apple")).isEmpty();
            assertThat(words.rows("pear")).containsExactly("r1");
        }
    }

    /** All of them, or the one behind the last would come back. */
    @Test
    void allThatIsBehindTheValueGoes() throws Exception {
        try (IndexedWords words = create("deferred", "pipelined")) {
            words.put("r1", "apple");
            words.put("r1", "pear");
            words.table().put(word("r1", "plum").setTTL(AN_HOUR));
            words.flush();
            words.awaitFailed();

            assertThat(words.cells()).isEqualTo(1);
            assertThat(words.entries()).containsExactly("plum/r1");
        }
    }

    /** What a lasting value has superseded waits for compactions. */
    @Test
    void aFlushKeepsWhatALastingValueSuperseded() throws Exception {
        try (IndexedWords words = create("deferred", "pipelined")) {
            words.put("r1", "apple");
            words.table().put(word("r1", "pear").setTTL(AN_HOUR));
            words.put("r1", "plum");
            words.flush();

            assertThat(words.cells()).isEqualTo(3);
            words.compact(true);
            words.awaitFailed();
            assertThat(words.entries()).containsExactly("plum/r1");
        }
    }

    /** A flush drops the copy that it has, and knows nothing of the one in a file, which is read when the value has expired. */
    @ParameterizedTest
    @CsvSource({"deferred, pipelined", "sync, pipelined", "deferred, isolated"})
    void anEntryStaysWhereAnotherCopyOfTheValueIsReadAgain(String mode, String variant) throws Exception {
        try (IndexedWords words = create(mode, variant)) {
            long now = System.currentTimeMillis();
            words.put("r1", "apple", now - 1_000);
            words.awaitEntries();
            words.flush();
            words.put("r1", "apple", now - 1_000);
            words.table().put(word("r1", "pear", now).setTTL(A_WHILE));
            words.awaitEntries();
            words.flush();
            words.awaitFailed();
            awaitNewest(words, "apple");

            assertThat(words.rows("apple")).containsExactly("r1");
        }
    }

    /** A flush drops what had superseded the value, as HBase does: then it is the value that comes back. */
    @ParameterizedTest
    @CsvSource({"deferred", "sync"})
    void anEntryIsThereAgainWhereWhatSupersededTheValueIsDropped(String mode) throws Exception {
        HindexAdmin indexes = HindexAdmin.of(TestClusters.light().connection());
        try (IndexedWords words = create(mode, "pipelined")) {
            words.put("r1", "apple");
            words.flush();
            words.put("r1", "pear");
            // In either mode the entry of what is superseded is gone.
            indexes.repair(words.name(), IndexedWords.INDEX);
            words.table().put(word("r1", "plum").setTTL(A_WHILE));
            words.flush();
            words.awaitFailed();
            awaitNewest(words, "apple");

            assertThat(words.rows("apple")).containsExactly("r1");
            assertThat(words.entries()).containsExactly("apple/r1");
        }
    }

    /** While nothing is written to a file, what is behind the value comes back: nobody may take its entry for superseded. */
    @ParameterizedTest
    @CsvSource({"deferred", "sync", "async"})
    void aRepairLeavesTheEntryOfWhatComesBack(String mode) throws Exception {
        HindexAdmin indexes = HindexAdmin.of(TestClusters.light().connection());
        try (IndexedWords words = create(mode, "pipelined")) {
            words.put("r1", "apple");
            words.table().put(word("r1", "pear").setTTL(A_WHILE));
            words.awaitEntries();
            VerifyReport report = indexes.repair(words.name(), IndexedWords.INDEX);
            awaitNewest(words, "apple");

            assertThat(words.rows("apple")).containsExactly("r1");
            assertThat(report.isExact()).isTrue();
        }
    }

    /** What a lasting value supersedes as well does not come back. */
    @Test
    void aRepairTakesTheEntryOfWhatALastingValueSuperseded() throws Exception {
        HindexAdmin indexes = HindexAdmin.of(TestClusters.light().connection());
        try (IndexedWords words = create("deferred", "pipelined")) {
            words.put("r1", "apple");
            words.put("r1", "plum");
            words.table().put(word("r1", "pear").setTTL(AN_HOUR));
            indexes.repair(words.name(), IndexedWords.INDEX);

            assertThat(words.entries()).containsExactlyInAnyOrder("plum/r1", "pear/r1");
        }
    }

    private static void awaitNewest(IndexedWords words, String word) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> words.newest(word), List.of("r1")::equals);
    }
}
