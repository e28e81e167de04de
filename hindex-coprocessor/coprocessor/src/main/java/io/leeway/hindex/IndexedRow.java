package io.leeway.hindex;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.read.Hit;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A row that has a value: a version of it, if versions are asked for. Immutable but for its arrays; equal by row, value
 * and timestamp.
 *
 * @since 0.1
 */
public final class IndexedRow {

    private final IndexPlan index;
    private final Hit hit;
    private final byte[] value;

    IndexedRow(IndexPlan index, Hit hit) {
        this.index = index;
        this.hit = hit;
        this.value = Objects.requireNonNull(hit.state().value(0), "an entry of a row that has nothing");
    }

    /** The key of the row in the base table. */
    public byte[] row() {
        return hit.row();
    }

    /** What the first indexed column holds, as the application wrote it. */
    public byte[] value() {
        return value;
    }

    /** Since when. */
    public long timestamp() {
        return hit.timestamp();
    }

    /**
     * The values by which it was found, one for each indexed column, null where absent: of a column with several
     * values, the one that comes first in the query's order; folded text stays folded.
     */
    public List<@Nullable Object> values() {
        return Collections.unmodifiableList(index.keys().values(hit.key()));
    }

    /** What an indexed or covered column of this version holds, as the application wrote it, or null. */
    public byte @Nullable [] value(ColumnName column) {
        int number = index.columns().indexOf(column);
        return number < 0 ? null : hit.state().value(number);
    }

    /** What else was asked for: the columns or the whole row, as one read of the base table found it; else empty. */
    public Result result() {
        return Result.create(hit.fetched());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof IndexedRow indexed
                && timestamp() == indexed.timestamp()
                && Arrays.equals(row(), indexed.row())
                && Arrays.equals(value, indexed.value);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(row()) + Long.hashCode(timestamp());
    }

    @Override
    public String toString() {
        return Bytes.toStringBinary(row()) + "=" + Bytes.toStringBinary(value) + "@" + timestamp();
    }
}
