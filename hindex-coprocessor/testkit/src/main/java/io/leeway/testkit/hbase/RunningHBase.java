package io.leeway.testkit.hbase;

import java.io.IOException;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** A running HBase, wherever its servers are. Thread-safe. */
public interface RunningHBase {

    /** What clients need to know to connect; a copy. */
    Configuration configuration();

    /** A connection that lives as long as the cluster; not to be closed. */
    Connection connection();

    /**
     * To be called after a split or merge of regions that may have been on a server twice: HBase's client does not find those
     * that came of them before two minutes have passed, if both servers still say that the other one has what it asks for. Calls
     * that are on their way in vain get there, too.
     */
    default void forgetRegions() {
        connection().clearRegionLocationCache();
    }

    /** A name that no table has: a number is appended, so the same name may be asked for twice. */
    default TableName freshName(String name) {
        return TableNames.fresh(name);
    }

    /** Creates an empty table. */
    default TableName freshTable(String name, UnaryOperator<TableDescriptorBuilder> descriptor) {
        TableName table = freshName(name);
        try (var admin = connection().getAdmin()) {
            admin.createTable(
                    descriptor.apply(TableDescriptorBuilder.newBuilder(table)).build());
        } catch (IOException e) {
            throw new IllegalStateException("cannot create the table " + table, e);
        }
        return table;
    }
}
