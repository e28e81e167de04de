package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.WORD;
import static io.leeway.hindex.IndexedWords.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes are acknowledged while the table of the entries is out of order; the entries follow. */
class AsyncIndexTest {

    private final HBaseCluster cluster = TestClusters.light(2);
    private IndexedWords words;

    @BeforeEach
    void createTable() throws Exception {
        words = create("20000");
    }

    @AfterEach
    void dropTable() {
        words.close();
    }

    private IndexedWords create(String queue) throws Exception {
        IndexedWords created = IndexedWords.create(
                cluster,
                "mode=async",
                family -> family,
                // Longer than the index takes when it is there; it is waited for in vain but a few times.
                table -> table.setValue("hindex.write.timeout", "3s")
                        .setValue("hindex.failed.delay", "10ms")
                        .setValue("hindex.async.queue", queue));
        created.awaitEntries();
        return created;
    }

    private interface Step {
        void run() throws Exception;
    }

    private void whileEntriesCannotBeWritten(IndexedWords of, Step step) throws Exception {
        try (var admin = cluster.connection().getAdmin()) {
            admin.disableTable(of.indexTable());
            try {
                step.run();
            } finally {
                admin.enableTable(of.indexTable());
            }
        }
    }

    @Test
    void entriesFollowTheirWrites() throws Exception {
        whileEntriesCannotBeWritten(words, () -> {
            words.put("r1", "apple");
            words.put("r2", "pear");
            words.put("r2", "plum");
        });
        words.awaitEntries();

        assertThat(words.entries()).containsExactly("apple/r1", "pear/r2", "plum/r2");
        assertThat(words.rows("apple")).containsExactly("r1");
        words.flushAndCompact();
        assertThat(words.entries()).containsExactly("apple/r1", "plum/r2");
    }

    @Test
    void verificationWaitsForEntriesThatFollow() throws Exception {
        whileEntriesCannotBeWritten(words, () -> {
            words.put("r1", "apple");
            words.put("r2", "pear");
        });

        VerifyReport report = HindexAdmin.of(cluster.connection())
                .verify(words.name(), IndexedWords.INDEX, VerifyMethod.HASH, Long.MAX_VALUE);
        assertThat(report.rows()).isEqualTo(2);
        assertThat(report.missing()).isZero();
        assertThat(words.entries()).containsExactly("apple/r1", "pear/r2");
    }

    /** What is not owed to the queue has its entry first, or fails. */
    @Test
    void whatMayNotFollowWaits() throws Exception {
        whileEntriesCannotBeWritten(words, () -> {
            try (Table impatient = impatient(words)) {
                assertThatThrownBy(() -> impatient.put(IndexedWords.word("r1", "apple", 5)))
                        .isInstanceOf(IOException.class);
                assertThatThrownBy(
                                () -> impatient.append(new Append(bytes("r2")).addColumn(FAMILY, WORD, bytes("pear"))))
                        .isInstanceOf(IOException.class);
            }
        });

        // A call that the client has given up may yet succeed.
        List<String> visible = words.visible();
        assertThat(words.entriesWithTime()).containsAll(visible);
    }

    @Test
    void aWriteThatFindsNoPlaceWaitsForItsEntry() throws Exception {
        try (IndexedWords narrow = create("2")) {
            whileEntriesCannotBeWritten(narrow, () -> {
                narrow.put("r1", "apple");
                narrow.put("r2", "pear");
                try (Table impatient = impatient(narrow)) {
                    assertThatThrownBy(() -> impatient.put(IndexedWords.word("r3", "plum")))
                            .isInstanceOf(IOException.class);
                }
            });
            narrow.awaitEntries();

            assertThat(narrow.rows("apple")).containsExactly("r1");
            assertThat(narrow.rows("pear")).containsExactly("r2");
            narrow.put("r3", "plum");
            narrow.awaitEntries();
            assertThat(narrow.rows("plum")).containsExactly("r3");
        }
    }

    private Table impatient(IndexedWords of) {
        return cluster.connection()
                .getTableBuilder(of.name(), null)
                .setOperationTimeout(2_500)
                .build();
    }

    @Test
    void aMovedRegionWritesWhatItsEarlierLifeLeft() throws Exception {
        whileEntriesCannotBeWritten(words, () -> {
            words.put("r1", "apple");
            words.put("r2", "pear");
            words.put("r1", "plum");
            try (var admin = cluster.connection().getAdmin()) {
                admin.move(words.regions().get(0).getRegionInfo().getEncodedNameAsBytes());
            }
        });
        words.awaitEntries();

        assertThat(words.rows("plum")).containsExactly("r1");
        assertThat(words.rows("pear")).containsExactly("r2");
        words.flushAndCompact();
        assertThat(words.entriesWithTime()).containsExactlyInAnyOrderElementsOf(words.visible());
    }

    @Test
    void daughtersOfASplitWriteWhatTheirParentLeft() throws Exception {
        whileEntriesCannotBeWritten(words, () -> {
            words.put("ra", "apple");
            words.put("rz", "pear");
            try (var admin = cluster.connection().getAdmin()) {
                admin.splitRegionAsync(words.regions().get(0).getRegionInfo().getRegionName(), bytes("rm"))
                        .get();
            }
        });
        words.awaitEntries();

        assertThat(words.regions()).hasSize(2);
        assertThat(words.rows("apple")).containsExactly("ra");
        assertThat(words.rows("pear")).containsExactly("rz");
    }

    @Test
    void aChangeOfTheModeLosesNothing() throws Exception {
        whileEntriesCannotBeWritten(words, () -> {
            words.put("r1", "apple");
            change("deferred");
        });
        words.awaitEntries();
        assertThat(words.rows("apple")).containsExactly("r1");
        for (String mode : new String[] {"sync", "async", "immutable", "async", "deferred"}) {
            change(mode);
            words.put("r1", mode);
            words.awaitEntries();
            assertThat(words.rows(mode)).containsExactly("r1");
        }
    }

    private void change(String mode) throws IOException {
        try (var admin = cluster.connection().getAdmin()) {
            admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(words.name()))
                    .setValue(
                            IndexDefinition.ATTRIBUTE_PREFIX + IndexedWords.INDEX,
                            "columns=f:word:utf8; state=active; mode=" + mode)
                    .build());
        }
    }

    /** Else the entry would come after its removal, and stay. */
    @Test
    void aCompactionWaitsForTheEntriesOfWhatItDrops() throws Exception {
        whileEntriesCannotBeWritten(words, () -> {
            words.put("r1", "apple");
            words.put("r1", "pear");
            words.flush();
            words.put("r1", "plum");
            words.flush();
            assertThatThrownBy(() -> words.compact(true)).isInstanceOf(IOException.class);
        });
        words.awaitEntries();
        words.compact(true);

        assertThat(words.entries()).containsExactly("plum/r1");
    }

    @Test
    void anImmutableIndexKeepsWhatIsOverwrittenAndAnswersRight() throws Exception {
        change("immutable");
        words.put("r1", "apple");
        words.put("r2", "pear");
        words.put("r2", "plum");
        // A put that took too long was repeated, and has left the entry of its first attempt.
        words.awaitFailed();
        words.flushAndCompact();

        assertThat(words.entries()).containsExactly("apple/r1", "pear/r2", "plum/r2");
        assertThat(words.allFound()).containsExactlyInAnyOrderElementsOf(words.visible());
        assertThat(words.baseReads()).isZero();
        assertThat(words.cells()).isEqualTo(2);
    }
}
