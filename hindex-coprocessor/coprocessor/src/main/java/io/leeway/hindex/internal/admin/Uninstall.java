package io.leeway.hindex.internal.admin;

import io.leeway.hindex.HindexObserver;
import io.leeway.hindex.internal.config.Options;
import io.leeway.hindex.internal.plan.IndexTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/*
 * A region server that cannot load what a table names ends, by HBase's default. So nothing of hindex may be named any more when
 * servers start without its jar.
 */
/**
 * Takes hindex out of tables that have no index any more, so that servers can be started without its jar. Each step may
 * be repeated.
 */
final class Uninstall {

    private final Connection connection;
    private final IndexCatalog catalog;
    private final EntryTables entries;

    /** Over this connection, which is not closed. */
    Uninstall(Connection connection) {
        this.connection = connection;
        this.catalog = new IndexCatalog(connection);
        this.entries = new EntryTables(connection);
    }

    /**
     * Has tables name nothing of hindex, and removes tables of entries that are left over.
     *
     * <p>All are looked at before the first is changed: half of a cluster without hindex would be of no use to anybody.
     *
     * @param tables none for all
     * @return those that were changed or removed
     * @throws IllegalStateException if one has an index; nothing has changed then
     */
    List<TableName> run(List<TableName> tables) throws IOException {
        List<TableDescriptor> found = found(tables);
        List<TableName> indexed = found.stream()
                .filter(MasterTables::isIndexed)
                .map(TableDescriptor::getTableName)
                .toList();
        if (!indexed.isEmpty()) {
            throw new IllegalStateException(
                    "there are indexes of " + indexed + ": drop them first (hindex list, hindex drop)");
        }
        var changed = new ArrayList<TableName>();
        for (TableDescriptor table : found) {
            TableDescriptor without = without(table);
            if (IndexTables.base(table) != null) {
                entries.delete(table.getTableName());
                changed.add(table.getTableName());
            } else if (!without.equals(table)) {
                catalog.replace(without);
                changed.add(table.getTableName());
            }
        }
        return changed;
    }

    private List<TableDescriptor> found(List<TableName> tables) throws IOException {
        if (tables.isEmpty()) {
            try (Admin admin = connection.getAdmin()) {
                return admin.listTableDescriptors();
            }
        }
        var found = new ArrayList<TableDescriptor>();
        for (TableName table : tables) {
            found.add(catalog.require(table));
            for (TableName left : entries.of(table)) {
                found.add(catalog.require(left));
            }
        }
        return found;
    }

    /** Options too: they mean nothing without the jar. */
    private static TableDescriptor without(TableDescriptor table) {
        var builder = TableDescriptorBuilder.newBuilder(table);
        if (table.hasCoprocessor(HindexObserver.class.getName())) {
            builder.removeCoprocessor(HindexObserver.class.getName());
        }
        table.getValues().keySet().forEach(key -> {
            String name = Bytes.toString(key.get(), key.getOffset(), key.getLength());
            if (name.startsWith(Options.PREFIX)) {
                builder.removeValue(name);
            }
        });
        return builder.build();
    }
}
