package io.leeway.testkit.hbase;

import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/**
 * A running HBase inside this JVM that hands out tables.
 *
 * <p>Shared by all tests of a JVM and stopped when the JVM ends; tests therefore never stop it, and touch only tables
 * whose name they got from {@link #freshName(String)}. Thread-safe.
 */
public interface HBaseCluster extends RunningHBase {

    /** The region servers inside this JVM that are alive. */
    List<HRegionServer> regionServers();

    /** The regions of a table that are open, in the order of their keys. */
    List<HRegion> regions(TableName table);
}
