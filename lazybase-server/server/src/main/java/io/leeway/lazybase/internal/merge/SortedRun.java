package io.leeway.lazybase.internal.merge;

import io.leeway.lazybase.internal.column.Keys;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.column.Zone;
import org.jspecify.annotations.Nullable;

/**
 * Rows in the order of a key, each key once, in blocks. Thread-safe; blocks are read when they are asked for.
 */
public interface SortedRun {

    /** Number of blocks. */
    int blocks();

    /** Rows of a block. */
    int rows(int block);

    /** The keys of a block. */
    Keys keys(int block);

    /** The least key of a block, without reading it. */
    byte[] minKey(int block);

    /** The greatest key of a block, without reading it. */
    byte[] maxKey(int block);

    /** Whether all rows of a block are puts, so that nothing older shows through and none is deleted. */
    boolean isClean(int block);

    /** The flags of a block's rows, or null if it is clean. */
    byte @Nullable [] flags(int block);

    /** A column of a block, or null if its rows do not have it. */
    @Nullable
    Vector column(int block, int id);

    /** What values a column has in a block, without reading it; null if that is not known. */
    @Nullable
    Zone zone(int block, int id);

    /** Bytes that a block takes where it is stored; 0 if in memory. */
    long bytes(int block);
}
