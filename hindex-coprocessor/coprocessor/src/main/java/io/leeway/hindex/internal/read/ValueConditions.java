package io.leeway.hindex.internal.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.CompareFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;

/*
 * A filter is understood if it decides about each row alone, whatever other rows there are: then rows that fail a condition
 * may as well not be there. Only filters are understood of which that is known; of others, such as one that counts the rows it
 * sees, nothing is concluded. What counts rows or strips values may stand last in a list, behind what decides.
 */
/** What the newest version of a column must be for a row to pass a filter. */
final class ValueConditions {

    /** By class and not by type: a class that extends one of these may do anything. */
    private static final Set<Class<?>> OF_EACH_ROW = Set.of(
            PrefixFilter.class,
            RowFilter.class,
            FamilyFilter.class,
            QualifierFilter.class,
            ValueFilter.class,
            ColumnPrefixFilter.class,
            ColumnRangeFilter.class,
            FirstKeyOnlyFilter.class,
            InclusiveStopFilter.class);
    /**
     * These count rows, or take away values: in front of what decides they would count, or hide, rows that do not pass.
     */
    private static final Set<Class<?>> LAST = Set.of(PageFilter.class, KeyOnlyFilter.class);

    private final List<ValueCondition> conditions = new ArrayList<>();

    private ValueConditions() {}

    /** What a column's newest version has to be for the row to pass; a row without the column does not pass either. */
    @SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
    record ValueCondition(byte[] family, byte[] qualifier, CompareOperator operator, ByteArrayComparable comparator) {}

    /** All that must be so; empty if the filter is not understood, or wants nothing of the kind. */
    static List<ValueCondition> of(Filter filter) {
        var conditions = new ValueConditions();
        return conditions.read(filter).isPresent() ? List.copyOf(conditions.conditions) : List.of();
    }

    /** Whether a filter that is understood takes away cells of a row after it has seen all. */
    static boolean leavesOutColumns(Filter filter) {
        return filter instanceof SingleColumnValueExcludeFilter
                || filter instanceof FilterList list
                        && list.getFilters().stream().anyMatch(ValueConditions::leavesOutColumns);
    }

    /**
     * Present if the filter is understood; whether it must be the last.
     *
     * <p>Empty ends everything: if one filter in a list is not understood, it may pass rows that the others do not.
     */
    private Optional<Boolean> read(Filter filter) {
        Class<?> type = filter.getClass();
        if (type == SingleColumnValueFilter.class || type == SingleColumnValueExcludeFilter.class) {
            return read((SingleColumnValueFilter) filter);
        }
        // Understood as deciding by the row alone, but it gives no condition.
        if (type == ColumnValueFilter.class) {
            // Goes on to older versions where the newest does not match.
            return isOfHBase(((ColumnValueFilter) filter).getComparator()) ? Optional.of(false) : Optional.empty();
        }
        if (type == FilterList.class) {
            return read((FilterList) filter);
        }
        boolean compares = filter instanceof CompareFilter compare && !isOfHBase(compare.getComparator());
        if (OF_EACH_ROW.contains(type) && !compares) {
            return Optional.of(false);
        }
        return LAST.contains(type) ? Optional.of(true) : Optional.empty();
    }

    private Optional<Boolean> read(SingleColumnValueFilter value) {
        if (!isOfHBase(value.getComparator())) {
            return Optional.empty();
        }
        // Rows without the column pass, too, and old versions may; such a filter says nothing that an index knows.
        return value.getFilterIfMissing() && value.getLatestVersionOnly()
                ? add(value.getFamily(), value.getQualifier(), value.getCompareOperator(), value.getComparator())
                : Optional.of(false);
    }

    private Optional<Boolean> add(
            byte[] family, byte[] qualifier, CompareOperator operator, ByteArrayComparable comparator) {
        conditions.add(new ValueCondition(family, qualifier, operator, comparator));
        return Optional.of(false);
    }

    /**
     * A list of which all must pass has the conditions of all of its members. One of which any may pass has none; its
     * members must be understood all the same, and none may count.
     */
    private Optional<Boolean> read(FilterList list) {
        boolean all = list.getOperator() == FilterList.Operator.MUST_PASS_ALL;
        int before = conditions.size();
        boolean last = false;
        for (Filter each : list.getFilters()) {
            Optional<Boolean> read = last ? Optional.empty() : read(each);
            if (read.isEmpty() || read.get() && !all) {
                return Optional.empty();
            }
            last = read.get();
        }
        if (!all) {
            // Of alternatives, none is sure.
            conditions.subList(before, conditions.size()).clear();
        }
        return Optional.of(last);
    }

    /** Another's may decide by what it saw before, and would see fewer rows. */
    private static boolean isOfHBase(ByteArrayComparable comparator) {
        return comparator.getClass().getPackage() == ByteArrayComparable.class.getPackage();
    }
}
