package io.leeway.hindex.internal.repair;

import io.leeway.hindex.ColumnName;
import io.leeway.hindex.internal.plan.IndexPlan;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A column as a compaction sees it; worked out once, since every row has it.
 *
 * <p>Columns of one family are found by going through them: there are few.
 *
 * @param qualifier within the family
 * @param indexes those that have this column only
 * @param versions how many each of them follows
 * @param isOfSeveral whether an index has it together with others
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
record StoredColumn(byte[] qualifier, List<IndexPlan> indexes, int[] versions, boolean isOfSeveral) {

    /** Any column that no index has. */
    static final StoredColumn WITHOUT_INDEX = new StoredColumn(new byte[0], List.of(), new int[0], false);

    /** The columns that these indexes of one family have. */
    static List<StoredColumn> of(List<IndexPlan> indexes) {
        Set<ColumnName> names = new LinkedHashSet<>();
        indexes.forEach(index -> names.addAll(index.columns()));
        return names.stream().map(name -> of(name, indexes)).toList();
    }

    private static StoredColumn of(ColumnName name, List<IndexPlan> indexes) {
        List<IndexPlan> alone = indexes.stream()
                .filter(index -> index.isOfOneColumn() && index.columns().contains(name))
                .toList();
        boolean together = indexes.stream()
                .anyMatch(index -> !index.isOfOneColumn() && index.columns().contains(name));
        return new StoredColumn(
                name.qualifier(),
                alone,
                alone.stream().mapToInt(IndexPlan::versions).toArray(),
                together);
    }
}
