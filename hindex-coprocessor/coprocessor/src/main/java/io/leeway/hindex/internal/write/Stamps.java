package io.leeway.hindex.internal.write;

import java.util.BitSet;
import java.util.List;
import java.util.ListIterator;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Mutation;
import org.jspecify.annotations.Nullable;

/*
 * When the index entries are written, HBase has filled in the server's time where the client gave none, and the two can
 * no longer be told apart. So which cells had no timestamp is noted on the mutation before, as an attribute: one bit for
 * each cell, in the order of its families and cells, which nobody changes in between. Clients may send an attribute of this name,
 * so it is set or taken away for every mutation. Nearly all have few cells, which all get the server's time: these have one of a
 * few arrays, known by being that array.
 */
/** Which cells of a mutation get the server's time. Immutable. */
final class Stamps {

    /** HBase does not write attributes into its log or files; it is gone with the mutation. */
    private static final String ATTRIBUTE = "_hindex.server-time";

    /** That all cells get it, by their number. */
    private static final byte[][] ALL_OF =
            IntStream.range(0, 16).mapToObj(cells -> new byte[] {(byte) cells}).toArray(byte[][]::new);

    private static final Stamps NONE = new Stamps(new BitSet());
    private static final Stamps ALL = new Stamps(null);

    /** Null stands for all. */
    private final @Nullable BitSet marks;

    private Stamps(@Nullable BitSet marks) {
        this.marks = marks;
    }

    /** Notes them, while the cells that get the server's time still have none. */
    static void mark(Mutation mutation) {
        int cells = 0;
        int fromServer = 0;
        for (List<Cell> ofFamily : mutation.getFamilyCellMap().values()) {
            for (int i = 0; i < ofFamily.size(); i++) {
                cells++;
                fromServer += getsServerTime(ofFamily.get(i)) ? 1 : 0;
            }
        }
        if (fromServer > 0) {
            boolean areAll = fromServer == cells && cells < ALL_OF.length;
            mutation.setAttribute(ATTRIBUTE, areAll ? ALL_OF[cells] : bits(mutation));
        } else if (mutation.getAttribute(ATTRIBUTE) != null) {
            mutation.setAttribute(ATTRIBUTE, null);
        }
    }

    private static byte[] bits(Mutation mutation) {
        var marks = new BitSet();
        int at = 0;
        for (List<Cell> ofFamily : mutation.getFamilyCellMap().values()) {
            for (Cell cell : ofFamily) {
                marks.set(at++, getsServerTime(cell));
            }
        }
        return marks.toByteArray();
    }

    /**
     * A delete of the newest version gets the timestamp of that version, not the server's time.
     *
     * <p>HBase looks that version up later, under the lock. For us it is a delete of an exact version with a timestamp
     * of its own.
     */
    private static boolean getsServerTime(Cell cell) {
        return cell.getTimestamp() == HConstants.LATEST_TIMESTAMP && cell.getType() != Cell.Type.Delete;
    }

    /**
     * What was noted.
     *
     * <p>By identity first: a client may send the same bytes, but never this array.
     */
    static Stamps of(Mutation mutation) {
        byte[] noted = mutation.getAttribute(ATTRIBUTE);
        if (noted == null) {
            return NONE;
        }
        int cells = mutation.size();
        if (cells < ALL_OF.length && noted == ALL_OF[cells]) {
            return ALL;
        }
        BitSet marks = marks(noted);
        return marks.cardinality() == cells ? ALL : new Stamps(marks);
    }

    private static BitSet marks(byte[] noted) {
        for (int cells = 0; cells < ALL_OF.length; cells++) {
            if (noted == ALL_OF[cells]) {
                // Another coprocessor has added some since.
                var marks = new BitSet();
                marks.set(0, cells);
                return marks;
            }
        }
        return BitSet.valueOf(noted);
    }

    boolean areNone() {
        return marks != null && marks.isEmpty();
    }

    boolean areAll() {
        return marks == null;
    }

    /** Whether the cell of this number is among them, counted over families in their order. */
    boolean has(int cell) {
        return marks == null || marks.get(cell);
    }

    /**
     * The time that HBase filled in.
     *
     * <p>One for all cells of the mutation, so the first that had none tells it.
     */
    long serverTime(Mutation mutation) {
        int at = 0;
        for (List<Cell> ofFamily : mutation.getFamilyCellMap().values()) {
            for (int i = 0; i < ofFamily.size(); i++) {
                if (has(at++)) {
                    return ofFamily.get(i).getTimestamp();
                }
            }
        }
        // Failing is right here: with a wrong guess cells would keep a timestamp that another write of the row may
        // have.
        throw new IllegalStateException("another coprocessor took away cells that had the server's time");
    }

    /** Replaces the cells. */
    void restamp(Mutation mutation, UnaryOperator<Cell> restamped) {
        int at = 0;
        for (List<Cell> ofFamily : mutation.getFamilyCellMap().values()) {
            for (ListIterator<Cell> cells = ofFamily.listIterator(); cells.hasNext(); at++) {
                Cell cell = cells.next();
                if (has(at)) {
                    cells.set(restamped.apply(cell));
                }
            }
        }
    }
}
