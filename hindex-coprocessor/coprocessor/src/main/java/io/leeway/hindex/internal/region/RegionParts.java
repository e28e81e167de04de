package io.leeway.hindex.internal.region;

import io.leeway.hindex.internal.clock.RowClock;
import io.leeway.hindex.internal.collect.Retention;
import io.leeway.hindex.internal.config.Options;
import io.leeway.hindex.internal.load.BulkLoads;
import io.leeway.hindex.internal.load.ComingRows;
import io.leeway.hindex.internal.load.RunningLoads;
import io.leeway.hindex.internal.metrics.Metrics;
import io.leeway.hindex.internal.plan.Entry;
import io.leeway.hindex.internal.plan.TablePlan;
import io.leeway.hindex.internal.read.ReadRights;
import io.leeway.hindex.internal.read.ScanRewriter;
import io.leeway.hindex.internal.read.ServerReads;
import io.leeway.hindex.internal.repair.AskedCompactions;
import io.leeway.hindex.internal.repair.CompactionTurns;
import io.leeway.hindex.internal.repair.Removals;
import io.leeway.hindex.internal.repair.StoreRepair;
import io.leeway.hindex.internal.repair.WholePasses;
import io.leeway.hindex.internal.upkeep.FailedEntries;
import io.leeway.hindex.internal.upkeep.RegionUpkeep;
import io.leeway.hindex.internal.upkeep.RowsSince;
import io.leeway.hindex.internal.upkeep.Sweep;
import io.leeway.hindex.internal.write.FollowingEntries;
import io.leeway.hindex.internal.write.Logging;
import io.leeway.hindex.internal.write.NewEntry;
import io.leeway.hindex.internal.write.SharedSender;
import io.leeway.hindex.internal.write.Sweeps;
import io.leeway.hindex.internal.write.UncertainEntries;
import io.leeway.hindex.internal.write.WritePath;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;

/*
 * The parts need each other in rings: writes tell uncertain entries, which ask loads, which lock rows that writes know of. So
 * some are given a look at this object, which they use only when HBase has opened the region and all parts are there.
 */
/**
 * Which parts a region has, and which of them knows which. The only place where they are put together; what each does
 * is in its own class. Made when the region is opened, in the order of what needs what. Thread-safe.
 */
final class RegionParts {

    /** Rows that share one follow each other's timestamps; with so many that hardly matters, and they are 64 KB. */
    private static final int CLOCK_STRIPES = 8192;
    /** Nanoseconds: one timestamp is one millisecond. */
    private static final long CLOCK_PAUSE = 1_000_000;

    final RegionCoprocessorEnvironment environment;
    final TablePlan plan;
    final RegionCells cells;
    final SharedSender sender;
    final Removals removals;
    final FollowingEntries following;
    final FailedEntries failed;
    final UncertainEntries uncertain;
    final long timeoutMillis;
    final CountedReader writeReads;
    final WritePath writes;
    final StoreRepair repair;
    final AskedCompactions compactions;
    final RegionUpkeep upkeep;
    final ServerReads reads;
    final ScanRewriter scans;
    final ReadRights rights;
    final BulkLoads loads;
    final RunningLoads running;
    final ComingRows comingRows;
    final WholePasses passes;
    final Flushes flushes;

    private final RegionRows rows;
    private final RowClock clock;
    private final long clockMaxAhead;

    RegionParts(RegionCoprocessorEnvironment environment, TablePlan plan, Options options) {
        this.environment = environment;
        this.plan = plan;
        this.rows = new RegionRows(environment.getRegion());
        this.cells = new RegionCells(environment);
        int timeout = Math.toIntExact(options.get(Options.WRITE_TIMEOUT).toMillis());
        this.timeoutMillis = timeout;
        this.clockMaxAhead = options.get(Options.CLOCK_MAX_AHEAD).toMillis();
        var metrics = Metrics.of(environment.getMetricRegistryForRegionServer(), Metrics.Side.TABLE);
        this.clock = new RowClock(CLOCK_STRIPES, System::currentTimeMillis, clockMaxAhead, () -> pause(metrics));
        this.sender = SharedSender.acquire(
                environment.getSharedData(),
                environment.getServerName().toString(),
                // The server's own: a region's is put together of several, and a copy of it has nothing.
                environment.getConnection().getConfiguration(),
                new SharedSender.Limits(timeout, options.get(Options.CLOCK_SKEW).toMillis()),
                environment::createConnection,
                environment.getOnlineRegions()::getRegion,
                metrics);
        this.loads = new BulkLoads(
                plan,
                environment.getConfiguration(),
                new LoadingRegion(this),
                new BulkLoads.Settings(
                        options.get(Options.LOAD) == Options.Load.REFUSE,
                        options.get(Options.LOAD_TIME),
                        options.get(Options.LOAD_RATE),
                        options.get(Options.WRITE_TIMEOUT)));
        this.running = loads.running();
        this.removals = new Removals(sender::delete, timeout, this::held, options.get(Options.REVIVED_ENTRIES));
        this.following = new FollowingEntries(
                plan,
                environment.getRegionInfo(),
                clock,
                sender,
                this::send,
                new RowsSince(environment.getRegion(), rows, sender),
                options.get(Options.ASYNC_QUEUE),
                more -> metrics.add(Metrics.Count.ASYNC_QUEUE, more));
        this.upkeep = new RegionUpkeep(
                environment.getRegion(),
                plan,
                rows,
                sender,
                removals,
                () -> following.awaitOwed(timeout),
                this::hasUnsynced,
                options.get(Options.BUILD_TIME),
                metrics);
        this.failed = new FailedEntries(
                upkeep,
                removals,
                following::isOwed,
                this::cleaner,
                options.get(Options.FAILED_QUEUE),
                options.get(Options.FAILED_DELAY),
                metrics);
        this.uncertain = new UncertainEntries(
                plan,
                environment.getRegionInfo(),
                sender,
                new Sweeps.Others() {
                    @Override
                    public boolean areSettled() {
                        // In the order in which entries pass from the one to the next, or one were seen by none: of a
                        // load, of the compaction that dropped its versions, of those who look at them.
                        return running.areSettled() && repair().isSettled() && failed.isSettled();
                    }

                    @Override
                    public long takeForgotten() {
                        return failed.takeForgotten();
                    }
                },
                new Sweep(environment.getRegionInfo(), rows, sender, failed),
                options.get(Options.CERTAIN_PAUSE),
                options.get(Options.FAILED_DELAY));
        this.writeReads = new CountedReader(rows, metrics);
        this.comingRows = new ComingRows(environment.getRegion(), rows, this::load, failed);
        this.passes =
                new WholePasses(running, () -> environment.getRegion().getCompactionState() != CompactionState.NONE);
        this.writes = new WritePath(
                environment.getRegionInfo().getTable(),
                plan,
                clock,
                writeReads,
                cells,
                sender,
                removals,
                following,
                failed,
                uncertain,
                new Logging(environment.getRegion().getTableDescriptor().getDurability()),
                running,
                timeout);
        var host = new RepairedRegion(this);
        this.repair = new StoreRepair(
                host,
                removals,
                passes,
                new StoreRepair.Settings(
                        options.get(Options.REPAIR_BUFFER),
                        Retention.Repair.valueOf(options.get(Options.REPAIR).name()),
                        StoreRepair.Variant.valueOf(
                                options.get(Options.REPAIR_VARIANT).name())),
                metrics);
        this.flushes = new Flushes(environment.getRegion(), removals, failed, uncertain, running, repair);
        this.compactions = new AskedCompactions(
                host,
                repair,
                new AskedCompactions.Limits(
                        options.get(Options.COMPACT_STALE),
                        options.get(Options.COMPACT_PERCENT),
                        options.get(Options.COMPACT_PAUSE)),
                CompactionTurns.of(
                        environment.getSharedData(), environment.getServerName().toString()),
                metrics);
        this.reads = ServerReads.acquire(environment, options.get(Options.READ_TIMEOUT));
        this.rights = new ReadRights(environment.getConfiguration(), reads);
        this.scans =
                new ScanRewriter(environment.getRegion(), plan, reads, options.get(Options.SCAN_MAX_ENTRIES), metrics);
    }

    /** Of writers whose row's timestamps have run ahead of the clock. */
    private static void pause(Metrics metrics) {
        metrics.add(Metrics.Count.CLOCK_PAUSES, 1);
        LockSupport.parkNanos(CLOCK_PAUSE);
    }

    /** For parts that are made before it. */
    private StoreRepair repair() {
        return repair;
    }

    TableName table() {
        return environment.getRegionInfo().getTable();
    }

    /** For what is short, and for what nobody waits for. */
    ScheduledExecutorService cleaner() {
        return sender.cleaner(table());
    }

    private boolean hasUnsynced() {
        return uncertain.hasUnsynced();
    }

    /**
     * Which entries must stay although no row bears them out now.
     *
     * <p>Two reasons: a file that is being loaded has what they speak of, or the log may bring it back.
     */
    private Set<Entry> held(Collection<Entry> entries) {
        Set<Entry> held = new HashSet<>(running.held(entries));
        entries.stream().filter(failed::holds).forEach(held::add);
        return held;
    }

    /**
     * Entries that follow after their writes.
     *
     * <p>First the mark, for those of failed writes, then the entries.
     */
    private void send(Collection<NewEntry> entries) throws IOException {
        uncertain.send(entries);
        sender.put(entries);
    }

    /**
     * Entries of files that are about to be loaded.
     *
     * <p>The mark comes first: a server that is killed in between has left a timestamp, and not entries that nobody
     * looks for.
     */
    void load(List<NewEntry> entries, Collection<Entry> unfindable) throws IOException {
        uncertain.load(entries, unfindable);
        sender.put(entries);
    }

    /**
     * No timestamp that is given from now on is lower.
     *
     * <p>All that a life before has given is at most a little ahead of the present, by {@code hindex.clock.max-ahead}.
     */
    void setFloor(long newest) {
        if (!clock.floor(newest)) {
            // A client wrote into the far future; what lies between now and then is not known.
            clock.floor(System.currentTimeMillis() + clockMaxAhead / 2);
        }
    }
}
