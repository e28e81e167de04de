package io.leeway.hindex.internal.admin;

import io.leeway.hindex.IndexState;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.upkeep.UpkeepClient;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;

/*
 * Model: the attributes of the base table say what there shall be; the tables of entries follow. It is done by looking at
 * both and not by following events, so that it may be done again after a crash, by anybody, at any time.
 *
 * An index whose table is missing answers nothing and lets nothing be written, so it gives no wrong answer: whoever copies
 * or restores a base table leaves such an index. It is built anew.
 */
/** Makes the tables of entries be what a base table's attributes say. Thread-safe. */
public final class Reconciler {

    private final Connection connection;
    private final IndexCatalog catalog;
    private final EntryTables tables;
    private final ComingTables coming;

    /** Over this connection, which is not closed; where nobody creates tables meanwhile. */
    public Reconciler(Connection connection) {
        this(connection, new ComingTables());
    }

    /** Over this connection, which is not closed; leaves alone what is made for tables to come. */
    public Reconciler(Connection connection, ComingTables coming) {
        this.connection = connection;
        this.coming = coming;
        this.catalog = new IndexCatalog(connection);
        this.tables = new EntryTables(connection);
    }

    /**
     * Does what can be done now.
     *
     * <p>Three cases. The table is gone: so are its tables of entries, unless it is just coming. It is there: each
     * index that is kept gets a table, and tables of no index go, as soon as no region keeps such an index any more.
     *
     * @return whether nothing is left; else to be called again, when regions have been opened anew
     */
    public boolean reconcile(TableName base) throws IOException {
        Optional<TableDescriptor> table = catalog.table(base);
        if (table.isEmpty()) {
            return coming.unlessExpected(base, () -> {
                // Unless it has come meanwhile.
                if (catalog.table(base).isEmpty()) {
                    for (TableName leftover : tables.of(base)) {
                        tables.delete(leftover);
                    }
                }
            });
        }
        for (IndexPlan index : TablePlan.of(table.get()).indexes()) {
            if (index.isKept()) {
                requireTable(base, index);
            }
        }
        return deleteLeftovers(base, table.get());
    }

    /**
     * Where the table is missing the state goes back first: an empty one must never be there under a state that says
     * complete.
     */
    private void requireTable(TableName base, IndexPlan index) throws IOException {
        if (tables.exists(index)) {
            tables.adapt(index, catalog.require(base));
            requireEnabled(base, index);
            return;
        }
        if (index.definition().state() == IndexState.ACTIVE) {
            catalog.change(
                    base,
                    index.name(),
                    was -> was.toBuilder().state(IndexState.BUILDING).build());
        }
        if (!tables.exists(index)) {
            tables.create(index, catalog.require(base));
            coming.grants().giveBack(connection, index.table());
        }
    }

    /**
     * A table that was taken for a leftover is disabled, and stays so if its index was defined before it could be
     * deleted, or the master died; the base table's writes would wait for it.
     */
    private void requireEnabled(TableName base, IndexPlan index) throws IOException {
        if (catalog.isEnabled(base) && !tables.isEnabled(index)) {
            tables.enable(index.table());
        }
    }

    /** All that can go now, so that one region which is late keeps only one index's table. */
    private boolean deleteLeftovers(TableName base, TableDescriptor table) throws IOException {
        Set<TableName> wanted = new HashSet<>();
        TablePlan.of(table).indexes().forEach(index -> wanted.add(index.table()));
        boolean all = true;
        for (TableName leftover : tables.of(base)) {
            if (!wanted.contains(leftover)) {
                if (isKept(base, leftover)) {
                    all = false;
                } else {
                    tables.delete(leftover);
                }
            }
        }
        return all;
    }

    /**
     * Whether a region keeps the index still. One that has the old attributes would have its writes fail were the table
     * gone.
     */
    private boolean isKept(TableName base, TableName leftover) throws IOException {
        if (!catalog.isEnabled(base)) {
            return false;
        }
        String index =
                leftover.getNameAsString().substring(base.getNameAsString().length() + ".hindex.".length());
        var asked = new UpkeepClient(connection, base);
        Set<byte[]> starts;
        try (Admin admin = connection.getAdmin()) {
            starts =
                    admin.getRegions(base).stream().map(RegionInfo::getStartKey).collect(Collectors.toSet());
        }
        for (byte[] start : starts) {
            if (asked.isKept(index, start)) {
                return true;
            }
        }
        return false;
    }
}
