package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.query.Predicate;
import io.leeway.lazybase.internal.query.Reading;
import io.leeway.lazybase.internal.query.Scan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.linq4j.QueryProvider;
import org.apache.calcite.schema.SchemaPlus;
import org.jspecify.annotations.Nullable;

/** One run of a query: what it reads, its parameters, when it has to stop. Thread-safe but for closing. */
public final class QueryContext implements DataContext, PushDown.Parameters, AutoCloseable {

    /** The name under which generated code finds this. */
    static final String NAME = "lazybase";

    private final Reading reading;
    private final List<@Nullable Object> parameters;
    private final Map<String, Object> internal;
    private final SessionInfo session;
    private final ExecutorService pool;
    private final int parallelism;
    private final long deadlineNanos;
    private final AtomicBoolean cancelled;
    private final Scan.Stats stats = new Scan.Stats();
    private final long windowMillis;
    private final SchemaPlus root;

    /** What a query asks of its session. */
    public interface SessionInfo {

        /** The user's name. */
        String user();

        /** The database's name. */
        String database();

        /** A setting, or null. */
        @Nullable
        String setting(String name);

        /** What the last answer said of itself: snapshot, age, stages, rows, bytes. */
        List<String> lastAnswer();
    }

    QueryContext(
            Reading reading,
            List<@Nullable Object> parameters,
            Map<String, Object> internal,
            SessionInfo session,
            ExecutorService pool,
            int parallelism,
            long deadlineNanos,
            AtomicBoolean cancelled,
            long windowMillis,
            SchemaPlus root) {
        this.reading = reading;
        this.parameters = parameters;
        this.internal = internal;
        this.session = session;
        this.pool = pool;
        this.parallelism = parallelism;
        this.deadlineNanos = deadlineNanos;
        this.cancelled = cancelled;
        this.windowMillis = windowMillis;
        this.root = root;
    }

    /** What is read. */
    public Reading reading() {
        return reading;
    }

    /** What was read so far. */
    public Scan.Stats stats() {
        return stats;
    }

    int parallelism() {
        return parallelism;
    }

    SessionInfo session() {
        return session;
    }

    @Override
    public @Nullable Object parameter(int index) {
        return parameters.get(index);
    }

    /** Throws if the query is to stop. */
    void check() {
        if (cancelled.get()) {
            throw new LazyBaseException(Code.CANCELLED, "The client asked for it.");
        }
        if (System.nanoTime() - deadlineNanos > 0) {
            throw new LazyBaseException(Code.CANCELLED, "The query took longer than lazybase.query.timeout.");
        }
    }

    /** A condition, and that the row was updated within the window if there is one. */
    Predicate windowed(Predicate predicate) {
        if (windowMillis <= 0) {
            return predicate;
        }
        Predicate recent = new Predicate.CompareLong(
                Column.UPDATED,
                Predicate.Op.GREATER_OR_EQUAL,
                reading.snapshot().now() - windowMillis);
        var parts = new ArrayList<Predicate>();
        parts.addAll(predicate instanceof Predicate.And and ? and.parts() : List.of(predicate));
        parts.add(recent);
        return new Predicate.And(parts);
    }

    /** Runs parts of a query side by side; the last one in the caller's thread. */
    <T> List<T> run(List<Supplier<T>> parts) {
        var futures = new ArrayList<Future<T>>();
        for (Supplier<T> part : parts.subList(0, Math.max(0, parts.size() - 1))) {
            futures.add(pool.submit(part::get));
        }
        var results = new ArrayList<T>();
        try {
            T last = parts.isEmpty() ? null : parts.get(parts.size() - 1).get();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            if (last != null) {
                results.add(last);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LazyBaseException(Code.CANCELLED, "It was interrupted.", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            // Parts must not go on reading when the snapshot is closed.
            futures.forEach(QueryContext::await);
        }
        return results;
    }

    private static void await(Future<?> future) {
        try {
            future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            // Whoever waits for the result has it, or has failed already.
            return;
        }
    }

    @Override
    public SchemaPlus getRootSchema() {
        return root;
    }

    @Override
    @SuppressWarnings("NullAway")
    public JavaTypeFactory getTypeFactory() {
        return null;
    }

    @Override
    @SuppressWarnings("NullAway")
    public QueryProvider getQueryProvider() {
        return null;
    }

    @Override
    public @Nullable Object get(String name) {
        if (name.startsWith("?")) {
            return parameters.get(Integer.parseInt(name.substring(1)));
        }
        return switch (name) {
            case NAME -> this;
            case "utcTimestamp", "currentTimestamp", "localTimestamp" ->
                reading.snapshot().now();
            case "timeZone" -> TimeZone.getTimeZone("UTC");
            case "locale" -> Locale.ROOT;
            case "user", "systemUser" -> session.user();
            case "cancelFlag" -> cancelled;
            default -> internal.get(name);
        };
    }

    @Override
    public void close() {
        reading.close();
    }
}
