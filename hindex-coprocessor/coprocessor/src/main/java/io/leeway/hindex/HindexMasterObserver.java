package io.leeway.hindex;

import io.leeway.hindex.internal.admin.ComingTables;
import io.leeway.hindex.internal.admin.MasterTables;
import io.leeway.hindex.internal.admin.MasterUpkeep;
import io.leeway.hindex.internal.admin.TableOptions;
import io.leeway.hindex.internal.guard.Guard;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.jspecify.annotations.Nullable;

/**
 * Makes a table attribute all that an index needs: named in {@code hbase.coprocessor.master.classes}.
 *
 * <p>The tables for the entries are created, emptied, disabled, enabled and dropped with their base table, the table
 * names {@link HindexObserver} by itself, and new indexes are built in the background. Tables without indexes are not
 * affected. No hook ends the master or waits without limit.
 */
public final class HindexMasterObserver implements MasterCoprocessor, MasterObserver {

    private @Nullable MasterTables tables;
    private @Nullable MasterUpkeep upkeep;

    /** For HBase. */
    public HindexMasterObserver() {}

    @Override
    public Optional<MasterObserver> getMasterObserver() {
        return Optional.of(this);
    }

    @Override
    @SuppressWarnings("rawtypes") // as HBase declares it
    public void start(CoprocessorEnvironment environment) throws IOException {
        if (environment instanceof MasterCoprocessorEnvironment master) {
            Guard.require("start", () -> {
                Configuration site = master.getConfiguration();
                var coming = new ComingTables();
                tables = new MasterTables(master.getConnection(), isEverywhere(site) ? "" : observer(), coming);
                upkeep = new MasterUpkeep(master.getConnection(), site, coming);
            });
        }
    }

    private static String observer() {
        return HindexObserver.class.getName();
    }

    private static boolean isEverywhere(Configuration site) {
        return Stream.of(CoprocessorHost.REGION_COPROCESSOR_CONF_KEY, CoprocessorHost.USER_REGION_COPROCESSOR_CONF_KEY)
                .flatMap(key -> site.getTrimmedStringCollection(key).stream())
                .anyMatch(named -> named.contains(observer()));
    }

    @Override
    @SuppressWarnings("rawtypes") // as HBase declares it
    public void stop(CoprocessorEnvironment environment) {
        Guard.attempt("stop", () -> upkeep().close());
    }

    private MasterTables tables() {
        if (tables == null) {
            throw new IllegalStateException("HBase uses a master observer that it has not started");
        }
        return tables;
    }

    private MasterUpkeep upkeep() {
        if (upkeep == null) {
            throw new IllegalStateException("HBase uses a master observer that it has not started");
        }
        return upkeep;
    }

    @Override
    public void postStartMaster(ObserverContext<MasterCoprocessorEnvironment> context) {
        Guard.attempt("postStartMaster", () -> upkeep().everything());
    }

    @Override
    public TableDescriptor preCreateTableRegionsInfos(
            ObserverContext<MasterCoprocessorEnvironment> context, TableDescriptor table) throws IOException {
        return MasterTables.isIndexed(table)
                ? Guard.get("preCreateTableRegionsInfos", () -> tables().completed(table))
                : table;
    }

    @Override
    public void preCreateTable(
            ObserverContext<MasterCoprocessorEnvironment> context, TableDescriptor table, RegionInfo[] regions)
            throws IOException {
        Guard.require("preCreateTable", () -> {
            TableOptions.require(null, table);
            if (MasterTables.isIndexed(table)) {
                tables().beforeCreation(table);
            }
        });
    }

    @Override
    public TableDescriptor preModifyTable(
            ObserverContext<MasterCoprocessorEnvironment> context,
            TableName name,
            TableDescriptor before,
            TableDescriptor after)
            throws IOException {
        return Guard.get("preModifyTable", () -> {
            TableOptions.require(before, after);
            if (MasterTables.isIndexed(after)) {
                return tables().beforeChange(before, after);
            }
            return MasterTables.isIndexed(before) ? tables().withoutIndexes(after) : after;
        });
    }

    @Override
    public void postModifyTable(
            ObserverContext<MasterCoprocessorEnvironment> context,
            TableName name,
            TableDescriptor before,
            TableDescriptor after) {
        if (MasterTables.isIndexed(before) || MasterTables.isIndexed(after)) {
            Guard.attempt("postModifyTable", () -> upkeep().changed(name));
        }
    }

    @Override
    public void postDeleteTable(ObserverContext<MasterCoprocessorEnvironment> context, TableName name) {
        Guard.attempt("postDeleteTable", () -> {
            try {
                tables().afterDeletion(name);
            } finally {
                upkeep().changed(name);
            }
        });
    }

    @Override
    public void preTruncateTable(ObserverContext<MasterCoprocessorEnvironment> context, TableName name)
            throws IOException {
        Guard.require("preTruncateTable", () -> tables().beforeTruncation(name));
    }

    @Override
    public void postTruncateTable(ObserverContext<MasterCoprocessorEnvironment> context, TableName name) {
        Guard.attempt("postTruncateTable", () -> upkeep().emptied(name));
    }

    @Override
    public void postDisableTable(ObserverContext<MasterCoprocessorEnvironment> context, TableName name) {
        Guard.attempt("postDisableTable", () -> tables().afterDisabling(name));
    }

    @Override
    public void preEnableTable(ObserverContext<MasterCoprocessorEnvironment> context, TableName name) {
        Guard.attempt("preEnableTable", () -> tables().beforeEnabling(name));
    }

    @Override
    public void postEnableTable(ObserverContext<MasterCoprocessorEnvironment> context, TableName name) {
        Guard.attempt("postEnableTable", () -> upkeep().appears(name));
    }

    @Override
    public void preRestoreSnapshot(
            ObserverContext<MasterCoprocessorEnvironment> context, SnapshotDescription snapshot, TableDescriptor table)
            throws IOException {
        Guard.require("preRestoreSnapshot", () -> tables().beforeRestoration(table.getTableName()));
    }

    @Override
    public void postCloneSnapshot(
            ObserverContext<MasterCoprocessorEnvironment> context,
            SnapshotDescription snapshot,
            TableDescriptor table) {
        if (MasterTables.isIndexed(table)) {
            Guard.attempt("postCloneSnapshot", () -> upkeep().appears(table.getTableName()));
        }
    }
}
