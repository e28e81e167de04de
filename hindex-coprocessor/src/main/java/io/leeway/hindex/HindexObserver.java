package io.leeway.hindex;

import java.util.Optional;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;

/**
 * The class that a table names to have its indexes kept.
 *
 * <p>Created by HBase, once for each region.
 */
public final class HindexObserver implements RegionCoprocessor, RegionObserver {

    /** For HBase. */
    public HindexObserver() {}

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(this);
    }
}
