package io.leeway.hindex.internal.read;

import io.leeway.hindex.Condition;
import io.leeway.hindex.IndexColumn;
import io.leeway.hindex.internal.encode.ColumnCodec;
import io.leeway.hindex.internal.encode.IndexKeys;
import io.leeway.hindex.internal.encode.KeyWriter;
import io.leeway.hindex.internal.encode.Outcome;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.query.QueryPlanner;
import io.leeway.hindex.internal.query.ScanRange;
import io.leeway.hindex.internal.read.ValueConditions.ValueCondition;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/*
 * HBase compares the bytes of cells, the index orders values. For equality it is enough that the bytes asked for are a value:
 * equal cells have equal keys. For ranges the encoding must keep the order of the bytes, and no cell may be missing because it
 * is malformed: all cells are well formed for bytes, and for strict indexes. More than what matches may be in the ranges; the
 * filter looks at each row again.
 */
/**
 * Where in an index the rows are that may fulfil conditions of a filter. What it finds may be too much and must never
 * be too little. Made by {@link ScanRewriter} for one scan and one index. For one thread.
 */
final class FilterRanges {

    private final IndexPlan index;
    private final List<ValueCondition> conditions;
    private final byte[] first;
    private final byte[] behind;

    /** For rows of the base table from the first, included, to one behind them. */
    FilterRanges(IndexPlan index, List<ValueCondition> conditions, byte[] first, byte[] behind) {
        this.index = index;
        this.conditions = conditions;
        this.first = first;
        this.behind = behind;
    }

    /**
     * Ranges that have an entry of every row that may pass; null if the index does not help.
     *
     * <p>Equality first: one range, and with all columns given even one that is cut to the region's rows. Without it,
     * conditions on the first column: what holds for all of them is in all of their ranges.
     */
    @Nullable
    List<ScanRange> find() {
        byte[] equal = equal();
        if (equal.length > 0) {
            return List.of(rows(equal));
        }
        List<ScanRange> all = null;
        for (ValueCondition condition : ofColumn(0)) {
            List<ScanRange> each = ranges(condition);
            if (each != null) {
                all = all == null ? each : both(all, each);
            }
        }
        return all;
    }

    private List<ValueCondition> ofColumn(int column) {
        IndexColumn indexed = index.definition().columns().get(column);
        return conditions.stream()
                .filter(each -> Arrays.equals(each.family(), indexed.name().family())
                        && Arrays.equals(each.qualifier(), indexed.name().qualifier()))
                .toList();
    }

    private IndexKeys keys() {
        return index.keys();
    }

    /**
     * What the keys begin with for as many columns as equality is asked for; empty if not for the first.
     *
     * <p>With a salt the key begins with the bucket of the first column's value; of the following columns a marker says
     * that there is a value.
     */
    private byte[] equal() {
        var key = new KeyWriter();
        int column = 0;
        while (column < keys().codecs().size()) {
            byte[] part = equal(column);
            if (part == null) {
                break;
            }
            if (column == 0 && keys().salt() > 0) {
                key.put(keys().bucket(part, 0, part.length));
            }
            if (column > 0) {
                key.put(IndexKeys.marker(keys().codecs().get(column), true));
            }
            key.put(part, 0, part.length);
            column++;
        }
        // Only the whole of a key is followed by the row.
        return column == 0 ? new byte[0] : column == keys().codecs().size() ? whole(key) : key.toBytes();
    }

    /** Whether the prefix has all columns, so that what follows in the key is the row. Set by the way. */
    private boolean isWhole;

    private byte[] whole(KeyWriter key) {
        isWhole = true;
        return key.toBytes();
    }

    /**
     * Entries of other regions' rows are passed over where keys are sorted by them; an index has those of the whole
     * table.
     */
    private ScanRange rows(byte[] prefix) {
        ScanRange all = ScanRange.startingWith(prefix);
        if (!isWhole) {
            return all;
        }
        byte[] stop = behind.length == 0 ? all.stop() : Bytes.add(prefix, behind);
        return ScanRange.of(Bytes.add(prefix, first), stop);
    }

    /**
     * The key of a value that a column must have; of several values in a cell, one is enough.
     *
     * <p>An index with several values in a cell has entries for each; the whole cell must be equal, so each of them
     * names the row.
     */
    private byte @Nullable [] equal(int column) {
        for (ValueCondition condition : ofColumn(column)) {
            byte[] cell = condition.comparator().getValue();
            boolean bytes = condition.comparator().getClass() == BinaryComparator.class;
            var found = new ArrayList<byte[]>();
            if (condition.operator() == CompareOperator.EQUAL
                    && bytes
                    && keys().codecs().get(column).keys(cell, 0, cell.length, found) == Outcome.INDEXED) {
                return found.get(0);
            }
        }
        return null;
    }

    /**
     * Null, not empty, where the index cannot tell: nothing may be concluded then, while empty would mean that no row
     * passes.
     */
    private @Nullable List<ScanRange> ranges(ValueCondition condition) {
        var ranges = new ArrayList<ScanRange>();
        for (Condition each : conditions(condition)) {
            ranges.addAll(QueryPlanner.plan(keys(), List.of(each)));
        }
        return ranges.isEmpty() ? null : ranges;
    }

    /**
     * Of which one or another must be; none if the index cannot tell.
     *
     * <p>By type: numbers are compared by HBase as numbers or as their bytes, which differ for negative ones; bytes and
     * text as bytes. Other types have no order that HBase's comparators know.
     */
    private List<Condition> conditions(ValueCondition condition) {
        ColumnCodec codec = keys().codecs().get(0);
        // A descending column has the same values in the other order; the planner turns its ranges around.
        String type = codec.toString().replace(".desc", "");
        byte[] bound = condition.comparator().getValue();
        Class<?> comparator = condition.comparator().getClass();
        CompareOperator operator = condition.operator();
        if (type.equals("long")) {
            boolean asNumber = comparator == LongComparator.class;
            boolean asBytes =
                    comparator == BinaryComparator.class && index.definition().isStrict() && bound.length == 8;
            return asNumber ? numbers(operator, Bytes.toLong(bound)) : asBytes ? unsigned(operator, bound) : List.of();
        }
        Object value = type.equals("bytes") ? bound : type.equals("utf8") && isWellFormed() ? text(bound) : null;
        if (value == null) {
            return List.of();
        }
        if (comparator == BinaryPrefixComparator.class) {
            return operator == CompareOperator.EQUAL ? List.of(Condition.startsWith(value)) : List.of();
        }
        return comparator == BinaryComparator.class ? numbers(operator, value) : List.of();
    }

    /** A strict index refuses writes that it cannot read as its type, so no row is missing in it. */
    private boolean isWellFormed() {
        return index.definition().isStrict();
    }

    /**
     * The bound itself is in the range also where it must not match, which the filter finds out; "not equal" would be
     * nearly all rows.
     */
    private static List<Condition> numbers(CompareOperator operator, Object bound) {
        return switch (operator) {
            case EQUAL -> List.of(Condition.is(bound));
            case LESS, LESS_OR_EQUAL -> List.of(Condition.atMost(bound));
            case GREATER, GREATER_OR_EQUAL -> List.of(Condition.atLeast(bound));
            case NOT_EQUAL, NO_OP -> List.of();
        };
    }

    /**
     * Negative numbers come last by their bytes.
     *
     * <p>So a range of bytes that has both kinds is two ranges of numbers.
     */
    private static List<Condition> unsigned(CompareOperator operator, byte[] bytes) {
        long bound = Bytes.toLong(bytes);
        return switch (operator) {
            case LESS, LESS_OR_EQUAL ->
                bound >= 0
                        ? List.of(Condition.between(0L, bound))
                        : List.of(Condition.atLeast(0L), Condition.atMost(bound));
            case GREATER, GREATER_OR_EQUAL ->
                bound >= 0
                        ? List.of(Condition.atLeast(bound), Condition.below(0L))
                        : List.of(Condition.between(bound, -1L));
            case EQUAL, NOT_EQUAL, NO_OP -> List.of();
        };
    }

    /** A bound that is no text has no place in the order of texts. */
    private static @Nullable String text(byte[] bytes) {
        try {
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return text.toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /**
     * What holds for both conditions. A list by a list will do: a condition has one range or two, times the buckets of
     * a salt.
     */
    private static List<ScanRange> both(List<ScanRange> some, List<ScanRange> others) {
        var both = new ArrayList<ScanRange>();
        for (ScanRange one : some) {
            for (ScanRange other : others) {
                ScanRange common = one.within(other);
                if (!common.isEmpty()) {
                    both.add(common);
                }
            }
        }
        return both;
    }
}
