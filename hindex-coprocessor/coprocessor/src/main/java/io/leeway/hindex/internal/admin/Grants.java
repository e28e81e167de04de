package io.leeway.hindex.internal.admin;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.security.access.GetUserPermissionsRequest;
import org.apache.hadoop.hbase.security.access.UserPermission;

/*
 * HBase takes the rights to a table away with it. An index's table that is deleted and made again, since its base table became
 * what it was once, is the same to those who may read it. Remembered by the master that deletes it: another one that takes over
 * in between knows of none.
 */
/** Who had rights to tables that are made again. Thread-safe. */
final class Grants {

    private final Map<TableName, List<UserPermission>> ofTables = new ConcurrentHashMap<>();

    /** Takes note of the rights to a table that is about to be deleted. */
    void remember(Connection connection, TableName table) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            ofTables.put(
                    table,
                    List.copyOf(admin.getUserPermissions(
                            GetUserPermissionsRequest.newBuilder(table).build())));
        }
    }

    /**
     * Gives the rights to a table again that has been made again.
     *
     * <p>Merged with what has been granted since, so that nothing of that is lost.
     */
    void giveBack(Connection connection, TableName table) throws IOException {
        List<UserPermission> rights = ofTables.remove(table);
        if (rights == null) {
            return;
        }
        try (Admin admin = connection.getAdmin()) {
            for (UserPermission right : rights) {
                admin.grant(right, true);
            }
        }
    }
}
