package io.leeway.hindex.internal.admin;

import io.leeway.hindex.IndexDefinition;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * The definitions in the attributes of base tables, read and changed by HBase's own means. Each method asks anew: there
 * is no copy that could be old. Thread-safe.
 */
public final class IndexCatalog {

    /** Every region of the table is opened anew; there may be many. */
    private static final Duration PATIENCE = Duration.ofHours(1);

    private final Connection connection;

    /** Over this connection, which is not closed. */
    public IndexCatalog(Connection connection) {
        this.connection = connection;
    }

    /** The table as it is; empty if there is none. */
    public Optional<TableDescriptor> table(TableName base) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            return Optional.of(admin.getDescriptor(base));
        } catch (TableNotFoundException e) {
            return Optional.empty();
        }
    }

    /**
     * The table as it is.
     *
     * @throws TableNotFoundException if there is none
     */
    public TableDescriptor require(TableName base) throws IOException {
        return table(base).orElseThrow(() -> new TableNotFoundException("there is no table " + base));
    }

    /** An index as it is now. */
    public IndexPlan index(TableName base, String name) throws IOException {
        return TablePlan.of(require(base)).named(name);
    }

    /** All tables that have an index. */
    public List<TableDescriptor> indexed() throws IOException {
        var indexed = new ArrayList<TableDescriptor>();
        try (Admin admin = connection.getAdmin()) {
            for (TableDescriptor table : admin.listTableDescriptors()) {
                if (MasterTables.isIndexed(table)) {
                    indexed.add(table);
                }
            }
        }
        return indexed;
    }

    /** Whether the table can be used. */
    public boolean isEnabled(TableName base) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            return admin.isTableEnabled(base);
        } catch (TableNotFoundException e) {
            return false;
        }
    }

    /**
     * Changes one definition; returns when every region has it. Does nothing if nothing changes.
     *
     * <p>Not atomic: HBase writes the whole descriptor, so that of two changes at once the later one wins.
     */
    public void change(TableName base, String index, UnaryOperator<IndexDefinition> change) throws IOException {
        TableDescriptor before = require(base);
        IndexDefinition was = TablePlan.of(before).named(index).definition();
        IndexDefinition wanted = change.apply(was);
        if (!wanted.equals(was)) {
            replace(TableDescriptorBuilder.newBuilder(before)
                    .setValue(wanted.attribute(), wanted.toText())
                    .build());
        }
    }

    /** Gives a table other attributes; returns when every region has them. */
    public void replace(TableDescriptor table) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            Waits.until(admin.modifyTableAsync(table), PATIENCE, "change " + table.getTableName());
        }
    }
}
