package io.leeway.hindex.internal.query;

import io.leeway.hindex.Condition;
import io.leeway.hindex.internal.encode.ColumnCodec;
import io.leeway.hindex.internal.encode.IndexKeys;
import io.leeway.hindex.internal.encode.KeyWriter;
import io.leeway.hindex.internal.encode.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns conditions on the columns of an index, in the order of its key, into ranges of its table.
 *
 * <p>Exact conditions make the keys longer, one for each combination of their values; the last condition may instead be
 * a range or a prefix. As no key begins another, the rows of a key are those from the key to its successor, and bounds
 * of ranges are such keys, too. In a salted table an exact condition on the first column leads into one part, any other
 * into all. The ranges are in the order of the table and do not overlap.
 *
 * <p>Made for one query and thrown away; for one thread.
 */
public final class QueryPlanner {

    /** More ranges are no query but a scan. */
    public static final int MAX_RANGES = 10_000;

    /** HBase's limit for the key of a row. */
    private static final int MOST_KEY = Short.MAX_VALUE;

    private final IndexKeys keys;
    private final List<ScanRange> ranges = new ArrayList<>();

    private QueryPlanner(IndexKeys keys) {
        this.keys = keys;
    }

    /**
     * The ranges that hold all rows that fulfil the conditions, and no others.
     *
     * @throws IllegalArgumentException if the index cannot answer, or a value is not of its column's type
     */
    public static List<ScanRange> plan(IndexKeys keys, List<Condition> conditions) {
        if (conditions.isEmpty() || conditions.size() > keys.codecs().size()) {
            throw new IllegalArgumentException(conditions.size() + " conditions for an index of "
                    + keys.codecs().size()
                    + " columns; give one for the first column, then for the next ones in order");
        }
        var planner = new QueryPlanner(keys);
        planner.add(conditions);
        return planner.possible();
    }

    /**
     * The ranges of all rows whose first column holds what a cell with these bytes holds.
     *
     * <p>A cell with several values finds rows that have any of them.
     *
     * @throws IllegalArgumentException if it holds nothing, or is malformed
     */
    public static List<ScanRange> planCell(IndexKeys keys, byte[] cell) {
        var found = new ArrayList<byte[]>();
        if (keys.codecs().get(0).keys(cell, 0, cell.length, found) != Outcome.INDEXED) {
            throw new IllegalArgumentException("a cell of " + cell.length + " bytes holds no value of encoding "
                    + keys.codecs().get(0) + "; give the bytes that the application writes into cells, or conditions");
        }
        var planner = new QueryPlanner(keys);
        found.forEach(key -> planner.ranges.add(ScanRange.startingWith(planner.salted(key))));
        return planner.possible();
    }

    /** Of a value that is too long for a key there is no entry, and HBase takes no such key to look for. */
    private List<ScanRange> possible() {
        List<ScanRange> all = merged();
        for (ScanRange range : all) {
            int length = Math.max(range.start().length, range.stop().length);
            if (length > MOST_KEY) {
                throw new IllegalArgumentException(
                        "a value makes a key of " + length + " bytes, and the index has keys of " + MOST_KEY
                                + " bytes at most: rows with longer values have no entry; scan the table for them");
            }
        }
        return all;
    }

    /**
     * Column by column: prefixes grow while conditions are exact, and the first that is not makes ranges of them and
     * ends it.
     */
    private void add(List<Condition> conditions) {
        List<byte[]> prefixes = List.of(new byte[0]);
        for (int column = 0; column < conditions.size(); column++) {
            Condition condition = conditions.get(column);
            if (condition instanceof Condition.Range || condition instanceof Condition.Prefix) {
                if (column + 1 < conditions.size()) {
                    throw new IllegalArgumentException(
                            "condition " + (column + 1) + " is not exact and others follow; leave"
                                    + " those out and filter the rows, or index the exact columns first");
                }
                for (byte[] prefix : prefixes) {
                    open(column, prefix, condition);
                }
                return;
            }
            prefixes = longer(column, prefixes, condition);
        }
        for (byte[] prefix : prefixes) {
            ranges.add(new ScanRange(prefix, ScanRange.successor(prefix)));
        }
    }

    /** All prefixes, each followed by each of the condition's values. */
    private List<byte[]> longer(int column, List<byte[]> prefixes, Condition condition) {
        if (condition instanceof Condition.Absent && column == 0) {
            throw new IllegalArgumentException(
                    "rows without the first column are not in the index; ask for a value, or scan the table");
        }
        List<byte[]> ends = condition instanceof Condition.In in
                ? in.values().stream().map(value -> exact(column, value)).toList()
                : List.of(new byte[] {(byte) marker(column, false)});
        if ((long) prefixes.size() * ends.size() > MAX_RANGES) {
            throw new IllegalArgumentException(
                    "more than " + MAX_RANGES + " combinations of values; ask in several queries");
        }
        var longer = new ArrayList<byte[]>();
        for (byte[] prefix : prefixes) {
            ends.forEach(end -> longer.add(joined(prefix, end)));
        }
        return longer;
    }

    /** The key of a value, with what stands before it. */
    private byte[] exact(int column, Object value) {
        KeyWriter key = started(column);
        codec(column).value(value, key);
        return column == 0 ? salted(key.toBytes()) : key.toBytes();
    }

    /** The first column's key, with its part of the table before it. */
    private byte[] salted(byte[] key) {
        return keys.salt() > 0 ? joined(new byte[] {(byte) keys.bucket(key, 0, key.length)}, key) : key;
    }

    /** A range of the first column of a salted index may have values in every part of the table. */
    private void open(int column, byte[] prefix, Condition condition) {
        if (column > 0 || keys.salt() == 0) {
            range(column, prefix, condition);
            return;
        }
        for (int bucket = 0; bucket < keys.salt(); bucket++) {
            range(column, new byte[] {(byte) bucket}, condition);
        }
    }

    /** In a descending column the keys stand the other way round, so both bounds change places. */
    private void range(int column, byte[] prefix, Condition condition) {
        if (condition instanceof Condition.Prefix starts) {
            KeyWriter key = started(column);
            codec(column).prefix(starts.start(), key);
            byte[] start = joined(prefix, key.toBytes());
            ranges.add(new ScanRange(start, ScanRange.successor(start)));
            return;
        }
        var range = (Condition.Range) condition;
        boolean turned = codec(column).isDescending();
        byte[] low = bound(column, turned ? range.high() : range.low());
        byte[] high = bound(column, turned ? range.low() : range.high());
        boolean lowIncluded = turned ? range.highIncluded() : range.lowIncluded();
        boolean highIncluded = turned ? range.lowIncluded() : range.highIncluded();
        byte[] all = joined(prefix, started(column).toBytes());
        byte[] start = low == null ? all : joined(prefix, low);
        byte[] stop = high == null ? all : joined(prefix, high);
        if (low != null && !lowIncluded) {
            start = ScanRange.successor(start);
            if (start.length == 0) {
                // Behind the last key there is; as a start, no bytes would be the first.
                return;
            }
        }
        boolean throughHigh = high == null || highIncluded;
        ranges.add(new ScanRange(start, throughHigh ? ScanRange.successor(stop) : stop));
    }

    /**
     * The whole key of a value: since none begins another, its successor is behind all rows with the value, and before
     * the next.
     */
    private byte @Nullable [] bound(int column, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        KeyWriter key = started(column);
        codec(column).value(value, key);
        return key.toBytes();
    }

    /** What stands before all values of a column: nothing, or that it is there. */
    private KeyWriter started(int column) {
        var key = new KeyWriter();
        if (column > 0) {
            key.put(marker(column, true));
        }
        return key;
    }

    private int marker(int column, boolean present) {
        return IndexKeys.marker(codec(column), present);
    }

    private ColumnCodec codec(int column) {
        return keys.codecs().get(column);
    }

    /** Values of a condition may be equal or stand side by side: no row is read twice, and fewer scans are opened. */
    private List<ScanRange> merged() {
        ranges.removeIf(ScanRange::isEmpty);
        ranges.sort(Comparator.comparing(ScanRange::start, Arrays::compareUnsigned));
        var merged = new ArrayList<ScanRange>();
        for (ScanRange range : ranges) {
            int last = merged.size() - 1;
            if (last >= 0 && merged.get(last).reaches(range)) {
                merged.set(last, merged.get(last).joined(range));
            } else {
                merged.add(range);
            }
        }
        return List.copyOf(merged);
    }

    private static byte[] joined(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }
}
