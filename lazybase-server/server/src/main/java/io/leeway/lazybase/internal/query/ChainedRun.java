package io.leeway.lazybase.internal.query;

import io.leeway.lazybase.internal.column.Keys;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.column.Zone;
import io.leeway.lazybase.internal.merge.SortedRun;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs whose keys follow each other, as one: the parts of the authority. */
final class ChainedRun implements SortedRun {

    private final SortedRun[] runs;
    private final int[] begins;

    ChainedRun(List<? extends SortedRun> runs) {
        this.runs = runs.toArray(SortedRun[]::new);
        this.begins = new int[this.runs.length + 1];
        for (int i = 0; i < this.runs.length; i++) {
            begins[i + 1] = begins[i] + this.runs[i].blocks();
        }
    }

    private int of(int block) {
        int low = 0;
        int high = runs.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (begins[middle] <= block) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    @Override
    public int blocks() {
        return begins[runs.length];
    }

    @Override
    public int rows(int block) {
        int i = of(block);
        return runs[i].rows(block - begins[i]);
    }

    @Override
    public Keys keys(int block) {
        int i = of(block);
        return runs[i].keys(block - begins[i]);
    }

    @Override
    public byte[] minKey(int block) {
        int i = of(block);
        return runs[i].minKey(block - begins[i]);
    }

    @Override
    public byte[] maxKey(int block) {
        int i = of(block);
        return runs[i].maxKey(block - begins[i]);
    }

    @Override
    public boolean isClean(int block) {
        int i = of(block);
        return runs[i].isClean(block - begins[i]);
    }

    @Override
    public byte @Nullable [] flags(int block) {
        int i = of(block);
        return runs[i].flags(block - begins[i]);
    }

    @Override
    public @Nullable Vector column(int block, int id) {
        int i = of(block);
        return runs[i].column(block - begins[i], id);
    }

    @Override
    public @Nullable Zone zone(int block, int id) {
        int i = of(block);
        return runs[i].zone(block - begins[i], id);
    }

    @Override
    public long bytes(int block) {
        int i = of(block);
        return runs[i].bytes(block - begins[i]);
    }
}
