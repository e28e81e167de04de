package io.leeway.hindex;

import static io.leeway.hindex.IndexedWords.FAMILY;
import static io.leeway.hindex.IndexedWords.word;

import io.leeway.testkit.hbase.HBaseCluster;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/** The only handler of a region server, kept by a write that does not end. */
final class BusyHandler implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 50;

    private final HBaseCluster cluster;
    private final TableName table;
    private final ExecutorService clients = Executors.newFixedThreadPool(2);
    private WriteStop.Gate stop = WriteStop.arm();

    private BusyHandler(HBaseCluster cluster, TableName table) {
        this.cluster = cluster;
        this.table = table;
        stop.open();
    }

    /** What is asked while the handler is busy. */
    @FunctionalInterface
    interface Question<T> {
        T answer() throws Exception;
    }

    /** That of this server; not busy yet. */
    static BusyHandler of(HBaseCluster cluster, HRegionServer server) throws IOException {
        TableName table = cluster.freshTable(
                "busy",
                descriptor -> WriteStop.behind(descriptor.setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))));
        move(cluster, table, server);
        return new BusyHandler(cluster, table);
    }

    /** Moves the only region of a table. */
    static void move(HBaseCluster cluster, TableName table, HRegionServer server) throws IOException {
        try (var admin = cluster.connection().getAdmin()) {
            admin.move(admin.getRegions(table).get(0).getEncodedNameAsBytes(), server.getServerName());
        }
    }

    /** Asks, and fails unless the answer comes while the handler is busy. */
    <T> T meanwhile(Question<T> question) throws Exception {
        stop = WriteStop.arm();
        Future<?> write = clients.submit(() -> {
            try (Table busy = cluster.connection().getTable(table)) {
                busy.put(word("r", "w"));
            }
            return null;
        });
        try {
            if (!stop.isReached()) {
                throw new IllegalStateException("the handler is not busy");
            }
            return clients.submit(question::answer).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("no answer while the handler is busy; what waits:\n" + threads(), e);
        } finally {
            stop.open();
            write.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static String threads() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(each -> Stream.of(each.getValue())
                        .anyMatch(frame -> frame.getClassName().contains("hbase")
                                || frame.getClassName().contains("leeway")))
                .map(each -> each.getKey().getName() + "\n\t"
                        + Stream.of(each.getValue()).map(Object::toString).collect(Collectors.joining("\n\t")))
                .sorted()
                .collect(Collectors.joining("\n"));
    }

    @Override
    public void close() throws IOException {
        stop.open();
        clients.shutdownNow();
        try (var admin = cluster.connection().getAdmin()) {
            admin.disableTable(table);
            admin.deleteTable(table);
        }
    }
}
