package io.leeway.hindex.internal.admin;

import io.leeway.hindex.IndexDefinition;
import io.leeway.hindex.IndexState;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.IndexTables;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.read.ReadRights;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/*
 * Order: what a step leaves half done must never give a wrong answer. So a table of entries is there before the base
 * table's regions write to it; it goes after the last of them has ceased to; and before entries are taken away from an
 * index that is read, its state says that it is not complete.
 */
/**
 * What the master does about indexes while it changes a table: called by its observer in the thread of the client's
 * request, before or after HBase's own step. What throws here before a step refuses it. Thread-safe.
 */
public final class MasterTables {

    private final Connection connection;
    private final String observer;
    private final IndexCatalog catalog;
    private final EntryTables tables;
    private final ComingTables coming;
    private final boolean isSecured;

    /**
     * Over this connection, which is not closed.
     *
     * @param observer to be named by tables with indexes; empty if all tables have it
     * @param coming is told of tables that are created
     */
    public MasterTables(Connection connection, String observer, ComingTables coming) {
        this.coming = coming;
        this.connection = connection;
        this.observer = observer;
        this.isSecured = ReadRights.isChecked(connection.getConfiguration());
        this.catalog = new IndexCatalog(connection);
        this.tables = new EntryTables(connection);
    }

    /**
     * Whether the table defines indexes, rightly or not.
     *
     * <p>By the attribute's name alone, so that a definition that cannot be read counts as well.
     */
    public static boolean isIndexed(TableDescriptor table) {
        return table.getValues().keySet().stream()
                .map(key -> Bytes.toString(key.get(), key.getOffset(), key.getLength()))
                .anyMatch(key -> key.startsWith(IndexDefinition.ATTRIBUTE_PREFIX));
    }

    /** The descriptor that a new table gets. */
    public TableDescriptor completed(TableDescriptor table) {
        return DefinitionChange.created(table, observer).table();
    }

    /**
     * Before a table is created.
     *
     * <p>If HBase then fails to create the table, the tables of entries are left over, and go as all leftovers do.
     */
    public void beforeCreation(TableDescriptor table) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            if (admin.tableExists(table.getTableName())) {
                // HBase is about to say so.
                return;
            }
        }
        coming.expect(table.getTableName());
        for (IndexPlan index : TablePlan.of(table).indexes()) {
            if (index.isKept()) {
                tables.createFirst(index, table, isSecured);
                new BuildLog(connection, index).completeEmpty();
            }
        }
    }

    /**
     * Before a table is changed; the descriptor that it gets.
     *
     * <p>First everything is looked at, then tables are made or emptied: what is refused has changed nothing.
     */
    public TableDescriptor beforeChange(TableDescriptor before, TableDescriptor after) throws IOException {
        DefinitionChange change = DefinitionChange.changed(before, after, observer);
        for (IndexPlan index : TablePlan.of(change.table()).kept().indexes()) {
            byte[] family = index.column().family();
            if (change.table().hasColumnFamily(family)) {
                // Also if the index is old: the family may just become one that cannot have any, as with
                // NEW_VERSION_BEHAVIOR.
                IndexTables.requireIndexable(index, change.table());
            } else if (before.hasColumnFamily(family)) {
                throw new IllegalArgumentException("the index " + index.name() + " is over " + index.column()
                        + ", whose family would be deleted; drop the index first");
            }
        }
        for (IndexPlan index : change.activated()) {
            if (!tables.exists(index) || !new BuildLog(connection, index).isComplete()) {
                throw new IllegalArgumentException(
                        "the index " + index.name() + " is not complete, so it cannot be active; build it");
            }
        }
        for (IndexPlan index : change.added()) {
            if (index.isKept()) {
                tables.createFirst(index, change.table(), isSecured);
            }
        }
        for (IndexPlan index : change.restarted()) {
            begin(index, change.table());
        }
        return change.table();
    }

    /** A table whose last index goes: what the index brought goes with it, so that no server needs this jar for it. */
    public TableDescriptor withoutIndexes(TableDescriptor table) {
        return DefinitionChange.released(table, observer);
    }

    /** From nothing, with a table that is there and enabled. */
    private void begin(IndexPlan index, TableDescriptor base) throws IOException {
        if (tables.exists(index)) {
            tables.empty(index.table());
        } else {
            tables.create(index, base);
        }
    }

    /**
     * Before all rows of a table are taken away.
     *
     * <p>The state goes back first: entries without rows would do no harm, but a table of entries that is empty before
     * its base table would.
     */
    public void beforeTruncation(TableName base) throws IOException {
        Optional<TableDescriptor> table = disabled(base);
        if (table.isPresent()) {
            for (IndexPlan index : TablePlan.of(table.get()).indexes()) {
                if (index.isKept()) {
                    unread(base, index);
                    begin(index, table.get());
                }
            }
        }
    }

    private void unread(TableName base, IndexPlan index) throws IOException {
        catalog.change(
                base,
                index.name(),
                was -> was.state() == IndexState.ACTIVE
                        ? was.toBuilder().state(IndexState.BUILDING).build()
                        : was);
    }

    /**
     * Before a table becomes what it was once: its indexes begin anew.
     *
     * <p>The snapshot may have other definitions or other rows; what the entries say would be of the table as it is
     * now. Their rights are remembered, since the tables are made again.
     */
    public void beforeRestoration(TableName base) throws IOException {
        if (disabled(base).isPresent()) {
            for (TableName entries : tables.of(base)) {
                if (isSecured) {
                    coming.grants().remember(connection, entries);
                }
                tables.delete(entries);
            }
        }
    }

    /**
     * The table, if HBase is going to do what it is asked for: it refuses that where the table is not disabled, and
     * then nothing may have been taken from the indexes.
     */
    private Optional<TableDescriptor> disabled(TableName base) throws IOException {
        Optional<TableDescriptor> table = catalog.table(base);
        return table.isPresent() && isIndexed(table.get()) && !catalog.isEnabled(base) ? table : Optional.empty();
    }

    /** After a table is gone, or about to be. */
    public void afterDeletion(TableName base) throws IOException {
        coming.forget(base);
        for (TableName entries : tables.of(base)) {
            tables.delete(entries);
        }
    }

    /**
     * After a table was disabled.
     *
     * <p>After it, when no region writes to them any more.
     */
    public void afterDisabling(TableName base) throws IOException {
        for (TableName entries : tables.of(base)) {
            tables.disable(entries);
        }
    }

    /**
     * Before a table is enabled.
     *
     * <p>Before it, as the regions write to them from the moment on in which they are opened; those that are missing
     * are made.
     */
    public void beforeEnabling(TableName base) throws IOException {
        for (TableName entries : tables.of(base)) {
            tables.enable(entries);
        }
        Optional<TableDescriptor> table = catalog.table(base);
        if (table.isPresent() && isIndexed(table.get())) {
            new Reconciler(connection, coming).reconcile(base);
        }
    }
}
