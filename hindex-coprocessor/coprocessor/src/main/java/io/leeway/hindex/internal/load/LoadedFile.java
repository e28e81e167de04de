package io.leeway.hindex.internal.load;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.repair.Fact;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A file with cells of one family that is about to be loaded. It stays open, so that it can be read while HBase moves
 * it to its place. HBase has no public way to read its files; what is used of the others is here. Thread-safe.
 */
final class LoadedFile implements Closeable {

    private final byte[] family;
    private final HFile.Reader reader;
    private final Configuration configuration;

    private LoadedFile(byte[] family, HFile.Reader reader, Configuration configuration) {
        this.family = family;
        this.reader = reader;
        this.configuration = configuration;
    }

    static LoadedFile open(byte[] family, Path path, Configuration configuration) throws IOException {
        HFile.Reader reader = HFile.createReader(path.getFileSystem(configuration), path, configuration);
        return new LoadedFile(family, reader, configuration);
    }

    byte[] family() {
        return family;
    }

    /** Whether a region may have all its rows; one without rows fits anywhere. */
    boolean fits(BulkLoads.Region region) {
        Optional<byte[]> first = reader.getFirstRowKey();
        Optional<byte[]> last = reader.getLastRowKey();
        return first.isEmpty() || last.isEmpty() || region.holds(first.get(), last.get());
    }

    /** Receives cells, which are good until the next one comes. */
    @FunctionalInterface
    interface Receiver {
        /** Whether to go on. */
        boolean cell(Cell cell) throws IOException;
    }

    /**
     * The cells from a row on, in order.
     *
     * @param row empty for the first
     */
    void read(byte[] row, Receiver receiver) throws IOException {
        try (FileCells cells = cells(row)) {
            cells.read(receiver, Long.MAX_VALUE);
        }
    }

    /** The same, to be read a few at a time. */
    FileCells cells(byte[] row) {
        return new FileCells(isForFew -> reader.getScanner(configuration, false, isForFew), row);
    }

    /**
     * Whether it has the version that an entry speaks of.
     *
     * <p>The value counts, too: another one at the same timestamp has another entry.
     */
    boolean has(Entry entry) throws IOException {
        byte[] row = entry.index().row(entry.key());
        var found = new Object() {
            boolean found;
        };
        read(row, cell -> {
            if (Bytes.compareTo(CellUtil.cloneRow(cell), row) != 0) {
                return false;
            }
            found.found = cell.getType() == Cell.Type.Put
                    && cell.getTimestamp() == entry.timestamp()
                    && entry.index().isOfColumn(cell)
                    && entry.index()
                            .entries(row, CellUtil.cloneValue(cell), cell.getTimestamp())
                            .contains(entry);
            return !found.found;
        });
        return found.found;
    }

    /**
     * What it says about the columns of an index in a row.
     *
     * <p>As if they were written now: they arrive after all that is stored.
     */
    List<Fact> facts(IndexPlan index, byte[] row) throws IOException {
        var facts = new ArrayList<Fact>();
        read(row, cell -> {
            if (!CellUtil.matchingRows(cell, row)) {
                return false;
            }
            if (index.concerns(cell)) {
                facts.add(Fact.written(index, cell));
            }
            return true;
        });
        return facts;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
