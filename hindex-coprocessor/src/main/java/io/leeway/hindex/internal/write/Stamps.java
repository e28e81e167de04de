package io.leeway.hindex.internal.write;

import java.util.BitSet;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Mutation;
import org.jspecify.annotations.Nullable;

/*
 * When the index entries are written, HBase has filled in the server's time where the client gave none, and the two can
 * no longer be told apart. So which cells had no timestamp is noted on the mutation before, as an attribute: one bit for
 * each cell, in the order of its families and cells, which nobody changes in between.
 */
/** Remembers on a mutation which of its cells get the server's time. */
final class Stamps {

    private static final String ATTRIBUTE = "_hindex.server-time";

    private Stamps() {}

    /** To be called while the cells that get the server's time still have none. */
    static void mark(Mutation mutation) {
        var marks = new BitSet();
        int at = 0;
        for (List<Cell> cells : mutation.getFamilyCellMap().values()) {
            for (Cell cell : cells) {
                // A delete of the newest version gets the timestamp of that version, not the server's time.
                if (cell.getTimestamp() == HConstants.LATEST_TIMESTAMP && cell.getType() != Cell.Type.Delete) {
                    marks.set(at);
                }
                at++;
            }
        }
        if (!marks.isEmpty()) {
            mutation.setAttribute(ATTRIBUTE, marks.toByteArray());
        }
    }

    /** The cells that have the server's time, or null if there is none. */
    static @Nullable BitSet of(Mutation mutation) {
        byte[] marks = mutation.getAttribute(ATTRIBUTE);
        return marks == null ? null : BitSet.valueOf(marks);
    }

    /** The time that HBase filled in. */
    static long serverTime(Mutation mutation, BitSet marks) {
        int at = 0;
        for (List<Cell> cells : mutation.getFamilyCellMap().values()) {
            for (Cell cell : cells) {
                if (marks.get(at)) {
                    return cell.getTimestamp();
                }
                at++;
            }
        }
        throw new IllegalStateException("another coprocessor took away cells that had the server's time");
    }

    /** Replaces the cells that have the server's time. */
    static void restamp(Mutation mutation, BitSet marks, UnaryOperator<Cell> restamped) {
        int at = 0;
        for (Map.Entry<byte[], List<Cell>> family : mutation.getFamilyCellMap().entrySet()) {
            for (ListIterator<Cell> cells = family.getValue().listIterator(); cells.hasNext(); at++) {
                Cell cell = cells.next();
                if (marks.get(at)) {
                    cells.set(restamped.apply(cell));
                }
            }
        }
    }
}
