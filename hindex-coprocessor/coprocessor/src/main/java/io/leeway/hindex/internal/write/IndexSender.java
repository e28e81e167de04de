package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.IndexTables;
import io.leeway.hindex.internal.silence.CallLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.security.User;
import org.jspecify.annotations.Nullable;

/*
 * Entries go to their region servers over a connection of its own: with short time limits, since a handler and row locks
 * wait behind it, and with high priority, so that they are served by other threads than the writes that wait for them.
 * With one pool for both, two servers whose handlers all wait for each other would never get on. The index's own regions
 * call nobody.
 *
 * HBase's client passes on the priority of puts in a batch, but of deletes only through a buffered mutator (2.6.4). A factory
 * of controllers would do for both, but HBase looks for its class where a jar that a table names is not seen.
 */
/**
 * Writes to index tables and asks them. There is one on a server, behind {@link SharedSender}, which is what the other
 * parts call. What it is asked has been carried out when it returns; when it throws, nobody knows whether it was, or
 * will be. Thread-safe.
 */
public final class IndexSender implements AutoCloseable {

    private static final byte[] FAMILY = IndexPlan.entryFamily();

    /** As many as HBase sends in one request; each request has the whole time limit. */
    private static final int MOST_DELETES = 2_000;

    /** More than a write of so many are called for, since HBase holds up calls while its memory is full. */
    private static final int MOST_HERE = 5_000;

    /**
     * As many removals as can be on their way at once; further ones are sent by the threads that wait for them anyway.
     */
    private static final int MOST_THREADS = 256;
    /** Afterwards a thread ends: most servers never remove more than a few entries at a time. */
    private static final long IDLE_SECONDS = 30;

    private final Connection connection;
    private final RegionsHere here;
    /** Whether calls have to leave the handler's thread to be made with the server's rights, see {@link #asServer}. */
    private final boolean isApart;
    /** How long after now a removal says that it may be carried out. */
    private final long lifeMillis;

    /** For calls of buffered mutators, one for each server; where all are busy, who waits for the call makes it. */
    private final ThreadPoolExecutor calls = new ThreadPoolExecutor(
            0,
            MOST_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            IndexSender::thread,
            new ThreadPoolExecutor.CallerRunsPolicy());

    private IndexSender(Connection connection, RegionsHere here, boolean isApart, long lifeMillis) {
        this.connection = connection;
        this.here = here;
        this.isApart = isApart;
        this.lifeMillis = lifeMillis;
    }

    private static Thread thread(Runnable call) {
        var thread = new Thread(call, "hindex removals");
        thread.setDaemon(true);
        return thread;
    }

    /** Makes the connection that a sender gets, from the settings that it needs. */
    @FunctionalInterface
    public interface Connector {
        /** Connects with these settings. */
        Connection connect(Configuration settings) throws IOException;
    }

    /**
     * A sender with these limits.
     *
     * <p>Rights are looked at where the server checks them at all; elsewhere a change of threads would cost each write
     * a little for nothing.
     */
    static IndexSender open(
            Configuration server,
            SharedSender.Limits limits,
            Connector connector,
            Function<String, @Nullable Region> regions)
            throws IOException {
        int timeoutMillis = limits.timeoutMillis();
        boolean isApart = server.getBoolean(User.HBASE_SECURITY_AUTHORIZATION_CONF_KEY, false);
        Connection connection = connector.connect(CallLimits.of(server, timeoutMillis));
        return new IndexSender(
                connection, new RegionsHere(regions, connection, timeoutMillis), isApart, limits.removalLifeMillis());
    }

    /** Writes entries; returns when all of them are there. */
    public void put(Collection<NewEntry> entries) throws IOException {
        send(puts(entries), this::call);
    }

    /**
     * The same for those of a write that HBase has let in, so that there was room in the server's memory: those whose
     * regions are on this server need no call.
     *
     * <p>Builds and loads do not come this way: nobody has let them in, and writing past HBase's check while memory is
     * full would fill it further.
     */
    void putOfWrite(Collection<NewEntry> entries) throws IOException {
        send(puts(entries), entries.size() > MOST_HERE ? this::call : this::putOfWrite);
    }

    private static Map<TableName, List<Mutation>> puts(Collection<NewEntry> entries) {
        var puts = new TreeMap<TableName, List<Mutation>>();
        for (NewEntry entry : entries) {
            Put put = new Put(entry.entry().key())
                    .addColumn(
                            FAMILY,
                            entry.entry().qualifier(),
                            entry.entry().timestamp(),
                            entry.entry().content());
            // As its base cell: an entry that outlived it would only be met in vain.
            if (entry.timeToLive() != Long.MAX_VALUE) {
                put.setTTL(entry.timeToLive());
            }
            add(puts, entry.entry(), put);
        }
        return puts;
    }

    /**
     * Removes entries; returns when all of them are gone. Removing what is not there changes nothing.
     *
     * <p>Each with its exact timestamp: the same value of the row at another time is another cell in the same place,
     * which stays.
     */
    public void delete(Collection<Entry> entries) throws IOException {
        var deletes = new TreeMap<TableName, List<Mutation>>();
        for (Entry entry : entries) {
            add(deletes, entry, new Delete(entry.key()).addColumn(FAMILY, entry.qualifier(), entry.timestamp()));
        }
        send(deletes, this::delete);
    }

    private static void add(Map<TableName, List<Mutation>> mutations, Entry entry, Mutation mutation) {
        mutation.setPriority(HConstants.HIGH_QOS);
        mutations
                .computeIfAbsent(entry.index().table(), table -> new ArrayList<>())
                .add(mutation);
    }

    /** How mutations of one table go there. */
    @FunctionalInterface
    private interface Way {
        void send(TableName table, List<Mutation> mutations) throws IOException, InterruptedException;
    }

    /**
     * One table after the other. Where one fails the rest is not sent: the write is refused as a whole, and what was
     * sent before counts as an entry of a write that failed.
     */
    private void send(Map<TableName, List<Mutation>> byTable, Way way) throws IOException {
        for (Map.Entry<TableName, List<Mutation>> mutations : byTable.entrySet()) {
            try {
                way.send(mutations.getKey(), mutations.getValue());
            } catch (IOException e) {
                forgetRegions(mutations.getKey(), e);
                throw explained(mutations.getKey(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while " + mutations.getKey() + " was written", e);
            }
        }
    }

    private void call(TableName name, List<Mutation> puts) throws IOException, InterruptedException {
        asServer(() -> {
            batch(name, puts);
            return name;
        });
    }

    private void putOfWrite(TableName name, List<Mutation> puts) throws IOException, InterruptedException {
        asServer(() -> {
            // The order in which a region takes them best.
            puts.sort(Row.COMPARATOR);
            RegionsHere.Split split = here.split(name, puts);
            // Both at the same time: first those here are begun, then the others are sent, then the first are waited
            // for.
            RegionsHere.Running running = here.write(split.here());
            batch(name, split.elsewhere());
            // What the region here did not take may be somewhere else by now: the client finds out where.
            batch(name, running.await());
            return name;
        });
    }

    /** What is asked of other servers, or of this one. */
    @FunctionalInterface
    interface Call<T> {
        T call() throws IOException, InterruptedException;
    }

    /**
     * Who reads or writes is asked for rights by HBase's access control. In the thread of a call that is its caller, if
     * the region of the index is on the same server, since no other call is made then.
     *
     * <p>So the thread is changed: one of our own has no caller, and acts for the server. It is waited for, so the
     * limits of the call hold.
     */
    <T> T asServer(Call<T> call) throws IOException, InterruptedException {
        if (!isApart) {
            return call.call();
        }
        try {
            return calls.submit(call::call).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        }
    }

    /**
     * As a batch, of which HBase's client passes on the priority. Its results are not looked at, since it throws if one
     * failed.
     */
    private void batch(TableName name, List<Mutation> puts) throws IOException, InterruptedException {
        if (puts.isEmpty()) {
            return;
        }
        try (Table table = connection.getTable(name)) {
            table.batch(puts, new Object[puts.size()]);
        }
    }

    /**
     * Through a buffered mutator, as the comment above says, which is opened for each part: it has a queue of its own,
     * so that nothing of another removal is in what a failure speaks of. The limit of each part begins when this is
     * sent, not before those in front.
     */
    private void delete(TableName name, List<Mutation> deletes) throws IOException {
        for (int from = 0; from < deletes.size(); from += MOST_DELETES) {
            List<Mutation> some = deletes.subList(from, Math.min(deletes.size(), from + MOST_DELETES));
            long until = System.currentTimeMillis() + lifeMillis;
            some.forEach(delete -> RunningRemovals.limit((Delete) delete, until));
            var parameters = new BufferedMutatorParams(name).pool(calls);
            try (BufferedMutator mutator = connection.getBufferedMutator(parameters)) {
                mutator.mutate(some);
                mutator.flush();
            }
        }
    }

    /** What is asked of an index table. */
    @FunctionalInterface
    public interface Question<T> {
        /** Asks over this connection. */
        T ask(Connection connection) throws IOException;
    }

    /**
     * Reads an index table, or writes what is not an entry.
     *
     * <p>In the thread of who asks, and so with its rights; within a call that came from outside see
     * {@link SharedSender#askAsServer}.
     */
    <T> T ask(TableName table, Question<T> question) throws IOException {
        try {
            return question.ask(connection);
        } catch (IOException e) {
            forgetRegions(table, e);
            throw explained(table, e);
        }
    }

    /**
     * A server says of a region that has left it where it went, for two minutes and whatever became of it there. Where
     * one was moved to another server and back, and is then split or merged, HBase's client asks both in turn for so
     * long (2.6.4).
     *
     * <p>So after every failure all of the table's places are asked for anew: the next attempt costs a look at
     * {@code hbase:meta}, which is little beside a time limit that passes for nothing.
     */
    private void forgetRegions(TableName table, IOException failure) {
        try (RegionLocator regions = connection.getRegionLocator(table)) {
            regions.clearRegionLocationCache();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private static IOException explained(TableName table, IOException e) {
        // The first of many is what a person needs; the whole stands behind as the cause.
        Throwable cause = e instanceof RetriesExhaustedWithDetailsException details && details.getNumExceptions() > 0
                ? details.getCause(0)
                : e;
        String remedy = IndexTables.fault(cause)
                .orElseGet(() ->
                        " could not be written or read (" + cause.getClass().getSimpleName() + "); try again");
        // Not itself: clients do not try again what is refused so, and this passes.
        return new IOException("the index table " + table + remedy, e);
    }

    /** Threads first, though without waiting: their calls fail when the connection goes, and then they end. */
    @Override
    public void close() throws IOException {
        calls.shutdown();
        here.close();
        connection.close();
    }
}
