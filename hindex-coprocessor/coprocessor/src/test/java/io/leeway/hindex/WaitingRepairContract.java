package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Variants of repair in which a compaction waits for its removals. */
abstract class WaitingRepairContract extends RepairContract {

    @Override
    boolean compactionsWait() {
        return true;
    }

    @Nested
    class H11ARemovalFails {

        @Test
        void aStrictCompactionFailsAndTheNextOneRepairs() throws Exception {
            IndexedWords words = impatient("strict");
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
            IndexedWords words = impatient("lazy");
            garbageWhoseRemovalFails(words, () -> {
                words.compact(true);
                return null;
            });
            assertThat(words.entries()).containsExactly("apple/r1", "pear/r1");
            words.put("r2", "plum");
            words.awaitFailed();
            words.flushAndCompact();

            assertThat(words.entries()).containsExactlyInAnyOrder("pear/r1", "plum/r2");
        }

        private void garbageWhoseRemovalFails(IndexedWords words, Callable<?> meanwhile) throws Exception {
            words.put("r1", "apple");
            words.flush();
            words.put("r1", "pear");
            // A put that took too long was repeated, and has left the entry of its first attempt.
            words.awaitFailed();
            words.flush();
            try (var admin = cluster().connection().getAdmin()) {
                admin.disableTable(words.indexTable());
                try {
                    meanwhile.call();
                } finally {
                    admin.enableTable(words.indexTable());
                }
            }
        }
    }
}
