package io.leeway.hindex.internal.upkeep;

import com.google.protobuf.Message;
import com.google.protobuf.ServiceException;
import io.leeway.hindex.internal.plan.IndexPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Asks the regions of a base table: the client's side of {@link UpkeepProtocol}, for operators' commands and the
 * master. It calls with the rights of whoever has the connection. Thread-safe.
 */
public final class UpkeepClient {

    private final Connection connection;
    private final TableName base;

    /** Over this connection, which is not closed. */
    public UpkeepClient(Connection connection, TableName base) {
        this.connection = connection;
        this.base = base;
    }

    /** How far one call came. */
    @SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
    public record Step(byte[] next, boolean isEnd, int rows, int entries) {}

    /** An entry to be checked. */
    @SuppressWarnings("ArrayRecordComponent") // bytes as HBase hands them around
    public record Suspect(byte[] key, byte[] qualifier, long timestamp) {}

    /** Is told what became of a suspect. */
    @FunctionalInterface
    public interface Listener {
        /** This. */
        void verdict(Suspect suspect, Verdict verdict);
    }

    /** Whether the region with this row keeps an index. */
    public boolean isKept(String index, byte[] row) throws IOException {
        return !(ask(row, new UpkeepProtocol.Keeps(index)) instanceof UpkeepProtocol.NoIndex);
    }

    /**
     * Fails unless who asks may read the table and the index, as its first region finds out. HBase itself does not
     * refuse all reads without rights, but shows less; who compares must not take that for all there is.
     */
    public void requireRights(String index) throws IOException {
        ask(HConstants.EMPTY_START_ROW, new UpkeepProtocol.Keeps(index));
    }

    /**
     * How the table is described where its first region was opened, which is what that region does. The master is not
     * asked, so that who reads does not depend on it; unless no region has the observer. For clients: what a region
     * server has to know, it asks by {@link DescribedTable}.
     */
    public TableDescriptor describe() throws IOException {
        if (ask(HConstants.EMPTY_START_ROW, new UpkeepProtocol.Describe())
                instanceof UpkeepProtocol.Described described) {
            return DescribedTable.parse(base, described.table());
        }
        try (Table table = connection.getTable(base)) {
            return table.getDescriptor();
        }
    }

    /** Builds some rows; empty if the region does not keep the index, or not yet. */
    public Optional<Step> build(String index, byte[] start, byte[] stop, int rows) throws IOException {
        return ask(start, new UpkeepProtocol.Build(index, start, stop, rows)) instanceof UpkeepProtocol.Built built
                ? Optional.of(new Step(built.next(), built.isEnd(), built.rows(), built.entries()))
                : Optional.empty();
    }

    /**
     * Checks entries, those of one region in one call.
     *
     * @return those that could not be checked since their rows moved, or their region does not keep the index yet
     */
    public List<Suspect> check(IndexPlan index, List<Suspect> suspects, boolean repairs, Listener listener)
            throws IOException {
        Map<byte[], List<Suspect>> byRegion = new TreeMap<>(Bytes.BYTES_COMPARATOR);
        try (RegionLocator regions = connection.getRegionLocator(base)) {
            for (Suspect suspect : suspects) {
                byte[] start = regions.getRegionLocation(index.row(suspect.key()))
                        .getRegion()
                        .getStartKey();
                byRegion.computeIfAbsent(start, none -> new ArrayList<>()).add(suspect);
            }
        }
        var left = new ArrayList<Suspect>();
        for (List<Suspect> ofRegion : byRegion.values()) {
            left.addAll(checkRegion(index, ofRegion, repairs, listener));
        }
        return left;
    }

    private List<Suspect> checkRegion(IndexPlan index, List<Suspect> suspects, boolean repairs, Listener listener)
            throws IOException {
        List<UpkeepProtocol.Item> items = suspects.stream()
                .map(suspect -> new UpkeepProtocol.Item(suspect.key(), suspect.qualifier(), suspect.timestamp()))
                .toList();
        byte[] row = index.row(suspects.get(0).key());
        if (!(ask(row, new UpkeepProtocol.Check(index.name(), repairs, items))
                instanceof UpkeepProtocol.Checked checked)) {
            return suspects;
        }
        var left = new ArrayList<Suspect>();
        for (int i = 0; i < suspects.size(); i++) {
            if (checked.verdicts().get(i) == Verdict.ELSEWHERE) {
                left.add(suspects.get(i));
            } else {
                listener.verdict(suspects.get(i), checked.verdicts().get(i));
            }
        }
        return left;
    }

    private UpkeepProtocol.Response ask(byte[] row, UpkeepProtocol.Request request) throws IOException {
        try (Table table = connection.getTable(base)) {
            Message answer = table.coprocessorService(row)
                    .callBlockingMethod(
                            UpkeepProtocol.method(), null, UpkeepProtocol.message(request), UpkeepProtocol.prototype());
            return UpkeepProtocol.response(answer);
        } catch (ServiceException e) {
            if (e.getCause() instanceof UnknownProtocolException) {
                // The region was opened before the table named the observer.
                return new UpkeepProtocol.NoIndex();
            }
            // As HBase threw it, so that callers tell kinds apart, as a refusal for want of rights.
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IOException("a region of " + base + " did not answer", e);
        }
    }
}
