package io.leeway.hindex.internal.write;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.Region;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * HBase's client makes messages of what it sends, and the server takes them apart again, also where the call stays in the process.
 * That is as much work as writing the entries. So a region of this server is written as HBase writes it when a call has arrived.
 *
 * It is done in a thread of its own: who waits for a region that does not answer waits no longer than for a call, and it is done
 * with the server's rights, as HBase finds no call there whose caller it could ask for them.
 */
/** Writes to index regions that are on this server, without a call. Thread-safe. */
final class RegionsHere implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");

    /** Without a queue behind: what finds no thread goes by a call, which has a queue and limits of its own. */
    private static final int MOST_THREADS = 256;

    private static final long IDLE_SECONDS = 30;

    private final Function<String, @Nullable Region> server;
    private final Connection connection;
    private final int timeoutMillis;
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0, MOST_THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), RegionsHere::thread);

    /** Of a server, whose regions it finds by their encoded names; the connection tells which regions there are. */
    RegionsHere(Function<String, @Nullable Region> server, Connection connection, int timeoutMillis) {
        this.server = server;
        this.connection = connection;
        this.timeoutMillis = timeoutMillis;
    }

    private static Thread thread(Runnable writes) {
        var thread = new Thread(writes, "hindex entries of regions here");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Mutations by where they go.
     *
     * @param here by regions of this server
     */
    record Split(Map<Region, List<Mutation>> here, List<Mutation> elsewhere) {}

    /**
     * Tells them apart by what the connection knows of the table's regions; they are in the order of their rows.
     *
     * <p>That may be old: a region that has moved is not found here and goes by a call, one that was split is not
     * either. So a wrong answer costs time and nothing else. Sorted, so that each region is looked up once and its
     * mutations stand together.
     */
    Split split(TableName table, List<Mutation> sorted) throws IOException {
        var split = new Split(new LinkedHashMap<>(), new ArrayList<>());
        try (RegionLocator locator = connection.getRegionLocator(table)) {
            int from = 0;
            while (from < sorted.size()) {
                RegionInfo info =
                        locator.getRegionLocation(sorted.get(from).getRow()).getRegion();
                int to = from + 1;
                while (to < sorted.size() && info.containsRow(sorted.get(to).getRow())) {
                    to++;
                }
                Region region = server.apply(info.getEncodedName());
                List<Mutation> ofRegion = sorted.subList(from, to);
                if (region == null) {
                    split.elsewhere.addAll(ofRegion);
                } else {
                    split.here.put(region, ofRegion);
                }
                from = to;
            }
        }
        return split;
    }

    /** Begins to write. */
    Running write(Map<Region, List<Mutation>> here) {
        List<Mutation> all = here.values().stream().flatMap(List::stream).toList();
        if (here.isEmpty()) {
            return new Running(null, all);
        }
        try {
            return new Running(threads.submit(() -> writeAll(here)), all);
        } catch (RejectedExecutionException e) {
            // More is on its way here than a server has handlers for, or its last region is just being closed.
            return new Running(null, all);
        }
    }

    /** What is being written. */
    final class Running {

        /** From when it began, so that calls to other servers, which are made meanwhile, take of the same time. */
        private final long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);

        private final @Nullable Future<List<Mutation>> left;
        private final List<Mutation> all;

        private Running(@Nullable Future<List<Mutation>> left, List<Mutation> all) {
            this.left = left;
            this.all = all;
        }

        /**
         * Waits for it.
         *
         * @return what could not be written here, but perhaps by a call, which asks again where its region is and
         *     whether it can be written
         * @throws TimeoutIOException if the time limit passes; it may still be written later
         */
        List<Mutation> await() throws IOException, InterruptedException {
            if (left == null) {
                return all;
            }
            try {
                return left.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                throw new TimeoutIOException("not written within " + timeoutMillis + " ms", e);
            } catch (ExecutionException e) {
                throw new IOException(e.getCause());
            }
        }
    }

    private static List<Mutation> writeAll(Map<Region, List<Mutation>> here) {
        var left = new ArrayList<Mutation>();
        here.forEach((region, mutations) -> left.addAll(write(region, mutations)));
        return left;
    }

    /**
     * As a call would have it written: with the region's hooks, log and checks. Whatever it refuses is returned and not
     * thrown, as a call finds out better than this what a client is to be told.
     */
    private static List<Mutation> write(Region region, List<Mutation> mutations) {
        try {
            OperationStatus[] written = region.batchMutate(mutations.toArray(new Mutation[0]));
            var left = new ArrayList<Mutation>(0);
            for (int i = 0; i < written.length; i++) {
                if (written[i].getOperationStatusCode() != OperationStatusCode.SUCCESS) {
                    left.add(mutations.get(i));
                }
            }
            return left;
        } catch (IOException e) {
            LOG.debug("{} is written by calls", region.getRegionInfo().getRegionNameAsString(), e);
            return mutations;
        }
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
