package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.hbase.TestClusters;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeferredIndexTest {

    private IndexedWords words;

    @BeforeEach
    void createTable() throws IOException {
        words = IndexedWords.create(TestClusters.light(), "mode=deferred");
    }

    @AfterEach
    void dropTable() {
        words.close();
    }

    @Test
    void findsRowsByValue() throws IOException {
        words.put("r1", "apple");
        words.put("r2", "apple");
        words.put("r3", "pear");

        assertThat(words.rows("apple")).containsExactly("r1", "r2");
        assertThat(words.rows("pear")).containsExactly("r3");
        assertThat(words.rows("app")).isEmpty();
    }

    @Test
    void doesNotFindWhatWasOverwrittenOrDeleted() throws IOException {
        words.put("r1", "apple");
        words.put("r1", "pear");
        words.put("r2", "apple");
        words.delete("r2");

        assertThat(words.rows("apple")).isEmpty();
        assertThat(words.rows("pear")).containsExactly("r1");
    }

    @Test
    void keepsObsoleteEntriesUntilACompactionAndNoneAfterIt() throws IOException {
        words.put("r1", "apple");
        words.put("r1", "pear");
        words.put("r2", "plum");
        words.delete("r2");

        assertThat(words.entries()).containsExactly("apple/r1", "pear/r1", "plum/r2");
        words.flushAndCompact();
        assertThat(words.entries()).containsExactly("pear/r1");
        assertThat(words.rows("pear")).containsExactly("r1");
    }

    /** As where no observer of the master was there to refuse it. */
    @Test
    void anOptionThatIsNotAllowedStopsNoWrites() throws IOException {
        try (IndexedWords mistaken = IndexedWords.create(
                TestClusters.light(),
                "mode=deferred",
                family -> family,
                table -> table.setValue("hindex.write.timeout", "5 parsecs").setValue("hindex.writ.timeout", "5s"))) {
            mistaken.put("r1", "apple");
            mistaken.put("r1", "pear");
            mistaken.flushAndCompact();

            assertThat(mistaken.rows("pear")).containsExactly("r1");
            assertThat(mistaken.entries()).containsExactly("pear/r1");
        }
    }
}
