package io.leeway.lazytables.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.testkit.Seeds;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntRBTreeSet;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What a journal says of a row's columns, against a list of all that was ever written. */
class RowJournalTest {

    private static final TableSpec SPEC = TableSpec.sparse(CellType.INT);

    @Test
    void whatWasWrittenSinceAVersionIsSaidOrNotKnown() {
        RandomGenerator random = Seeds.random("journal");
        int said = 0;
        for (int run = 0; run < 300; run++) {
            var journal = new RowJournal();
            var written = new IntArrayList();
            var versions = LongArrayList.of(0);
            int entries = random.nextInt(1_000);
            for (int step = 0; step < 60; step++) {
                entries += random.nextInt(100);
                var log = new RowLog(SPEC, 7);
                int cells = random.nextInt(8) == 0 ? random.nextInt(400) : random.nextInt(6);
                for (int i = 0; i < cells; i++) {
                    log.updateLong(random.nextInt(entries + 1), 1);
                }
                int count = log.writtenCells();
                written.addElements(written.size(), log.writtenColumns(count), 0, count);
                journal.wrote(log, entries);
                assertThat(journal.version()).isEqualTo(written.size());
                versions.add(journal.version());

                int since = (int) versions.getLong(random.nextInt(versions.size()));
                int[] columns = journal.since(since);
                if (columns != null) {
                    said++;
                    assertThat(columns)
                            .isEqualTo(new IntRBTreeSet(written.subList(since, written.size())).toIntArray());
                }
            }
        }
        assertThat(said).isGreaterThan(1_000);
    }

    @Test
    void aFewColumnsAreAlwaysKnownAndAVersionOfTheFutureNever() {
        var journal = new RowJournal();
        for (int i = 0; i < 1_000; i++) {
            var log = new RowLog(SPEC, 7);
            log.updateLong(i, 1);
            log.updateLong(i + 5, 1);
            journal.wrote(log, 4);
            assertThat(journal.since(journal.version() - 2)).containsExactly(i, i + 5);
        }

        assertThat(journal.since(2_000)).isEmpty();
        assertThat(journal.since(2_001)).isNull();
        assertThat(journal.since(2_000 - 17)).isNull();
    }
}
