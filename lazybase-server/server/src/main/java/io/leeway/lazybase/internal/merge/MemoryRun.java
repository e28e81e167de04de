package io.leeway.lazybase.internal.merge;

import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.column.Keys;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.column.Zone;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A sorted batch in memory, as one block.
 *
 * @param batch the rows, in the order of their keys
 * @param sortedKeys their keys
 * @param zones what values columns have, as far as somebody has asked
 */
public record MemoryRun(Batch batch, Keys sortedKeys, Map<Integer, Zone> zones) implements SortedRun {

    /** Nobody has asked for zones yet. */
    public MemoryRun(Batch batch, Keys sortedKeys) {
        this(batch, sortedKeys, new ConcurrentHashMap<>());
    }

    @Override
    public int blocks() {
        return batch.rows() == 0 ? 0 : 1;
    }

    @Override
    public int rows(int block) {
        return batch.rows();
    }

    @Override
    public Keys keys(int block) {
        return sortedKeys;
    }

    @Override
    public byte[] minKey(int block) {
        return sortedKeys.get(0);
    }

    @Override
    public byte[] maxKey(int block) {
        return sortedKeys.get(batch.rows() - 1);
    }

    @Override
    public boolean isClean(int block) {
        return batch.flags() == null;
    }

    @Override
    public byte @Nullable [] flags(int block) {
        return batch.flags();
    }

    @Override
    public @Nullable Vector column(int block, int id) {
        return batch.column(id);
    }

    @Override
    public @Nullable Zone zone(int block, int id) {
        Vector column = batch.column(id);
        return column == null ? null : zones.computeIfAbsent(id, none -> Zone.of(column, 0, batch.rows()));
    }

    @Override
    public long bytes(int block) {
        return 0;
    }
}
