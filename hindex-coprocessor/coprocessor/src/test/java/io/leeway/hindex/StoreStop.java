package io.leeway.hindex;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;

/** Loaded by HBase behind the index's own observer: holds a flush or a compaction at one of its hooks. */
public final class StoreStop implements RegionCoprocessor, RegionObserver {

    private static final int PATIENCE_SECONDS = 60;
    private static final AtomicInteger FLUSHES = new AtomicInteger();
    private static volatile Gate armed = new Gate(Point.NOWHERE);
    /** Of loads, which may be held beside a compaction. */
    private static volatile Gate ofLoads = new Gate(Point.NOWHERE);

    /** For HBase. */
    public StoreStop() {}

    /** Where the next one waits. */
    enum Point {
        NOWHERE,
        /** The index has been told of the flush; what is written goes into its file yet. */
        BEFORE_A_FLUSH,
        /** What is written now does not. */
        IN_A_FLUSH,
        /** The index has been told that the file is written; the store does not have it yet. */
        BEFORE_A_FLUSHED_FILE_IS_ADDED,
        /** The index has seen the first row that the compaction reads. */
        IN_A_COMPACTION,
        /** The index has been told that the file of a compaction is written; the store has the old ones yet. */
        BEFORE_FILES_ARE_REPLACED,
        /** HBase has taken the files of a load; the index has not been told. */
        BEFORE_A_LOAD_ENDS
    }

    /** Where one waits; those that come later do not. */
    static final class Gate implements AutoCloseable {

        private final Point point;
        private final AtomicBoolean isTaken = new AtomicBoolean();
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);

        private Gate(Point point) {
            this.point = point;
        }

        /** Waits until one is there. */
        boolean isReached() throws InterruptedException {
            return reached.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }

        /** Lets it go on. */
        void open() {
            open.countDown();
        }

        @Override
        public void close() {
            open();
        }
    }

    static Gate arm(Point point) {
        FLUSHES.set(0);
        LoadCalls.CALLS.set(0);
        armed = new Gate(point);
        return armed;
    }

    /** The next load waits when HBase has its files; a flush or a compaction may be held besides. */
    static Gate armLoads() {
        ofLoads = new Gate(Point.BEFORE_A_LOAD_ENDS);
        return ofLoads;
    }

    /** How many flushes were tried since a gate was armed. */
    static int flushes() {
        return FLUSHES.get();
    }

    /** How many calls of loads have come since a gate was armed: more than one, if the index refuses them. */
    static int loads() {
        return LoadCalls.CALLS.get();
    }

    static TableDescriptorBuilder around(TableDescriptorBuilder table) {
        return IndexedWords.beforeTheIndex(IndexedWords.behindTheIndex(table, StoreStop.class), LoadCalls.class);
    }

    /** In front of the index's own observer: counts calls of loads, and holds them. */
    public static final class LoadCalls implements RegionCoprocessor, RegionObserver {

        private static final AtomicInteger CALLS = new AtomicInteger();

        /** For HBase. */
        public LoadCalls() {}

        @Override
        public Optional<RegionObserver> getRegionObserver() {
            return Optional.of(this);
        }

        @Override
        public void preBulkLoadHFile(
                ObserverContext<RegionCoprocessorEnvironment> context, List<Pair<byte[], String>> files) {
            CALLS.incrementAndGet();
        }

        @Override
        public void postBulkLoadHFile(
                ObserverContext<RegionCoprocessorEnvironment> context,
                List<Pair<byte[], String>> files,
                @Nullable Map<byte[], List<Path>> finalPaths)
                throws IOException {
            hold(ofLoads, Point.BEFORE_A_LOAD_ENDS);
        }
    }

    private static void stop(Point point) throws IOException {
        hold(armed, point);
    }

    private static void hold(Gate gate, Point point) throws IOException {
        if (gate.point != point || !gate.isTaken.compareAndSet(false, true)) {
            return;
        }
        gate.reached.countDown();
        try {
            if (!gate.open.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("the test has not let the region go on " + point);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the test was interrupted", e);
        }
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(this);
    }

    @Override
    public void preFlush(ObserverContext<RegionCoprocessorEnvironment> context, FlushLifeCycleTracker tracker)
            throws IOException {
        FLUSHES.incrementAndGet();
        stop(Point.BEFORE_A_FLUSH);
    }

    @Override
    public InternalScanner preFlush(
            ObserverContext<RegionCoprocessorEnvironment> context,
            Store store,
            InternalScanner scanner,
            FlushLifeCycleTracker tracker)
            throws IOException {
        stop(Point.IN_A_FLUSH);
        return scanner;
    }

    @Override
    public void postFlush(
            ObserverContext<RegionCoprocessorEnvironment> context,
            Store store,
            StoreFile file,
            FlushLifeCycleTracker tracker)
            throws IOException {
        stop(Point.BEFORE_A_FLUSHED_FILE_IS_ADDED);
    }

    @Override
    public InternalScanner preCompact(
            ObserverContext<RegionCoprocessorEnvironment> context,
            Store store,
            InternalScanner scanner,
            ScanType type,
            CompactionLifeCycleTracker tracker,
            CompactionRequest request) {
        return new Stopping(scanner);
    }

    /** Stops before the second row. */
    private static final class Stopping implements InternalScanner {

        private final InternalScanner scanner;
        private boolean isBegun;

        Stopping(InternalScanner scanner) {
            this.scanner = scanner;
        }

        @Override
        public boolean next(List<Cell> cells, ScannerContext limits) throws IOException {
            if (isBegun) {
                stop(Point.IN_A_COMPACTION);
            }
            isBegun = true;
            return scanner.next(cells, limits);
        }

        @Override
        public void close() throws IOException {
            scanner.close();
        }
    }

    @Override
    public void postCompact(
            ObserverContext<RegionCoprocessorEnvironment> context,
            Store store,
            StoreFile file,
            CompactionLifeCycleTracker tracker,
            CompactionRequest request)
            throws IOException {
        stop(Point.BEFORE_FILES_ARE_REPLACED);
    }
}
