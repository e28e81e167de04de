package io.leeway.hindex.internal.upkeep;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * What is done under the locks of rows, where no write of them is on its way: builds, checks, and looks at what failed
 * writes left. They are HBase's exclusive locks; writes of a row take shared ones. Without state.
 */
public final class LockedRows {

    private LockedRows() {}

    /** What is done. */
    @FunctionalInterface
    public interface Body<T> {
        /** Does it. */
        T get() throws IOException;
    }

    /** Does it while these rows are locked, which are in the order of their keys: so there is no ring of waiting. */
    public static <T> T with(Region region, List<byte[]> rows, Body<T> body) throws IOException {
        // So that the region does not close under it, as in HBase's own operations.
        region.startRegionOperation();
        var locks = new ArrayList<Region.RowLock>();
        try {
            for (byte[] row : rows) {
                locks.add(region.getRowLock(row, false));
            }
            return body.get();
        } finally {
            locks.forEach(Region.RowLock::release);
            region.closeRegionOperation();
        }
    }
}
