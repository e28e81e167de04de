package io.leeway.hindex;

import io.leeway.testkit.hbase.HBaseCluster;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;

/** Tables of one cluster are replicated to another until this is closed. */
final class ReplicationPeer implements AutoCloseable {

    private final HBaseCluster source;
    private final String id;

    private ReplicationPeer(HBaseCluster source, String id) {
        this.source = source;
        this.id = id;
    }

    /** These tables and no others, since a new peer is sent what older ones were. */
    static ReplicationPeer connect(HBaseCluster source, HBaseCluster sink, List<TableName> tables) throws IOException {
        String id = UUID.randomUUID().toString().replace('-', '_');
        var sent = new HashMap<TableName, List<String>>();
        tables.forEach(table -> sent.put(table, List.of()));
        try (Admin admin = source.connection().getAdmin()) {
            admin.addReplicationPeer(
                    id,
                    ReplicationPeerConfig.newBuilder()
                            .setClusterKey(ZKConfig.getZooKeeperClusterKey(sink.configuration()))
                            .setReplicateAllUserTables(false)
                            .setTableCFsMap(sent)
                            .build());
        }
        return new ReplicationPeer(source, id);
    }

    /** A family whose cells are sent. */
    static ColumnFamilyDescriptorBuilder replicated(ColumnFamilyDescriptorBuilder family) {
        return family.setScope(HConstants.REPLICATION_SCOPE_GLOBAL);
    }

    @Override
    public void close() throws IOException {
        try (Admin admin = source.connection().getAdmin()) {
            admin.removeReplicationPeer(id);
        }
    }
}
