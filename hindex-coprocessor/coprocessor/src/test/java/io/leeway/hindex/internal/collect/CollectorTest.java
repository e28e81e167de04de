package io.leeway.hindex.internal.collect;

import static io.leeway.hindex.internal.collect.CellKind.DELETE_COLUMN;
import static io.leeway.hindex.internal.collect.CellKind.DELETE_FAMILY;
import static io.leeway.hindex.internal.collect.CellKind.PUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.hindex.internal.collect.Retention.Repair;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CollectorTest {

    private static final long PURGE_ALL = Long.MAX_VALUE;

    private final List<String> removed = new ArrayList<>();
    private final List<String> kept = new ArrayList<>();

    /** What became obsolete today is repaired today, however old it is itself. */
    @Test
    void anOldVersionThatWasOverwrittenAfterTheLastRepairIsRemoved() {
        run(major(1, Repair.LAZY, 100), 1, new Object[][] {{PUT, 150, 150, "new"}, {PUT, 10, 10, "old"}});

        assertThat(removed).containsExactly("0:old");
        assertThat(kept).containsExactly("new", "old");
    }

    @Test
    void aLateWriteBehindWhatWasRepairedIsRemovedAndDroppedWithItsTombstone() {
        run(major(1, Repair.LAZY, 100), 1, new Object[][] {{DELETE_FAMILY, 50, 50, "tombstone"}, {PUT, 10, 150, "late"}
        });

        assertThat(removed).containsExactly("0:late, acknowledged");
        assertThat(kept).isEmpty();
    }

    @Test
    void whatWasRepairedIsDroppedWithoutAnotherRemoval() {
        run(major(1, Repair.LAZY, 100), 1, new Object[][] {{PUT, 50, 50, "new"}, {PUT, 10, 10, "old"}});

        assertThat(removed).isEmpty();
        assertThat(kept).containsExactly("new");
    }

    @Test
    void whatASecondWriteOvertookOnceMoreIsNotRemovedOnceMore() {
        run(major(1, Repair.LAZY, 100), 1, new Object[][] {
            {PUT, 150, 150, "newest"}, {PUT, 50, 50, "overwritten today"}, {PUT, 10, 10, "overwritten before"}
        });

        assertThat(removed).containsExactly("0:overwritten today");
        assertThat(kept).containsExactly("newest", "overwritten today");
    }

    @Test
    void aVersionThatWasWrittenTwiceIsToldBesideItself() {
        run(major(1, Repair.STRICT, -1), 1, new Object[][] {{PUT, 5, 9, "same"}, {PUT, 5, 8, "same"}});

        assertThat(removed).containsExactly("0:same, acknowledged, beside same");
    }

    @Test
    void aStrictRunDropsWhatItRemoves() {
        run(major(1, Repair.STRICT, 100), 1, new Object[][] {{PUT, 150, 150, "new"}, {PUT, 10, 10, "old"}});

        assertThat(removed).containsExactly("0:old, acknowledged");
        assertThat(kept).containsExactly("new");
    }

    @Test
    void withoutRepairNothingGoesWhoseEntryMayBeThere() {
        run(major(1, Repair.NONE, 100), 1, new Object[][] {
            {DELETE_COLUMN, 200, 200, "tombstone"}, {PUT, 150, 150, "new"}, {PUT, 10, 10, "old"}
        });

        assertThat(removed).isEmpty();
        assertThat(kept).containsExactly("tombstone", "new", "old");
    }

    @Test
    void columnsWithoutAnIndexAreCompactedAsTheStoreDoes() {
        var collector = collector(major(1, Repair.STRICT, 0));
        collector.row();
        collector.column(new int[0]);
        feed(collector, new Object[][] {{PUT, 3, 3, "new"}, {PUT, 2, 2, "old"}, {DELETE_COLUMN, 1, 1, "tombstone"}});

        assertThat(removed).isEmpty();
        assertThat(kept).containsExactly("new");
    }

    @Test
    void everyIndexFollowsItsOwnNumberOfVersions() {
        run(major(3, Repair.STRICT, -1), new int[] {1, 2, 9}, new Object[][] {
            {PUT, 4, 4, "d"}, {PUT, 3, 3, "c"}, {PUT, 2, 2, "b"}, {PUT, 1, 1, "a"}
        });

        assertThat(removed)
                .containsExactly("0:c", "0:b", "1:b", "0:a, acknowledged", "1:a, acknowledged", "2:a, acknowledged");
        assertThat(kept).containsExactly("d", "c", "b");
    }

    @Test
    void aRunOverSomeFilesRemovesNothingThatItKeeps() {
        Retention minor = new Retention(3, 0, Long.MIN_VALUE, false, false, PURGE_ALL, 100, -1, Repair.STRICT);

        run(minor, 1, new Object[][] {{PUT, 2, 2, "b"}, {PUT, 1, 1, "a"}});

        assertThat(removed).isEmpty();
        assertThat(kept).containsExactly("b", "a");
    }

    @Test
    void ofOneTimestampTheLastWriteIsFreshAndTheOtherIsToldBesideIt() {
        run(major(1, Repair.STRICT, -1), 1, new Object[][] {{PUT, 5, 9, "after"}, {PUT, 5, 8, "before"}});

        assertThat(removed).containsExactly("0:before, acknowledged, beside after");
        assertThat(kept).containsExactly("after");
    }

    @Test
    void aFamilyThatKeepsDeletedCellsKeepsThemWithoutEntries() {
        Retention keeping = new Retention(1, 0, 5, true, true, PURGE_ALL, 100, -1, Repair.STRICT);

        run(keeping, 1, new Object[][] {
            {DELETE_COLUMN, 6, 6, "tombstone"},
            {PUT, 5, 5, "masked"},
            {DELETE_COLUMN, 4, 4, "gone"},
            {PUT, 3, 3, "expired"}
        });

        assertThat(removed).containsExactly("0:masked", "0:expired, acknowledged");
        assertThat(kept).containsExactly("tombstone", "masked");
    }

    @Test
    void expiredVersionsGoButForTheFewestThatAreKept() {
        Retention expiring = new Retention(5, 1, 10, false, true, PURGE_ALL, 100, -1, Repair.STRICT);

        run(expiring, 5, new Object[][] {{PUT, 9, 9, "kept though expired"}, {PUT, 8, 8, "expired"}});

        assertThat(removed).isEmpty();
        assertThat(kept).containsExactly("kept though expired");
    }

    @Test
    void youngTombstonesStay() {
        Retention waiting = new Retention(1, 0, Long.MIN_VALUE, false, true, 10, 100, -1, Repair.STRICT);

        run(waiting, 1, new Object[][] {{DELETE_COLUMN, 10, 10, "young"}, {DELETE_COLUMN, 9, 9, "old"}});

        assertThat(kept).containsExactly("young");
    }

    @Test
    void manyVersionsOfACellAreFollowed() {
        var cells = new Object[3_000][];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = new Object[] {PUT, cells.length - i, cells.length - i, "v" + i};
        }

        run(major(Integer.MAX_VALUE, Repair.STRICT, -1), 1_000, cells);

        assertThat(kept).hasSize(cells.length);
        assertThat(removed).hasSize(2_000).startsWith("0:v1000").endsWith("0:v2999");
    }

    @Test
    void kindsAreReadFromTheCodesOfTheStore() {
        assertThat(CellKind.of((byte) 4)).isEqualTo(PUT);
        assertThat(CellKind.of((byte) 14)).isEqualTo(DELETE_FAMILY);
        assertThatThrownBy(() -> CellKind.of((byte) 5)).hasMessageContaining("cell type 5 is not known");
    }

    private static Retention major(int versions, Repair repair, long repairedUpTo) {
        return new Retention(versions, 0, Long.MIN_VALUE, false, true, PURGE_ALL, Long.MAX_VALUE, repairedUpTo, repair);
    }

    private void run(Retention retention, int follows, Object[][] cells) {
        run(retention, new int[] {follows}, cells);
    }

    private void run(Retention retention, int[] follows, Object[][] cells) {
        var collector = collector(retention);
        collector.row();
        collector.column(follows);
        feed(collector, cells);
    }

    private Collector<String, RuntimeException> collector(Retention retention) {
        return new Collector<>(
                retention,
                (index, cell, fresh, mustAck) -> removed.add(index + ":" + cell + (mustAck ? ", acknowledged" : "")
                        + (fresh == null ? "" : ", beside " + fresh)));
    }

    private void feed(Collector<String, RuntimeException> collector, Object[][] cells) {
        for (Object[] cell : cells) {
            String name = (String) cell[3];
            if (collector.cell((CellKind) cell[0], (Integer) cell[1], (Integer) cell[2], name)) {
                kept.add(name);
            }
        }
    }
}
