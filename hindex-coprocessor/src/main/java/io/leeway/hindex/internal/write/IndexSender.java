package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;

/*
 * Entries go to their region servers over a connection of its own: with short time limits, since a handler and row locks
 * wait behind it, and with high priority, so that they are served by other threads than the writes that wait for them.
 * With one pool for both, two servers whose handlers all wait for each other would never get on. The index's own regions
 * call nobody.
 */
/** Writes to index tables. Thread-safe. */
public final class IndexSender implements AutoCloseable {

    private static final byte[] FAMILY = IndexPlan.entryFamily();

    private final Connection connection;

    private IndexSender(Connection connection) {
        this.connection = connection;
    }

    /** Makes the connection that a sender gets, from the settings that it needs. */
    @FunctionalInterface
    public interface Connector {
        /** Connects with these settings. */
        Connection connect(Configuration settings) throws IOException;
    }

    /** A sender that gives up after this many milliseconds. */
    public static IndexSender open(Configuration server, int timeoutMillis, Connector connector) throws IOException {
        var settings = new Configuration(server);
        settings.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, timeoutMillis);
        settings.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, timeoutMillis);
        settings.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, timeoutMillis);
        settings.setInt("hbase.ipc.client.socket.timeout.connect", Math.min(timeoutMillis, 2000));
        settings.setInt(HConstants.HBASE_CLIENT_PAUSE, 20);
        // The time limit ends the retries, not their number.
        settings.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 100);
        settings.setInt("hbase.client.serverside.retries.multiplier", 1);
        return new IndexSender(connector.connect(settings));
    }

    /** For reads of index tables. */
    public Connection connection() {
        return connection;
    }

    /** Writes entries; returns when all of them are there. */
    public void put(Collection<NewEntry> entries) throws IOException {
        var puts = new TreeMap<TableName, List<Row>>();
        for (NewEntry entry : entries) {
            Put put = new Put(entry.entry().key())
                    .addColumn(
                            FAMILY,
                            entry.entry().qualifier(),
                            entry.entry().timestamp(),
                            entry.entry().content());
            if (entry.timeToLive() != Long.MAX_VALUE) {
                put.setTTL(entry.timeToLive());
            }
            add(puts, entry.entry(), put);
        }
        send(puts);
    }

    /** Removes entries; returns when all of them are gone. Removing what is not there changes nothing. */
    public void delete(Collection<Entry> entries) throws IOException {
        var deletes = new TreeMap<TableName, List<Row>>();
        for (Entry entry : entries) {
            add(deletes, entry, new Delete(entry.key()).addColumn(FAMILY, entry.qualifier(), entry.timestamp()));
        }
        send(deletes);
    }

    private static void add(Map<TableName, List<Row>> rows, Entry entry, Mutation mutation) {
        mutation.setPriority(HConstants.HIGH_QOS);
        rows.computeIfAbsent(entry.index().table(), table -> new ArrayList<>()).add(mutation);
    }

    private void send(Map<TableName, List<Row>> byTable) throws IOException {
        for (Map.Entry<TableName, List<Row>> rows : byTable.entrySet()) {
            try (Table table = connection.getTable(rows.getKey())) {
                table.batch(rows.getValue(), new Object[rows.getValue().size()]);
            } catch (IOException e) {
                throw explained(rows.getKey(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while " + rows.getKey() + " was written", e);
            }
        }
    }

    private static IOException explained(TableName table, IOException e) {
        Throwable cause = e instanceof RetriesExhaustedWithDetailsException details && details.getNumExceptions() > 0
                ? details.getCause(0)
                : e;
        String remedy = cause instanceof TableNotFoundException
                ? " does not exist; build the index, which creates it, or drop it"
                : " could not be written (" + cause.getClass().getSimpleName() + "); try again";
        return new IOException("the index table " + table + remedy, e);
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
