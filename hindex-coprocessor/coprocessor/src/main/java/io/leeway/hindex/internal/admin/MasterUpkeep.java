package io.leeway.hindex.internal.admin;

import io.leeway.hindex.IndexState;
import io.leeway.hindex.internal.config.Options;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.IndexTables;
import io.leeway.hindex.internal.plan.TablePlan;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Threads of its own: the master's are never kept waiting for what takes long, and procedures of the master never wait for
 * each other here. One step of a table at a time, but those of other tables beside it: a step may wait for minutes, for a
 * region that does not close. What fails is tried again, ever more rarely; a master that takes over looks at all tables once.
 */
/**
 * What the master does about indexes in the background: brings their tables in order, and builds. Its observer tells it
 * of tables; what it has to do is always found by looking. Thread-safe.
 */
public final class MasterUpkeep implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");
    /** Tables whose steps run at a time; one that waits for a region keeps a thread for minutes. */
    private static final int STEPS = 8;
    /** Builds at a time: each keeps the regions of its table busy, one after the other. */
    private static final int BUILDS = 2;
    /**
     * Of one step, about fifty minutes in all; afterwards only a change of the table, or another master, begins again.
     */
    private static final int ATTEMPTS = 300;
    /** Between the first two attempts; then half as much again each time, up to the last pause. */
    private static final long FIRST_PAUSE_MILLIS = 200;

    private static final long LAST_PAUSE_MILLIS = 10_000;
    /** After a build has failed, which itself has waited for minutes by then. */
    private static final long REBUILD_PAUSE_MILLIS = 30_000;

    private final Connection connection;
    private final Configuration site;
    private final Reconciler reconciler;
    private final IndexCatalog catalog;
    private final ScheduledExecutorService steps =
            Executors.newScheduledThreadPool(STEPS, step -> daemon(step, "hindex-master"));
    /** Tables a step of which is at work. */
    private final Set<String> stepping = ConcurrentHashMap.newKeySet();

    private final ExecutorService builds = Executors.newFixedThreadPool(BUILDS, build -> daemon(build, "hindex-build"));
    /** Builds that run or wait for a thread: none is begun twice, though each step of a table asks for it. */
    private final Set<String> building = ConcurrentHashMap.newKeySet();

    /** Over this connection, which is not closed; leaves alone what is made for tables to come. */
    public MasterUpkeep(Connection connection, Configuration site, ComingTables coming) {
        this.connection = connection;
        this.site = site;
        this.reconciler = new Reconciler(connection, coming);
        this.catalog = new IndexCatalog(connection);
    }

    private static Thread daemon(Runnable task, String name) {
        var thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Something that may have to be tried again. */
    @FunctionalInterface
    private interface Step {
        /** Whether it is done. */
        boolean run() throws IOException;
    }

    /**
     * Looks at all tables that have indexes or had some.
     *
     * <p>Also those that only entries' tables name as their base: what became of them while no master was there.
     */
    public void everything() {
        run("all tables", () -> {
            var bases = new HashSet<TableName>();
            catalog.indexed().forEach(table -> bases.add(table.getTableName()));
            try (Admin admin = connection.getAdmin()) {
                for (TableDescriptor table : admin.listTableDescriptors()) {
                    Optional.ofNullable(IndexTables.base(table)).ifPresent(bases::add);
                }
            }
            bases.forEach(this::changed);
            return true;
        });
    }

    /** A table's attributes have changed, or it is gone. */
    public void changed(TableName base) {
        run(base.getNameAsString(), () -> step(base, false));
    }

    /**
     * A table will be there and enabled in a moment.
     *
     * <p>Not done before it is enabled, so it is tried again until then.
     */
    public void appears(TableName base) {
        run(base.getNameAsString(), () -> catalog.isEnabled(base) && step(base, false));
    }

    /**
     * A table will be enabled and without rows in a moment, so that a build costs nothing.
     *
     * <p>So it is built even where builds are not automatic.
     */
    public void emptied(TableName base) {
        run(base.getNameAsString(), () -> catalog.isEnabled(base) && step(base, true));
    }

    /** Compares and puts right, then begins the builds that are due; these are not waited for. */
    private boolean step(TableName base, boolean always) throws IOException {
        boolean done = reconciler.reconcile(base);
        Optional<TableDescriptor> table = catalog.table(base);
        if (table.isPresent() && MasterTables.isIndexed(table.get()) && catalog.isEnabled(base)) {
            Options options = TableOptions.allowed(site, table.get());
            for (IndexPlan index : TablePlan.of(table.get()).indexes()) {
                if (index.definition().state() == IndexState.BUILDING
                        && (always || options.get(Options.BUILD) == Options.Automatic.AUTOMATIC)) {
                    build(base, index, options.get(Options.BUILD_RATE));
                }
            }
        }
        return done;
    }

    private void build(TableName base, IndexPlan index, int rowsPerSecond) {
        String what = "build of " + index.name() + " of " + base;
        if (building.add(what)) {
            try {
                builds.execute(() -> {
                    End end = end(what, base, index, rowsPerSecond);
                    building.remove(what);
                    switch (end) {
                        case COMPLETE -> {}
                        // It may have been resumed before this one was gone.
                        case STOPPED -> changed(base);
                        case FAILED ->
                            schedule(base.getNameAsString(), () -> step(base, true), 1, REBUILD_PAUSE_MILLIS);
                    }
                });
            } catch (RejectedExecutionException e) {
                LOG.debug("the master stops; the next one goes on with the {}", what);
            }
        }
    }

    /** How a build came out, with the failures that {@link IndexBuild} throws. */
    private enum End {
        COMPLETE,
        STOPPED,
        FAILED
    }

    /**
     * Whatever is thrown, also where a class is missing since the jar was replaced: a build must not end the thread for
     * all others.
     */
    private End end(String what, TableName base, IndexPlan index, int rowsPerSecond) {
        try {
            return switch (new IndexBuild(connection, base, index, rowsPerSecond, progress -> {}).run()) {
                case COMPLETE -> End.COMPLETE;
                case STOPPED -> End.STOPPED;
            };
        } catch (IOException | RuntimeException | LinkageError e) {
            LOG.warn("the {} failed; it goes on in {} ms", what, REBUILD_PAUSE_MILLIS, e);
            return End.FAILED;
        }
    }

    private void run(String what, Step step) {
        schedule(what, step, 1, 0);
    }

    private void schedule(String what, Step step, int attempt, long pauseMillis) {
        try {
            // What fails is caught in there.
            var unused =
                    steps.schedule(() -> attempt(what, step, attempt, pauseMillis), pauseMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("the master stops; the next one goes on with {}", what);
        }
    }

    /** If another step of the table is at work, this one comes a moment later and does not count as an attempt. */
    private void attempt(String what, Step step, int attempt, long pauseMillis) {
        if (!stepping.add(what)) {
            schedule(what, step, attempt, FIRST_PAUSE_MILLIS);
            return;
        }
        boolean done;
        try {
            done = isDone(what, step, attempt);
        } finally {
            stepping.remove(what);
        }
        if (!done && attempt < ATTEMPTS) {
            long pause = Math.min(LAST_PAUSE_MILLIS, Math.max(FIRST_PAUSE_MILLIS, pauseMillis * 3 / 2));
            schedule(what, step, attempt + 1, pause);
        }
    }

    private static boolean isDone(String what, Step step, int attempt) {
        try {
            return step.run();
        } catch (IllegalArgumentException e) {
            // Whoever corrects that changes the table, which leads here again.
            LOG.warn("the indexes of {} are not as they must be: {}", what, e.getMessage());
            return true;
        } catch (IOException | RuntimeException | LinkageError e) {
            LOG.warn("the indexes of {} could not be brought in order in attempt {}", what, attempt, e);
            return false;
        }
    }

    @Override
    public void close() {
        steps.shutdownNow();
        builds.shutdownNow();
    }
}
