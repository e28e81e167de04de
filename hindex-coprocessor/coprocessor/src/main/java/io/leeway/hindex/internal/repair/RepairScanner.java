package io.leeway.hindex.internal.repair;

import io.leeway.hindex.internal.collect.Retention;
import io.leeway.hindex.internal.plan.IndexPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;

/*
 * Model: the compaction reads all versions and deletes, since the options of its scanner say so; CompactedCells says which of
 * them go, and which entries.
 *
 * Order: a dropped version's entry must be gone before the compaction's file takes the place of the old ones, or nobody
 * ever finds the entry again. So the buffer is emptied before the last next() returns, and a failure fails the compaction,
 * which leaves the old files as they are; removing again what is gone changes nothing. For a version that is kept the
 * removal may fail: the next compaction finds it again.
 */
/**
 * Between a compaction and its input: removes the entries of what became obsolete. Also around {@link StoreReading},
 * where nobody takes what it keeps. For one thread.
 */
final class RepairScanner implements InternalScanner, Shipper {

    private final InternalScanner input;
    private final GarbageBuffer garbage;
    private final CompactedCells cells;
    private final UnaryOperator<Cell> copier;
    private final List<Cell> batch = new ArrayList<>();
    private final End end;
    private final Consumer<Boolean> closed;
    private boolean isAtEnd;

    RepairScanner(
            InternalScanner input,
            Retention retention,
            List<IndexPlan> indexes,
            GarbageBuffer garbage,
            UnaryOperator<Cell> copier) {
        this(input, new CompactedCells(retention, indexes, garbage, false), garbage, copier, () -> {}, toTheEnd -> {});
    }

    /**
     * Whether all that was read may count.
     *
     * <p>Asked when all is read and removed, and before HBase is told so: the last moment at which a compaction can
     * fail.
     */
    @FunctionalInterface
    interface End {
        /** Fails if it may not. */
        void check() throws IOException;
    }

    /** The last one is told when it is closed, and whether everything was read. */
    RepairScanner(
            InternalScanner input,
            CompactedCells cells,
            GarbageBuffer garbage,
            UnaryOperator<Cell> copier,
            End end,
            Consumer<Boolean> closed) {
        this.input = input;
        this.cells = cells;
        this.garbage = garbage;
        this.copier = copier;
        this.end = end;
        this.closed = closed;
    }

    @Override
    public boolean next(List<Cell> result, ScannerContext limits) throws IOException {
        batch.clear();
        boolean more = input.next(batch, limits);
        for (Cell cell : batch) {
            if (cells.keeps(cell)) {
                result.add(cell);
            }
        }
        if (!more) {
            cells.endRow();
            garbage.finish();
            end.check();
            isAtEnd = true;
        }
        return more;
    }

    @Override
    public void shipped() throws IOException {
        cells.detach(copier);
        if (input instanceof Shipper shipper) {
            shipper.shipped();
        }
    }

    /** HBase closes it whatever has happened, and that is all it says of a compaction that failed. */
    @Override
    public void close() throws IOException {
        garbage.abandon();
        closed.accept(isAtEnd);
        input.close();
    }
}
