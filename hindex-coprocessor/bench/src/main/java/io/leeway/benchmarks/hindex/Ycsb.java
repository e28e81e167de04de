package io.leeway.benchmarks.hindex;

import io.leeway.benchmarks.results.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import site.ycsb.ClientThread;
import site.ycsb.measurements.Measurements;

/** Has YCSB's client threads put a load on a store. */
final class Ycsb {

    private static final long PATIENCE_SECONDS = 60;

    private Ycsb() {}

    /**
     * What came of it.
     *
     * @param reads microseconds of each
     * @param writes microseconds of each
     * @param server what the server used meanwhile
     */
    record Outcome(double seconds, Series reads, Series writes, Usage server) {

        int operations() {
            return reads.count() + writes.count();
        }

        double perSecond() {
            return operations() / seconds;
        }

        double cpuMicros() {
            return server.cpuNanos() / 1e3 / operations();
        }
    }

    static Outcome run(Store store, KnownRows rows, Load load) throws Exception {
        // Its threads ask for it.
        Measurements.setProperties(new Properties());
        var sessions = new ArrayList<StoreSession>();
        try {
            for (int i = 0; i < load.clients(); i++) {
                sessions.add(new StoreSession(store.session()));
            }
            return run(store, rows, load, sessions);
        } finally {
            for (StoreSession session : sessions) {
                session.close();
            }
        }
    }

    private static Outcome run(Store store, KnownRows rows, Load load, List<StoreSession> sessions) throws Exception {
        var workload = new ValueWorkload(rows, load);
        var end = new CountDownLatch(sessions.size());
        double perMilli = load.target() / sessions.size() / 1e3;
        Usage before = store.usage();
        long start = System.nanoTime();
        for (int i = 0; i < sessions.size(); i++) {
            var client = new ClientThread(
                    sessions.get(i),
                    true,
                    workload,
                    ValueWorkload.properties(rows.count(), load.readPercent()),
                    0,
                    perMilli,
                    end);
            client.setThreadId(i);
            client.setThreadCount(sessions.size());
            var thread = new Thread(client, "ycsb client " + i);
            thread.setDaemon(true);
            thread.start();
        }
        // Sooner if one of them fails.
        end.await(load.time().toMillis(), TimeUnit.MILLISECONDS);
        workload.requestStop();
        boolean isOver = end.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        double seconds = (System.nanoTime() - start) / 1e9;
        Usage used = store.usage().since(before);
        for (StoreSession session : sessions) {
            if (session.failure() != null) {
                throw session.failure();
            }
        }
        if (!isOver) {
            throw new IllegalStateException("an operation on " + store.name() + " does not end");
        }
        var reads = new Series();
        var writes = new Series();
        sessions.forEach(session -> {
            reads.addAll(session.reads());
            writes.addAll(session.writes());
        });
        return new Outcome(seconds, reads, writes, used);
    }
}
