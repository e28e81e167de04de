package io.leeway.hindex.internal.admin;

import io.leeway.hindex.IndexDefinition;
import io.leeway.hindex.IndexInfo;
import io.leeway.hindex.IndexMode;
import io.leeway.hindex.IndexState;
import io.leeway.hindex.Progress;
import io.leeway.hindex.VerifyMethod;
import io.leeway.hindex.VerifyReport;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.read.ReadRights;
import io.leeway.hindex.internal.upkeep.UpkeepClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;

/*
 * The same steps as the master's observer takes, in the same order, so that it does not matter whether it is installed:
 * what one has done the other finds done.
 */
/**
 * What an operator asks for, step by step: behind {@code HindexAdmin} and the command line. All is done from the
 * client's side, with its rights, so it works without an observer in the master. Thread-safe.
 */
public final class Operations {

    private final Connection connection;
    private final String observer;
    private final IndexCatalog catalog;
    private final EntryTables tables;

    /**
     * Over this connection, which is not closed.
     *
     * @param observer to be named by tables with indexes
     */
    public Operations(Connection connection, String observer) {
        this.connection = connection;
        this.observer = observer;
        this.catalog = new IndexCatalog(connection);
        this.tables = new EntryTables(connection);
    }

    /**
     * Defines an index and creates its table.
     *
     * <p>In this order: regions that were opened with the index before its table is there would refuse writes.
     */
    public void create(TableName base, IndexDefinition index) throws IOException {
        TableDescriptor before = catalog.require(base);
        if (before.getValue(index.attribute()) != null) {
            throw new IllegalArgumentException("the table " + base + " has an index " + index.name()
                    + " already; drop that one, or give the new one another name");
        }
        TableDescriptor after = TableDescriptorBuilder.newBuilder(before)
                .setValue(index.attribute(), index.toText())
                .build();
        DefinitionChange change = DefinitionChange.changed(before, after, observer);
        for (IndexPlan added : change.added()) {
            if (added.isKept()) {
                tables.createFirst(added, change.table(), ReadRights.isChecked(connection.getConfiguration()));
            }
        }
        catalog.replace(change.table());
    }

    /** Has tables without indexes name nothing of hindex, see {@link Uninstall#run}. */
    public List<TableName> uninstall(List<TableName> of) throws IOException {
        return new Uninstall(connection).run(of);
    }

    /** The indexes of all tables. */
    public List<IndexInfo> list() throws IOException {
        var all = new ArrayList<IndexInfo>();
        for (TableDescriptor table : catalog.indexed()) {
            all.addAll(list(table));
        }
        return all;
    }

    /** The indexes of one table. */
    public List<IndexInfo> list(TableName base) throws IOException {
        return list(catalog.require(base));
    }

    private List<IndexInfo> list(TableDescriptor base) throws IOException {
        var indexes = new ArrayList<IndexInfo>();
        for (IndexPlan index : TablePlan.of(base).indexes()) {
            indexes.add(info(base.getTableName(), index));
        }
        return indexes;
    }

    /** One index. */
    public IndexInfo get(TableName base, String name) throws IOException {
        return info(base, catalog.index(base, name));
    }

    private IndexInfo info(TableName base, IndexPlan index) throws IOException {
        return new IndexInfo(base, index.definition(), index.table(), isComplete(index));
    }

    private boolean isComplete(IndexPlan index) throws IOException {
        try {
            return index.isKept() && tables.isEnabled(index) && new BuildLog(connection, index).isComplete();
        } catch (TableNotFoundException | TableNotEnabledException e) {
            // Somebody drops it just now: no reason not to list the others.
            return false;
        }
    }

    /**
     * Builds, or goes on.
     *
     * @return whether it can be read now
     */
    public boolean build(TableName base, String name, double rowsPerSecond, Consumer<Progress> progress)
            throws IOException {
        IndexPlan index = catalog.index(base, name);
        switch (index.definition().state()) {
            case PAUSED -> throw new IllegalStateException("the index " + name + " is paused; resume it first");
            case DROPPING -> throw new IllegalStateException("the index " + name + " is being dropped");
            case DISABLED -> begin(base, index);
            case BUILDING, ACTIVE -> new Reconciler(connection).reconcile(base);
        }
        requireObserver(base, name);
        IndexPlan begun = catalog.index(base, name);
        if (begun.definition().state() == IndexState.BUILDING) {
            new IndexBuild(connection, base, begun, rowsPerSecond, progress).run();
        }
        return catalog.index(base, name).definition().state() == IndexState.ACTIVE;
    }

    /**
     * An attribute that was set where no master's observer is names no observer for the regions.
     *
     * <p>Asked of a region too: all tables of the cluster may have it by the site file, and then the table needs no
     * name of it.
     */
    private void requireObserver(TableName base, String name) throws IOException {
        TableDescriptor table = catalog.require(base);
        if (!table.hasCoprocessor(observer) && !new UpkeepClient(connection, base).isKept(name, new byte[0])) {
            catalog.replace(TableDescriptorBuilder.newBuilder(table)
                    .setCoprocessor(observer)
                    .build());
        }
    }

    /**
     * Begins anew after the index was not kept. What was written meanwhile has no entries, and nobody removed those of
     * what was overwritten; so they are all taken away, before the regions write to the table again.
     */
    private void begin(TableName base, IndexPlan index) throws IOException {
        if (tables.exists(index)) {
            tables.empty(index.table());
        } else {
            tables.create(index, catalog.require(base));
        }
        become(base, index.name(), IndexState.BUILDING);
    }

    /**
     * Compares an index with its table, and repairs it if that is wanted.
     *
     * @param asOf versions above this timestamp are left out; {@link Long#MAX_VALUE} for none
     */
    public VerifyReport compare(
            TableName base,
            String name,
            VerifyMethod method,
            long asOf,
            boolean repairs,
            double rowsPerSecond,
            Consumer<Progress> progress)
            throws IOException {
        IndexPlan index = asReaderSees(base, name);
        if (!index.isKept()) {
            throw new IllegalStateException("the index " + name + " of " + base + " is "
                    + index.definition().state().name().toLowerCase(Locale.ROOT)
                    + ", so there is nothing to compare; build it first (hindex build)");
        }
        if (!tables.isEnabled(index)) {
            throw new IllegalStateException("the index " + name + " of " + base + " cannot be compared: its table "
                    + index.table() + (tables.exists(index) ? " is disabled" : " does not exist")
                    + "; hindex build puts that right");
        }
        new UpkeepClient(connection, base).requireRights(name);
        var verification = new Verification(connection, base, index, asOf, repairs, rowsPerSecond, progress);
        VerifyReport report = switch (method) {
            case HASH -> verification.byHash();
            case MERGE -> verification.byMerge();
        };
        if (repairs && report.deleted() > 0) {
            compact(base, report);
        }
        return report;
    }

    /** HBase's master describes tables only to who may change them; regions of the table, to who may read it. */
    private IndexPlan asReaderSees(TableName base, String name) throws IOException {
        try {
            return catalog.index(base, name);
        } catch (AccessDeniedException e) {
            return TablePlan.of(new UpkeepClient(connection, base).describe()).named(name);
        }
    }

    /**
     * Removes what only a compaction can decide about; begun and not waited for.
     *
     * <p>Entries of deleted values are not for a repair, see {@code Verdict}. Flushed before, since a compaction reads
     * files only.
     */
    private void compact(TableName base, VerifyReport report) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            for (RegionInfo region : admin.getRegions(base)) {
                boolean concerned = report.regions().stream()
                        .anyMatch(found -> found.deleted() > 0
                                && found.start().equals(Bytes.toStringBinary(region.getStartKey())));
                if (concerned) {
                    admin.flushRegion(region.getRegionName());
                    admin.majorCompactRegion(region.getRegionName());
                }
            }
        }
    }

    /** Goes into another state. */
    public void become(TableName base, String name, IndexState next) throws IOException {
        catalog.change(
                base,
                name,
                was -> was.state() == next
                        ? was
                        : was.toBuilder().state(was.state().become(next)).build());
    }

    /**
     * Ends a pause.
     *
     * <p>Where it stood before is found in its log, as the state of before the pause is not kept.
     */
    public void resume(TableName base, String name) throws IOException {
        IndexPlan index = catalog.index(base, name);
        if (index.definition().state() != IndexState.PAUSED) {
            throw new IllegalStateException(
                    "the index " + name + " is " + index.definition().state() + " and not paused");
        }
        boolean complete = tables.exists(index) && new BuildLog(connection, index).isComplete();
        become(base, name, complete ? IndexState.ACTIVE : IndexState.BUILDING);
    }

    /**
     * Stops keeping an index. Its table cannot be read either, by whoever asked before for its state.
     *
     * <p>First no region writes to it, then it is disabled: the other way round writes of the base table would fail in
     * between.
     */
    public void disable(TableName base, String name) throws IOException {
        become(base, name, IndexState.DISABLED);
        tables.disable(catalog.index(base, name).table());
    }

    /** First nobody writes the entries, then they go, then nobody knows of them. */
    public void drop(TableName base, String name) throws IOException {
        IndexPlan index = catalog.index(base, name);
        become(base, name, IndexState.DROPPING);
        tables.delete(index.table());
        TableDescriptor before = catalog.require(base);
        catalog.replace(TableDescriptorBuilder.newBuilder(before)
                .removeValue(index.definition().attribute())
                .build());
    }

    /** Changes the mode. */
    public void mode(TableName base, String name, IndexMode mode) throws IOException {
        catalog.change(base, name, was -> was.toBuilder().mode(mode).build());
    }
}
