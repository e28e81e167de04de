package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.CommitToken;
import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.model.Catalog;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.spi.Source;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one source into one table, exactly once: rows and the offsets up to which they were read are one commit, so both are in the same
 * SCU or neither is; whoever begins reads the offsets and goes on from there. After any fault it begins anew in that way, since only the
 * table of offsets knows what was committed.
 */
final class IngestRun implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(IngestRun.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration COMMIT = Duration.ofMinutes(2);

    private final Engine engine;
    private final Statement.CreateIngest definition;
    private final Opening opening;
    private final Session session;
    private final Thread thread;

    // Of the run since it began last.
    private final TreeMap<Integer, Place> places = new TreeMap<>();

    private volatile boolean closed;
    private volatile Status status = new Status("starting", 0, 0, 0, "");

    /** How the source is opened. */
    @FunctionalInterface
    interface Opening {
        Source open() throws IOException;
    }

    /** Where a partition is read next, and how many messages of it were left out. */
    private record Place(long next, long skipped) {}

    /**
     * What it does.
     *
     * @param rows taken since the server began
     * @param skipped messages that were left out, ever
     * @param behind messages that are there and not taken, about
     * @param error the last fault, empty if it runs
     */
    record Status(String state, long rows, long skipped, long behind, String error) {}

    IngestRun(Engine engine, Statement.CreateIngest definition, Opening opening) {
        this.engine = engine;
        this.definition = definition;
        this.opening = opening;
        this.session = new Session(engine, "ingest", "lazybase", false);
        this.thread = new Thread(this::run, "lazybase-ingest-" + definition.name());
        thread.setDaemon(true);
        thread.start();
    }

    Statement.CreateIngest definition() {
        return definition;
    }

    Status status() {
        return status;
    }

    private void run() {
        while (!closed) {
            try (Source source = opening.open()) {
                read(source);
            } catch (IOException | RuntimeException e) {
                if (closed) {
                    return;
                }
                String error = e instanceof LazyBaseException own ? own.detail() : String.valueOf(e.getMessage());
                if (!status.error.equals(error)) {
                    LOG.warn("ingest {} failed and is tried again: {}", definition.name(), error);
                }
                status = new Status("failing", status.rows, status.skipped, status.behind, error);
                pause();
            }
        }
    }

    private synchronized void pause() {
        long until = System.nanoTime() + PAUSE.toNanos();
        try {
            for (long left = PAUSE.toMillis(); !closed && left > 0; left = (until - System.nanoTime()) / 1_000_000) {
                wait(left);
            }
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    private void read(Source source) throws IOException {
        readPlaces();
        CompletableFuture<CommitToken> answer = CompletableFuture.completedFuture(CommitToken.NONE);
        long taken = 0;
        long looked = 0;
        try {
            while (!closed) {
                long now = System.nanoTime();
                if (looked == 0 || now - looked > LOOK.toNanos()) {
                    if (addPartitions(source) || looked == 0) {
                        seek(source);
                    }
                    looked = now;
                    status = new Status(
                            "running",
                            status.rows,
                            places.values().stream().mapToLong(Place::skipped).sum(),
                            behind(source),
                            "");
                }
                List<Source.Message> messages = source.poll(POLL);
                var rows = new Rows();
                rows.take(messages);
                // Nothing follows a commit of which it is not known what became of it.
                await(answer);
                status = new Status("running", status.rows + taken, status.skipped, status.behind, "");
                taken = rows.count();
                answer = rows.commit();
                rows.complain();
            }
        } finally {
            await(answer);
            status = new Status(status.state, status.rows + taken, status.skipped, status.behind, status.error);
        }
    }

    private void readPlaces() {
        places.clear();
        String sql = "/*+ freshness('0 s') */ SELECT part, next_offset, skipped FROM " + Ingests.OFFSETS
                + " WHERE ingest = '" + definition.name().replace("'", "''") + "'";
        for (Object[] row : Ingests.rows(session, sql)) {
            places.put(
                    ((Number) row[0]).intValue(),
                    new Place(((Number) row[1]).longValue(), ((Number) row[2]).longValue()));
        }
    }

    /** New partitions are begun; where, is committed before anything of them is read. */
    private boolean addPartitions(Source source) throws IOException {
        var added = new TreeMap<Integer, Place>();
        for (int partition : source.partitions()) {
            if (!places.containsKey(partition)) {
                added.put(partition, new Place(source.edge(partition, definition.latest()), 0));
            }
        }
        if (added.isEmpty()) {
            return false;
        }
        await(engine.pipeline().commit(offsets(added)));
        places.putAll(added);
        return true;
    }

    private void seek(Source source) throws IOException {
        var next = new HashMap<Integer, Long>();
        places.forEach((partition, place) -> next.put(partition, place.next));
        source.seek(next);
    }

    private long behind(Source source) throws IOException {
        long sum = 0;
        for (Map.Entry<Integer, Place> each : places.entrySet()) {
            sum += Math.max(0, source.edge(each.getKey(), true) - each.getValue().next);
        }
        return sum;
    }

    private Map<Integer, Batch> offsets(Map<Integer, Place> changed) {
        Table table = Definitions.need(engine.pipeline().catalog(), Ingests.OFFSETS);
        RowBuilder rows =
                RowBuilder.of(table, List.of("ingest", "part", "next_offset", "skipped"), Batch.PUT, List.of());
        changed.forEach((partition, place) -> {
            rows.add(definition.name());
            rows.add(partition);
            rows.add(place.next);
            rows.add(place.skipped);
            rows.endRow();
        });
        return Map.of(table.id(), rows.build());
    }

    private static void await(CompletableFuture<CommitToken> answer) {
        try {
            answer.get(COMMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LazyBaseException(Code.CLOSED, "The ingest is being stopped.", e);
        } catch (TimeoutException e) {
            throw new LazyBaseException(Code.STORE, "A commit took longer than " + COMMIT.toMinutes() + " minutes.", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof LazyBaseException own
                    ? own
                    : new LazyBaseException(Code.INTERNAL, e.getCause() + ".", e);
        }
    }

    /** Stops after the commit that is under way. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join(60_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        session.close();
    }

    /** What one poll gave, up to the first message that is no row if such are not skipped. */
    private final class Rows {

        private final RowBuilder rows;
        private final CopyInput input;
        private final TreeMap<Integer, Place> changed = new TreeMap<>();
        private @Nullable LazyBaseException fault;

        Rows() {
            Catalog catalog = engine.pipeline().catalog();
            Table table = Definitions.need(catalog, definition.table());
            byte flag = definition.adds().isEmpty() ? Batch.PUT : Batch.PATCH;
            rows = RowBuilder.of(table, definition.columns(), flag, definition.adds());
            input = new CopyInput(session, rows, definition.format(), Integer.MAX_VALUE);
        }

        void take(List<Source.Message> messages) {
            for (Source.Message message : messages) {
                Place place = places.getOrDefault(message.partition(), new Place(0, 0));
                try {
                    input.one(message.value());
                    place = new Place(message.offset() + 1, place.skipped);
                } catch (LazyBaseException e) {
                    if (!definition.skip()) {
                        fault = new LazyBaseException(
                                e.code(),
                                "Partition " + message.partition() + ", offset " + message.offset() + ": " + e.detail(),
                                e);
                        return;
                    }
                    place = new Place(message.offset() + 1, place.skipped + 1);
                }
                places.put(message.partition(), place);
                changed.put(message.partition(), place);
            }
        }

        long count() {
            return rows.rows();
        }

        CompletableFuture<CommitToken> commit() {
            if (changed.isEmpty()) {
                return CompletableFuture.completedFuture(CommitToken.NONE);
            }
            var batches = new HashMap<>(offsets(changed));
            if (rows.rows() > 0) {
                batches.put(rows.table().id(), rows.build());
            }
            return engine.pipeline().commit(batches);
        }

        void complain() {
            LazyBaseException mine = fault;
            if (mine != null) {
                throw mine;
            }
        }
    }

    /** Names and what is done, for who asks. */
    static List<Object[]> rows(List<IngestRun> runs) {
        var rows = new ArrayList<Object[]>();
        for (IngestRun run : runs) {
            Status now = run.status;
            Statement.CreateIngest of = run.definition;
            rows.add(new Object[] {
                of.name(),
                of.table(),
                of.kind() + " " + of.address() + "/" + of.topic(),
                now.state,
                now.rows,
                now.skipped,
                now.behind,
                now.error
            });
        }
        return rows;
    }
}
