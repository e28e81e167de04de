package io.leeway.hindex;

import io.leeway.hindex.internal.admin.Operations;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * What an operator does with indexes.
 *
 * <pre>{@code
 * HindexAdmin indexes = HindexAdmin.of(connection);
 * indexes.index(table, IndexDefinition.builder("by_city").column("d", "city", Encoding.UTF8).build());
 * }</pre>
 *
 * <p>Works with and without {@link HindexMasterObserver}. Every call may be repeated after a failure; rows can be read
 * and written meanwhile. Immutable and thread-safe; uses the connection and does not close it.
 */
public final class HindexAdmin {

    private final Connection connection;
    private final double rowsPerSecond;
    private final Consumer<Progress> progress;

    private HindexAdmin(Connection connection, double rowsPerSecond, Consumer<Progress> progress) {
        this.connection = connection;
        this.rowsPerSecond = rowsPerSecond;
        this.progress = progress;
    }

    /** An administrator over this connection. */
    public static HindexAdmin of(Connection connection) {
        return new HindexAdmin(connection, 0, none -> {});
    }

    /** The same, but builds take no more than so many rows a second. */
    public HindexAdmin withRate(double rows) {
        if (!(rows > 0)) {
            throw new IllegalArgumentException("a rate of " + rows + " rows a second; give more than 0");
        }
        return new HindexAdmin(connection, rows, progress);
    }

    /** The same, but told how far a build is; what the listener throws ends the build, which can be gone on with. */
    public HindexAdmin withProgress(Consumer<Progress> listener) {
        return new HindexAdmin(connection, rowsPerSecond, listener);
    }

    /**
     * Defines an index. From then on writes keep it; it can be read when it has been built.
     *
     * @throws IllegalArgumentException if the table has an index of that name, or cannot have this one
     */
    public void create(TableName table, IndexDefinition index) throws IOException {
        operations().create(table, index);
    }

    /**
     * Defines an index, unless the table has this one already, and builds it: {@link #create} and {@link #build} in
     * one.
     *
     * @return whether the index can be read now; not if somebody paused or dropped it meanwhile
     * @throws IllegalArgumentException if the table has another index of that name, or cannot have this one
     */
    public boolean index(TableName table, IndexDefinition index) throws IOException {
        if (list(table).stream().noneMatch(known -> isSame(known.definition(), index))) {
            create(table, index);
        }
        return build(table, index.name());
    }

    /** Whatever state it is in. */
    private static boolean isSame(IndexDefinition known, IndexDefinition index) {
        return known.toBuilder().state(index.state()).build().toText().equals(index.toText())
                && known.name().equals(index.name());
    }

    /** The indexes of all tables. */
    public List<IndexInfo> list() throws IOException {
        return operations().list();
    }

    /** The indexes of a table. */
    public List<IndexInfo> list(TableName table) throws IOException {
        return operations().list(table);
    }

    /** An index as it is now. */
    public IndexInfo get(TableName table, String index) throws IOException {
        return operations().get(table, index);
    }

    /**
     * Adds the entries of what was in the table before the index, and makes it readable. Returns when that is done, by
     * this call or by whoever builds it already; goes on where an earlier build ended. An index that is disabled is
     * built from the beginning.
     *
     * @return whether the index can be read now; not if somebody paused or dropped it meanwhile
     * @throws IllegalStateException if it is paused or being dropped
     */
    public boolean build(TableName table, String index) throws IOException {
        return operations().build(table, index, rowsPerSecond, progress);
    }

    /** Compares an index with its table by {@link VerifyMethod#HASH}, as both are now. */
    public VerifyReport verify(TableName table, String index) throws IOException {
        return verify(table, index, VerifyMethod.HASH);
    }

    /** Compares an index with its table, as both are now. */
    public VerifyReport verify(TableName table, String index, VerifyMethod method) throws IOException {
        return verify(table, index, method, System.currentTimeMillis());
    }

    /**
     * Compares an index with its table. Whatever is written meanwhile, nothing is reported that is right: what looks
     * wrong is looked at again under the lock of its row.
     *
     * @param asOf versions with larger timestamps are not looked at; {@link Long#MAX_VALUE} for all
     * @throws IllegalStateException if nothing keeps the index, so that it cannot be right
     */
    public VerifyReport verify(TableName table, String index, VerifyMethod method, long asOf) throws IOException {
        return operations().compare(table, index, method, asOf, false, rowsPerSecond, progress);
    }

    /** Compares an index with its table by {@link VerifyMethod#HASH} and puts right what is wrong. */
    public VerifyReport repair(TableName table, String index) throws IOException {
        return repair(table, index, VerifyMethod.HASH, System.currentTimeMillis());
    }

    /**
     * Compares an index with its table and puts right what is wrong: missing entries are added, dangling and superseded
     * ones removed. Entries of deleted values are left to compactions, of which one is begun for each of their regions.
     *
     * @return what was wrong
     */
    public VerifyReport repair(TableName table, String index, VerifyMethod method, long asOf) throws IOException {
        return operations().compare(table, index, method, asOf, true, rowsPerSecond, progress);
    }

    /** Stops reads of an index, and its build; writes keep it. */
    public void pause(TableName table, String index) throws IOException {
        operations().become(table, index, IndexState.PAUSED);
    }

    /** Ends a pause: an index that is complete can be read again, another is to be built on. */
    public void resume(TableName table, String index) throws IOException {
        operations().resume(table, index);
    }

    /**
     * Stops reads of an index and does not keep it any longer; it is to be built from the beginning to be used again.
     */
    public void disable(TableName table, String index) throws IOException {
        operations().disable(table, index);
    }

    /** Removes an index with its entries. */
    public void drop(TableName table, String index) throws IOException {
        operations().drop(table, index);
    }

    /**
     * Leaves tables as they were before they had indexes: they name no class and no option of hindex any more, so that
     * servers may start without its jar; tables of entries that are left over are removed. To be called when the
     * indexes are dropped, and before the jar is taken away.
     *
     * @param tables none for all
     * @return the tables that were changed or removed
     * @throws IllegalStateException if one has an index; nothing has changed then
     */
    public List<TableName> uninstall(TableName... tables) throws IOException {
        return operations().uninstall(List.of(tables));
    }

    /** Has an index follow its table in another way from now on. */
    public void mode(TableName table, String index, IndexMode mode) throws IOException {
        operations().mode(table, index, mode);
    }

    private Operations operations() {
        return new Operations(connection, HindexObserver.class.getName());
    }
}
