package io.leeway.hindex.internal.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * The order in which rows of an index are read: that of the values, either way. In a salted table this is not the order
 * of the table; its parts are read side by side.
 *
 * @param salted whether the first byte of a row is the part of the table and not of the value
 * @param descending whether the last comes first
 */
public record ReadOrder(boolean salted, boolean descending) implements Comparator<byte[]> {

    /** Without the salt: rows of different parts are merged by what stands behind it. */
    @Override
    public int compare(byte[] one, byte[] other) {
        int from = salted ? 1 : 0;
        int order = Arrays.compareUnsigned(
                one, Math.min(from, one.length), one.length, other, Math.min(from, other.length), other.length);
        return descending ? -order : order;
    }

    /**
     * The ranges by the part of the table that they are in, those of each part in the order of the table.
     *
     * <p>A range may go over several parts: it is cut where they begin.
     */
    public List<List<ScanRange>> parts(List<ScanRange> ranges) {
        if (!salted) {
            return ranges.isEmpty() ? List.of() : List.of(ranges);
        }
        var parts = new TreeMap<Integer, List<ScanRange>>();
        for (ScanRange range : ranges) {
            for (int part = range.start()[0] & 0xFF; part < 256; part++) {
                ScanRange piece = range.within(ScanRange.startingWith(new byte[] {(byte) part}));
                if (piece.isEmpty()) {
                    break;
                }
                parts.computeIfAbsent(part, none -> new ArrayList<>()).add(piece);
            }
        }
        return List.copyOf(parts.values());
    }

    /**
     * What is left of ranges, which are in the order of the table, after a row was read.
     *
     * <p>Parts are read side by side, so in each of them all is read up to where this row would stand in it.
     */
    public List<ScanRange> remaining(List<ScanRange> ranges, byte[] last) {
        var remaining = new ArrayList<ScanRange>();
        for (List<ScanRange> part : parts(ranges)) {
            byte[] there = last.clone();
            if (salted && there.length > 0) {
                there[0] = part.get(0).start()[0];
            }
            for (ScanRange range : part) {
                ScanRange left = descending ? range.before(there) : range.after(there);
                if (!left.isEmpty()) {
                    remaining.add(left);
                }
            }
        }
        return List.copyOf(remaining);
    }
}
