package io.leeway.lazybase.internal.sql;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.leeway.lazybase.Freshness;
import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.model.Catalog;
import io.leeway.lazybase.internal.pipeline.Pipeline;
import io.leeway.lazybase.internal.pipeline.Snapshot;
import io.leeway.lazybase.internal.query.Reading;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.calcite.jdbc.CalciteSchema;

/** SQL for all sessions: plans that are kept, threads that read, what queries run and ran. Thread-safe. */
public final class Engine implements AutoCloseable {

    private static final int PLANS = 2_000;
    private static final int REMEMBERED = 100;

    private final Pipeline pipeline;
    private final Settings settings;
    private final QueryPlanner planner;
    private final Cache<PlanKey, Plan> plans =
            CacheBuilder.newBuilder().maximumSize(PLANS).build();
    private final ExecutorService pool;
    private final Ingests ingests;
    private final CostModel costs = new CostModel();
    private final AtomicLong nextQuery = new AtomicLong(1);
    private final Map<Long, Running> running = new ConcurrentHashMap<>();
    private final Deque<Ran> ran = new ArrayDeque<>();
    private final List<Consumer<Ran>> listeners = new ArrayList<>();

    private record PlanKey(String sql, long version) {}

    /**
     * How queries are run.
     *
     * @param freshness of sessions that do not say
     * @param timeout of a query
     * @param parallelism threads that read for one query
     * @param copyRows a COPY is committed after so many rows
     */
    public record Settings(Freshness freshness, Duration timeout, int parallelism, int copyRows) {}

    /** A query that runs. */
    public record Running(long id, String user, String sql, String freshness, long beganMillis) {}

    /**
     * A query that has ended.
     *
     * @param ageMillis how stale its answer was at most
     * @param micros how long it took
     */
    public record Ran(
            String user,
            String sql,
            String freshness,
            String snapshot,
            long ageMillis,
            String stages,
            long rows,
            long rowsRead,
            long bytesRead,
            long micros,
            boolean failed) {}

    public Engine(Pipeline pipeline, Settings settings, Path directory) {
        this.pipeline = pipeline;
        this.ingests = new Ingests(this, directory);
        this.settings = settings;
        this.planner = new QueryPlanner(this::addCatalog);
        this.pool = Executors.newFixedThreadPool(settings.parallelism(), task -> {
            Thread thread = new Thread(task, "lazybase-read");
            thread.setDaemon(true);
            return thread;
        });
    }

    private void addCatalog(CalciteSchema root, Catalog catalog) {
        PgCatalog.addTo(root, catalog, this);
    }

    /** The pipeline. */
    public Pipeline pipeline() {
        return pipeline;
    }

    /** What is read from elsewhere. */
    public Ingests ingests() {
        return ingests;
    }

    /** How queries are run. */
    public Settings settings() {
        return settings;
    }

    ExecutorService pool() {
        return pool;
    }

    CostModel costs() {
        return costs;
    }

    /** Hears of every query that has ended. */
    public void listen(Consumer<Ran> listener) {
        synchronized (ran) {
            listeners.add(listener);
        }
    }

    /** Queries that run. */
    public List<Running> running() {
        return List.copyOf(running.values());
    }

    /** Queries that ended last, the newest first. */
    public List<Ran> ran() {
        synchronized (ran) {
            return List.copyOf(ran);
        }
    }

    long began(String user, String sql, String freshness) {
        long id = nextQuery.getAndIncrement();
        running.put(id, new Running(id, user, sql, freshness, System.currentTimeMillis()));
        return id;
    }

    void ended(long id, Ran what) {
        running.remove(id);
        List<Consumer<Ran>> told;
        synchronized (ran) {
            ran.addFirst(what);
            while (ran.size() > REMEMBERED) {
                ran.removeLast();
            }
            told = List.copyOf(listeners);
        }
        told.forEach(listener -> listener.accept(what));
    }

    /** The plan of a query whose parameters are question marks. */
    Plan plan(String sql, Catalog catalog) {
        try {
            return plans.get(new PlanKey(sql, catalog.version()), () -> planner.plan(sql, catalog));
        } catch (ExecutionException | com.google.common.util.concurrent.UncheckedExecutionException e) {
            if (e.getCause() instanceof LazyBaseException cause) {
                throw cause;
            }
            throw new LazyBaseException(Code.INTERNAL, "It cannot be planned: " + reason(e), e);
        } catch (com.google.common.util.concurrent.ExecutionError e) {
            throw new LazyBaseException(Code.UNSUPPORTED, "It cannot be planned: " + reason(e), e);
        }
    }

    /** Why planning failed, without the code that Calcite generated. */
    private static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return QueryPlanner.firstLine(cause.getMessage() == null ? cause.toString() : cause.getMessage());
    }

    /** A snapshot, read as far as is asked; to be closed. */
    Reading read(Freshness freshness, io.leeway.lazybase.CommitToken atLeast, Plan plan, List<Object> parameters) {
        Snapshot snapshot = pipeline.snapshot();
        try {
            if (atLeast.compareTo(snapshot.token()) > 0) {
                throw new LazyBaseException(
                        Code.TOKEN, "The token " + atLeast + " is after everything that this server has.");
            }
            if (freshness instanceof Freshness.Freshest freshest) {
                return costs.freshest(snapshot, plan, parameters, freshest.budget(), atLeast);
            }
            return Reading.of(snapshot, freshness, atLeast);
        } catch (RuntimeException e) {
            snapshot.close();
            throw e;
        }
    }

    /** What becomes of a damaged file; the error that says so. */
    LazyBaseException damaged(io.leeway.lazybase.internal.storage.RunFile.CorruptFileException e) {
        try {
            if (pipeline.remake(e.file())) {
                return new LazyBaseException(Code.REMADE, "File " + e.file() + " was damaged.", e);
            }
        } catch (IOException cause) {
            e.addSuppressed(cause);
        }
        return new LazyBaseException(Code.DAMAGED, "File " + e.file() + " of the authority is damaged.", e);
    }

    @Override
    public void close() {
        ingests.close();
        pool.shutdownNow();
    }
}
