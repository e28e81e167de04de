package io.leeway.testkit.hbase;

import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/**
 * A running HBase that hands out tables.
 *
 * <p>Shared by all tests of a JVM and stopped when the JVM ends; tests therefore never stop it, and touch only tables
 * whose name they got from {@link #freshName(String)}. Thread-safe.
 */
public interface HBaseCluster {

    /** What clients need to know to connect; a copy. */
    Configuration configuration();

    /** A connection that lives as long as the cluster; not to be closed. */
    Connection connection();

    /** A name that no table has: a number is appended, so the same name may be asked for twice. */
    TableName freshName(String name);

    /** Creates an empty table. */
    TableName freshTable(String name, UnaryOperator<TableDescriptorBuilder> descriptor);

    /** The region servers inside this JVM that are alive. */
    List<HRegionServer> regionServers();

    /** The regions of a table that are open, in the order of their keys. */
    List<HRegion> regions(TableName table);
}
