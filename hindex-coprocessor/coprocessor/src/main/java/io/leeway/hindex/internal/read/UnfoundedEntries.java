package io.leeway.hindex.internal.read;

import com.google.protobuf.ServiceException;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/*
 * An entry without a base cell is of a write that failed, or of one that is still on its way. The two are told apart under
 * the row's lock only, which the write holds from before its entry until after its base cell: so the base region decides.
 */
/**
 * Asks the regions of the base table to remove entries that its rows do not bear out. Filled and sent once. Not
 * thread-safe.
 */
public final class UnfoundedEntries {

    private final Connection connection;
    private final TableName base;
    private final IndexPlan index;
    private final List<RemovalProtocol.Item> items = new ArrayList<>();

    /** None yet. */
    public UnfoundedEntries(Connection connection, TableName base, IndexPlan index) {
        this.connection = connection;
        this.base = base;
        this.index = index;
    }

    /** One to ask for. */
    public void add(Entry entry) {
        items.add(new RemovalProtocol.Item(entry.key(), entry.qualifier(), entry.timestamp()));
    }

    /**
     * Asks for all, one call for each region.
     *
     * <p>A call that fails ends it: what is left is found again by the next who looks.
     *
     * @return how many were removed
     */
    public int remove() throws IOException {
        Map<byte[], List<RemovalProtocol.Item>> byRegion = new TreeMap<>(Bytes.BYTES_COMPARATOR);
        try (RegionLocator regions = connection.getRegionLocator(base)) {
            for (RemovalProtocol.Item item : items) {
                // The row is in the entry's key, so nothing has to be looked up to know whom to ask.
                byte[] start = regions.getRegionLocation(index.row(item.key()))
                        .getRegion()
                        .getStartKey();
                byRegion.computeIfAbsent(start, none -> new ArrayList<>()).add(item);
            }
        }
        int removed = 0;
        try (Table table = connection.getTable(base)) {
            for (Map.Entry<byte[], List<RemovalProtocol.Item>> region : byRegion.entrySet()) {
                removed += remove(table, region.getKey(), region.getValue());
            }
        }
        return removed;
    }

    private int remove(Table table, byte[] region, List<RemovalProtocol.Item> ofRegion) throws IOException {
        try {
            return RemovalProtocol.removed(table.coprocessorService(region)
                    .callBlockingMethod(
                            RemovalProtocol.MESSAGES.method(),
                            null,
                            RemovalProtocol.message(new RemovalProtocol.Request(index.name(), ofRegion)),
                            RemovalProtocol.MESSAGES.prototype()));
        } catch (ServiceException e) {
            throw new IOException("the region did not remove entries", e);
        }
    }
}
