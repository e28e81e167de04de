package io.leeway.hindex.internal.admin;

import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.IndexTables;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * Creates, empties and removes the tables that hold entries. Each step may be repeated, and finds done what is done: a
 * crash, another master or an operator may have been there before. Thread-safe.
 */
public final class EntryTables {

    /** For one step of HBase's master. When it is over the step may still be done; who tries again finds out. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Connection connection;

    /** Over this connection, which is not closed. */
    public EntryTables(Connection connection) {
        this.connection = connection;
    }

    /** Whether the table of an index is there. */
    public boolean exists(IndexPlan index) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            return admin.tableExists(index.table());
        }
    }

    /** Whether the table of an index can be read. */
    public boolean isEnabled(IndexPlan index) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            return admin.tableExists(index.table()) && admin.isTableEnabled(index.table());
        }
    }

    /**
     * Creates the table of an index that has no entries yet.
     *
     * @throws IllegalArgumentException if there is a table of that name that is another's, or has entries
     */
    public void create(IndexPlan index, TableDescriptor base) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            if (!admin.tableExists(index.table())) {
                create(admin, index, base);
                return;
            }
            TableDescriptor found = admin.getDescriptor(index.table());
            if (!base.getTableName().equals(IndexTables.base(found))) {
                throw new IllegalArgumentException("the table " + index.table() + ", which the index " + index.name()
                        + " needs for its entries, exists and is none of hindex; give the index another name");
            }
            // The entries have the indexed values: no family or coprocessor of somebody else's may be there to get
            // them.
            String strange = IndexTables.strange(found, index, base);
            if (!strange.isEmpty()) {
                throw new IllegalArgumentException("the table " + index.table() + ", which the index " + index.name()
                        + " needs for its entries, exists and was not made by hindex: it has " + strange
                        + "; delete it, or give the index another name");
            }
        }
        if (!isEmpty(index)) {
            throw new IllegalArgumentException("the table " + index.table()
                    + " has entries of an earlier index of that name; delete it, or give the index another name");
        }
    }

    /**
     * Creates the table of an index that is new. Where rights are checked, one that is there is made again: whoever
     * made it has rights to it, and would be given the values.
     *
     * <p>It is created, which looks at what is there, before it is deleted: a table that is somebody else's is refused
     * and stays.
     *
     * @throws IllegalArgumentException if there is a table of that name that is another's, or has entries
     */
    public void createFirst(IndexPlan index, TableDescriptor base, boolean isSecured) throws IOException {
        boolean wasThere = exists(index);
        create(index, base);
        if (wasThere && isSecured) {
            delete(index.table());
            create(index, base);
        }
    }

    /** With its regions from the start, where a salt says into how many parts the entries fall. */
    private static void create(Admin admin, IndexPlan index, TableDescriptor base) throws IOException {
        byte[][] splits = IndexTables.splits(index);
        TableDescriptor descriptor = IndexTables.descriptor(index, base);
        try {
            Waits.until(
                    splits.length == 0
                            ? admin.createTableAsync(descriptor)
                            : admin.createTableAsync(descriptor, splits),
                    PATIENCE,
                    "create " + index.table());
        } catch (TableExistsException e) {
            // Somebody else was faster; it is of use once its regions are open.
            if (!Waits.until(() -> admin.isTableAvailable(index.table()), PATIENCE)) {
                throw e;
            }
        }
    }

    /** Of entries; what is noted about builds and regions stands in other families. */
    private boolean isEmpty(IndexPlan index) throws IOException {
        Scan one = new Scan().addFamily(IndexPlan.entryFamily()).setLimit(1);
        try (Table table = connection.getTable(index.table());
                ResultScanner scanner = table.getScanner(one)) {
            return scanner.next() == null;
        }
    }

    /**
     * Gives the entries the life time that the base table's cells have now.
     *
     * <p>Entries that lived longer than their cells would only be met in vain; with a shorter life rows would be
     * missed. Only that is changed, since operators may have given the table other attributes.
     */
    public void adapt(IndexPlan index, TableDescriptor base) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            TableDescriptor wanted = IndexTables.descriptor(index, base);
            TableDescriptor found = admin.getDescriptor(index.table());
            if (timeToLive(wanted) != timeToLive(found)) {
                TableDescriptor changed = TableDescriptorBuilder.newBuilder(found)
                        .modifyColumnFamily(wanted.getColumnFamily(IndexPlan.entryFamily()))
                        .build();
                Waits.until(admin.modifyTableAsync(changed), PATIENCE, "change " + index.table());
            }
        }
    }

    private static int timeToLive(TableDescriptor table) {
        return Objects.requireNonNull(table.getColumnFamily(IndexPlan.entryFamily()))
                .getTimeToLive();
    }

    /**
     * The tables that hold entries of this base table, whether it still defines their index or not.
     *
     * <p>The name alone does not tell: another table may be called so. The attribute with the base table's name does.
     */
    public List<TableName> of(TableName base) throws IOException {
        var tables = new ArrayList<TableName>();
        try (Admin admin = connection.getAdmin()) {
            String prefix = base.getNameAsString() + ".hindex.";
            for (TableDescriptor table : admin.listTableDescriptors(Pattern.compile(Pattern.quote(prefix) + ".*"))) {
                if (base.equals(IndexTables.base(table))) {
                    tables.add(table.getTableName());
                }
            }
        }
        return tables;
    }

    /**
     * Removes a table.
     *
     * <p>Disabled first, which HBase demands.
     */
    public void delete(TableName table) throws IOException {
        disable(table);
        try (Admin admin = connection.getAdmin()) {
            Waits.until(admin.deleteTableAsync(table), PATIENCE, "delete " + table);
        } catch (TableNotFoundException e) {
            // So it is gone.
        }
    }

    /**
     * Takes all entries out of a table, and what is known about how far it was built; it is enabled afterwards.
     *
     * <p>By truncation, with the regions kept: to delete the entries one by one would leave as many markers as there
     * were entries.
     */
    public void empty(TableName table) throws IOException {
        disable(table);
        try (Admin admin = connection.getAdmin()) {
            Waits.until(admin.truncateTableAsync(table, true), PATIENCE, "empty " + table);
        }
    }

    /** Disables a table that is not disabled already. */
    public void disable(TableName table) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            Waits.until(admin.disableTableAsync(table), PATIENCE, "disable " + table);
        } catch (TableNotEnabledException | TableNotFoundException e) {
            // So it is.
        }
    }

    /** Enables a table that is not enabled already. */
    public void enable(TableName table) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            Waits.until(admin.enableTableAsync(table), PATIENCE, "enable " + table);
        } catch (TableNotDisabledException | TableNotFoundException e) {
            // So it is.
        }
    }
}
