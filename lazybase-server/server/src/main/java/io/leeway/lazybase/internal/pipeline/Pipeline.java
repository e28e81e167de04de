package io.leeway.lazybase.internal.pipeline;

import io.leeway.lazybase.CommitToken;
import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.column.KeyCodec;
import io.leeway.lazybase.internal.model.Catalog;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.model.View;
import io.leeway.lazybase.spi.Helpers;
import io.leeway.lazybase.spi.Store;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From commits to the authority: the coordinator of James Cipar, "Trading Freshness for Performance in Distributed Systems", 2014, section
 * 3.3.3.
 *
 * <p>Its decisions are edits of the {@link State}; each is in the {@link StateLog} before it counts. Workers ask it what is to be done, do
 * it without holding its lock, and bring the result: sorting comes first, since it decides how stale sorted data is, then merging, then the
 * authority. Thread-safe.
 *
 * <p>Locks are taken in this order: {@link Ingest}'s, this object's, that of {@link Versions}.
 */
public final class Pipeline implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Store store;
    private final PipelineSettings settings;
    private final LongSupplier clock;
    private final StateLog log;
    private final Workers workers;
    private final AtomicLong nextTask;
    private final Versions versions;
    private final IdKeys idKeys;
    private final Ingest ingest;
    private final Map<Stage, StageMeter> meters = new EnumMap<>(Stage.class);

    // All guarded by this.
    private final List<Scu> unsorted = new ArrayList<>();
    private Scu open;
    private final Set<Long> busy = new HashSet<>();
    private @Nullable Renewal renewal;
    private boolean backfilling;
    private long renewedAt;
    private long renewalBegan;
    private long renewalTook;
    private boolean closed;

    /** Opens a store: goes on where it ended, whatever ended it. */
    public Pipeline(Store store, PipelineSettings settings, LongSupplier clock) throws IOException {
        this(store, settings, clock, null);
    }

    /** The same with other processes that do tasks; the store is shared with them. */
    public Pipeline(Store store, PipelineSettings settings, LongSupplier clock, @Nullable Helpers helpers)
            throws IOException {
        this.store = store;
        this.settings = settings;
        this.clock = clock;
        this.log = new StateLog(store);
        for (Stage stage : Stage.values()) {
            meters.put(stage, new StageMeter());
        }
        sealWhatWasOpen();
        State state = log.state();
        this.nextTask = new AtomicLong(state.nextFile());
        this.versions = new Versions(store, settings.cacheBytes());
        this.idKeys = new IdKeys(versions, meter(Stage.REMAP));
        removeOrphans(state);
        for (Sealed scu : state.unsorted()) {
            unsorted.add(new Scu(scu, store, idKeys));
        }
        this.open = new Scu(state.lastSealed() + 1, store, idKeys);
        long lastTime = Math.max(
                state.authorityTime(),
                state.sealed().stream().mapToLong(Sealed::maxTime).max().orElse(0));
        this.ingest = new Ingest(this, store, settings, clock, lastTime);
        this.renewedAt = clock.getAsLong();
        synchronized (this) {
            publish();
        }
        this.workers = new Workers(this, store, settings);
        workers.start(helpers);
        if (settings.workers() > 0) {
            ingest.start();
        }
    }

    /** SCUs that took commits when the process ended are sealed with what of them is whole. */
    private void sealWhatWasOpen() throws IOException {
        var numbers = new TreeSet<Long>();
        for (String name : store.list()) {
            if (name.startsWith("scu-") && name.endsWith(".raw")) {
                numbers.add(Long.parseLong(name.substring(4, name.length() - 4)));
            }
        }
        for (long number : numbers.tailSet(log.state().lastSealed(), false)) {
            List<Group> groups;
            try (Store.Reader in = store.open(Sealed.file(number))) {
                groups = GroupCodec.read(in, Integer.MAX_VALUE);
                if (groups.isEmpty() || number != log.state().lastSealed() + 1) {
                    // Nothing of it was acknowledged.
                    continue;
                }
                log.append(Edit.ofSealed(new Sealed(
                        number,
                        groups.size(),
                        groups.stream().mapToLong(Group::rows).sum(),
                        in.size(),
                        groups.get(0).time(),
                        groups.get(groups.size() - 1).time())));
            }
        }
    }

    private void removeOrphans(State state) throws IOException {
        Set<String> needed = state.files();
        for (String name : store.list()) {
            boolean ours = name.startsWith("run-")
                    || name.startsWith("scu-")
                    || name.startsWith("state-")
                    || name.equals("current.tmp");
            if (ours && !needed.contains(name) && !log.owns(name)) {
                store.delete(name);
            }
        }
    }

    /** The meter of a stage. */
    public StageMeter meter(Stage stage) {
        StageMeter meter = meters.get(stage);
        if (meter == null) {
            throw new IllegalStateException("no meter of " + stage);
        }
        return meter;
    }

    /** The store. */
    public Store store() {
        return store;
    }

    /** The time of commits, in milliseconds. */
    public long now() {
        return Math.max(clock.getAsLong(), ingest.lastTime());
    }

    /** Definitions of tables. */
    public Catalog catalog() {
        return versions.current().state.catalog();
    }

    /** The state, for those who only look. */
    public State state() {
        return versions.current().state;
    }

    /** What commits take in memory that are not sorted. */
    public long backlog() {
        return ingest.backlog();
    }

    /** Number of versions that queries look at, with the current one. */
    public int pinnedVersions() {
        return versions.count();
    }

    /**
     * Makes updates durable: all of them or none.
     *
     * @param batches by the number of the table
     * @return completes when they are durable and every query that wants to can see them
     */
    public CompletableFuture<CommitToken> commit(Map<Integer, Batch> batches) {
        return ingest.commit(batches);
    }

    /** What there is now; to be closed. */
    public Snapshot snapshot() {
        synchronized (this) {
            Versions.Version version = versions.pin();
            return new Snapshot(versions, version, version.openScu.groups(), now());
        }
    }

    /** Ends the open SCU, if anything is in it; for tests and orderly ends. */
    public void seal() {
        ingest.seal();
    }

    /** Makes waiting commits durable in the caller's thread, where there are no workers. */
    public void drain() {
        ingest.drain();
    }

    // What Ingest asks of the coordinator.

    synchronized Scu openScu() {
        return open;
    }

    void sealed(Sealed sealed) throws IOException {
        synchronized (this) {
            log.append(Edit.ofSealed(sealed));
            unsorted.add(open);
            open = new Scu(sealed.number() + 1, store, idKeys);
            publish();
            notifyAll();
        }
    }

    synchronized long unsortedMemory() {
        long sum = open.memory();
        for (Scu scu : unsorted) {
            sum += scu.memory();
        }
        return sum;
    }

    /** Caller holds the lock. */
    private void publish() throws IOException {
        State state = log.state();
        var codecs = new HashMap<String, KeyCodec>();
        for (Table table : state.catalog().tables()) {
            for (View view : table.views()) {
                Layout layout = Layout.of(table, view);
                state.partsOf(view.id()).forEach(part -> codecs.put(part.file(), layout.codec()));
            }
            Layout primary = Layout.of(table, table.primary());
            for (Flight flight : state.flights()) {
                RunInfo run = flight.runs().get(table.id());
                if (run != null) {
                    codecs.put(run.file(), primary.codec());
                }
            }
        }
        versions.publish(state, unsorted, open, codecs);
    }

    // Definitions.

    /** Changes the definitions; the change is durable when this returns. */
    public synchronized Catalog define(UnaryOperator<Catalog> change) {
        Catalog changed = change.apply(log.state().catalog());
        append(Edit.ofCatalog(changed));
        return changed;
    }

    /** Removes a table with all its rows. */
    public void drop(int table) {
        if (IdKeys.concern(catalog().tables())) {
            // Ids depend on what was committed before, and of which tables.
            sortAll();
        }
        dropNow(table);
    }

    /** Waits until everything that is committed now is sorted. */
    private void sortAll() {
        seal();
        long upTo = openScu().number() - 1;
        long until = System.nanoTime() + settings.commitWait().toNanos();
        try {
            while (isUnsorted(upTo)) {
                if (System.nanoTime() > until) {
                    throw new LazyBaseException(Code.OVERLOADED, "Commits before it wait to be sorted.");
                }
                boolean did = settings.workers() == 0 && step(Stage.SORT);
                if (!did) {
                    await(RETRY.toMillis());
                }
            }
        } catch (IOException e) {
            throw new LazyBaseException(Code.STORE, "Commits are not sorted: " + e.getMessage() + ".", e);
        }
    }

    private synchronized boolean isUnsorted(long upTo) {
        return !closed && unsorted.stream().anyMatch(scu -> scu.number() <= upTo);
    }

    private synchronized void dropNow(int table) {
        State state = log.state();
        Table dropped = state.catalog().table(table);
        if (dropped == null) {
            return;
        }
        var files = new ArrayList<String>();
        for (View view : dropped.views()) {
            state.partsOf(view.id()).forEach(part -> files.add(part.file()));
        }
        append(Edit.ofCatalog(state.catalog().without(table), files, Map.of(), nextTask.get()));
    }

    /** Removes a secondary view. */
    public synchronized void dropView(Table table, int view) {
        State state = log.state();
        var files = new ArrayList<String>();
        state.partsOf(view).forEach(part -> files.add(part.file()));
        Catalog changed =
                state.catalog().with(table.withoutView(view), state.catalog().nextId());
        append(Edit.ofCatalog(changed, files, Map.of(), nextTask.get()));
    }

    /** Adds a secondary view and fills it from the authority; commits go on meanwhile. */
    public void addView(int tableId, View view) {
        awaitRenewalAndBlock();
        try {
            State state;
            synchronized (this) {
                state = log.state();
            }
            Table table = state.catalog().table(tableId);
            if (table == null) {
                throw new LazyBaseException(Code.NOT_FOUND, "The table was dropped meanwhile.");
            }
            List<RunInfo> filled = Stages.backfill(
                    store,
                    settings,
                    nextTask.getAndIncrement(),
                    table,
                    view,
                    state.partsOf(table.primary().id()));
            synchronized (this) {
                // Columns may have come meanwhile, the authority cannot have changed.
                Catalog current = log.state().catalog();
                Table now = current.table(tableId);
                if (now == null) {
                    throw new LazyBaseException(Code.NOT_FOUND, "The table was dropped meanwhile.");
                }
                Catalog changed = current.with(now.withView(view), Math.max(current.nextId(), view.id() + 1));
                append(Edit.ofCatalog(changed, List.of(), Map.of(view.id(), filled), nextTask.get()));
            }
        } catch (IOException e) {
            throw new LazyBaseException(Code.STORE, "The view cannot be filled: " + e.getMessage() + ".", e);
        } finally {
            synchronized (this) {
                backfilling = false;
                notifyAll();
            }
        }
    }

    private synchronized void awaitRenewalAndBlock() {
        try {
            while ((renewal != null || backfilling) && !closed) {
                wait(RETRY.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LazyBaseException(Code.CANCELLED, "It was interrupted.", e);
        }
        backfilling = true;
    }

    private synchronized void append(Edit edit) {
        try {
            log.append(edit);
            publish();
        } catch (IOException e) {
            throw new LazyBaseException(Code.STORE, "The definition was not stored: " + e.getMessage() + ".", e);
        }
    }

    // Stages.

    /**
     * Does one task of a stage, if there is one.
     *
     * @return whether there was
     */
    public boolean step(Stage stage) throws IOException {
        return switch (stage) {
            case INGEST -> ingest.drain();
            // Sorting asks for it.
            case REMAP -> false;
            case SORT -> sortOne(workers::doHere);
            case MERGE -> mergeOne(workers::doHere);
            case AUTHORITY -> {
                boolean any = false;
                while (renewOne(true, workers::doHere)) {
                    any = true;
                }
                yield any;
            }
        };
    }

    /** Waits for something to do, for at most so long; false if this is closed. */
    @SuppressWarnings("WaitNotInLoop")
    synchronized boolean await(long millis) {
        try {
            if (!closed) {
                wait(millis);
            }
        } catch (InterruptedException e) {
            return false;
        }
        return !closed;
    }

    synchronized boolean isOpen() {
        return !closed;
    }

    boolean sortOne(Task.Runner runner) throws IOException {
        Scu scu = null;
        Sealed sealed = null;
        Catalog catalog;
        synchronized (this) {
            catalog = log.state().catalog();
            for (Scu each : unsorted) {
                if (!closed && scu == null && busy.add(each.number())) {
                    scu = each;
                }
            }
            for (Sealed each : log.state().sealed()) {
                if (scu != null && each.number() == scu.number()) {
                    sealed = each;
                }
            }
        }
        if (scu == null || sealed == null) {
            return false;
        }
        boolean ok = false;
        try {
            // Ids of natural keys are given here, by one process.
            Task.Runner where = IdKeys.concern(catalog.tables()) ? workers::doHere : runner;
            Task.Done done = where.run(new Task.Sort(nextTask.getAndIncrement(), catalog.tables(), sealed), scu);
            var flight = new Flight(scu.number(), scu.number(), 0, sealed.minTime(), sealed.maxTime(), done.flight());
            synchronized (this) {
                log.append(Edit.ofFlight(List.of(), List.of(flight), nextTask.get()));
                unsorted.remove(scu);
                publish();
                notifyAll();
            }
            ingest.backlogShrank();
            meter(Stage.SORT).done(sealed.rows(), flight.bytes(), done.cpuNanos());
            ok = true;
        } finally {
            free(Set.of(scu.number()), ok, Stage.SORT);
        }
        return true;
    }

    private synchronized void free(Set<Long> numbers, boolean done, Stage stage) {
        busy.removeAll(numbers);
        if (!done) {
            meter(stage).failed();
        }
        notifyAll();
    }

    boolean mergeOne(Task.Runner runner) throws IOException {
        List<Flight> inputs;
        Catalog catalog;
        synchronized (this) {
            inputs = closed ? List.of() : mergeable(log.state().flights());
            inputs.forEach(flight -> busy.add(flight.first()));
            catalog = log.state().catalog();
        }
        if (inputs.isEmpty()) {
            return false;
        }
        Set<Long> firsts = firsts(inputs);
        boolean ok = false;
        try {
            Task.Done done = runner.run(new Task.Merge(nextTask.getAndIncrement(), catalog.tables(), inputs), null);
            Flight oldest = inputs.get(0);
            Flight newest = inputs.get(inputs.size() - 1);
            var merged = new Flight(
                    oldest.first(),
                    newest.last(),
                    oldest.level() + 1,
                    oldest.minTime(),
                    newest.maxTime(),
                    done.flight());
            synchronized (this) {
                log.append(Edit.ofFlight(List.copyOf(firsts), List.of(merged), nextTask.get()));
                publish();
            }
            meter(Stage.MERGE).done(inputs.stream().mapToLong(Flight::rows).sum(), merged.bytes(), done.cpuNanos());
            ok = true;
        } finally {
            free(firsts, ok, Stage.MERGE);
        }
        return true;
    }

    private static Set<Long> firsts(List<Flight> flights) {
        var firsts = new HashSet<Long>();
        flights.forEach(flight -> firsts.add(flight.first()));
        return firsts;
    }

    /** Consecutive flights of one level, as many as one merge takes; none if there are fewer. */
    private List<Flight> mergeable(List<Flight> flights) {
        for (int begin = 0; begin + settings.fanOut() <= flights.size(); begin++) {
            List<Flight> some = flights.subList(begin, begin + settings.fanOut());
            boolean fits = true;
            for (int i = 0; i < some.size(); i++) {
                Flight flight = some.get(i);
                fits &= flight.level() == some.get(0).level()
                        && !busy.contains(flight.first())
                        && (i == 0 || some.get(i - 1).last() + 1 == flight.first());
            }
            if (fits) {
                return List.copyOf(some);
            }
        }
        return List.of();
    }

    /** Does one range of a renewal, and begins one if there is none and it is time. */
    boolean renewOne(boolean now, Task.Runner runner) throws IOException {
        Renewal mine;
        Task.Renew task;
        synchronized (this) {
            if (renewal == null) {
                renewal = begun(now);
            }
            mine = renewal;
            task = closed || mine == null ? null : mine.take();
        }
        if (mine == null || task == null) {
            return false;
        }
        Task.Done done = null;
        try {
            done = runner.run(task, null);
        } finally {
            synchronized (this) {
                if (done == null) {
                    mine.failed(task);
                    // What a process that is gone held up is not what a renewal takes: the authority need not rest for
                    // it.
                    renewalBegan = clock.getAsLong();
                    meter(Stage.AUTHORITY).failed();
                } else {
                    mine.done(task, done);
                }
                if (mine.isDone() || mine.isLost()) {
                    end(mine);
                }
                notifyAll();
            }
        }
        return true;
    }

    /** Caller holds the lock. */
    private @Nullable Renewal begun(boolean now) {
        State state = log.state();
        List<Flight> inputs = closed || backfilling || !(now || isRenewalDue(state)) ? List.of() : renewable(state);
        if (inputs.isEmpty()) {
            return null;
        }
        inputs.forEach(flight -> busy.add(flight.first()));
        renewalBegan = clock.getAsLong();
        return new Renewal(state, inputs, nextTask::getAndIncrement);
    }

    /** Logs a renewal that is done, or forgets it. Caller holds the lock. */
    private void end(Renewal ended) throws IOException {
        try {
            if (ended.isDone()) {
                logRenewal(ended);
            }
        } finally {
            renewal = null;
            renewedAt = clock.getAsLong();
            renewalTook = renewedAt - renewalBegan;
            busy.removeAll(firsts(ended.inputs));
            // If the log did not take it, it is not known whether it has it; then its files stay.
            for (String file : ended.leftovers()) {
                remove(file);
            }
        }
    }

    private void remove(String file) {
        try {
            store.delete(file);
        } catch (IOException e) {
            // It is removed with the other orphans at the next start.
            LOG.debug("cannot remove {}: {}", file, e.toString());
        }
    }

    private void logRenewal(Renewal done) throws IOException {
        Catalog current = log.state().catalog();
        Flight newest = done.inputs.get(done.inputs.size() - 1);
        // A table or view that was dropped meanwhile gets no files.
        var parts = new HashMap<>(done.parts());
        parts.keySet()
                .removeIf(view -> current.tables().stream()
                        .noneMatch(table -> table.views().stream().anyMatch(each -> each.id() == view)));
        log.append(new Edit(
                null,
                newest.last(),
                newest.maxTime(),
                List.of(),
                List.of(),
                List.of(),
                done.dropped(),
                parts,
                nextTask.get()));
        publish();
        long bytes = parts.values().stream()
                .flatMap(List::stream)
                .mapToLong(RunInfo::bytes)
                .sum();
        meter(Stage.AUTHORITY).done(done.inputs.stream().mapToLong(Flight::rows).sum(), bytes, done.cpuNanos());
    }

    /** The authority is renewed when so much waits that it pays, or when it has waited long enough; four fifths of the time it rests. */
    private boolean isRenewalDue(State state) {
        if (state.flights().isEmpty()) {
            return false;
        }
        long waiting = state.flights().stream().mapToLong(Flight::rows).sum();
        long rows = 0;
        for (List<RunInfo> parts : state.parts().values()) {
            rows = Math.max(rows, parts.stream().mapToLong(RunInfo::rows).sum());
        }
        long rested = clock.getAsLong() - renewedAt;
        boolean pays = waiting >= Math.max(settings.partRows() * 2, rows / 2);
        return pays || rested >= Math.max(settings.authorityInterval().toMillis(), 4 * renewalTook);
    }

    /** The flights that follow the authority without a gap and are not being merged. */
    private List<Flight> renewable(State state) {
        var inputs = new ArrayList<Flight>();
        long next = state.authority() + 1;
        for (Flight flight : state.flights()) {
            if (flight.first() != next || busy.contains(flight.first())) {
                break;
            }
            inputs.add(flight);
            next = flight.last() + 1;
        }
        return inputs;
    }

    /**
     * Makes a damaged file again from an earlier stage, if there is one: the flight that it belongs to is dropped, and its SCUs are sorted
     * anew from their files.
     *
     * @return whether it can be made again; not so a file of the authority
     */
    public synchronized boolean remake(String file) throws IOException {
        State state = log.state();
        for (Flight flight : state.flights()) {
            if (flight.runs().values().stream().noneMatch(run -> run.file().equals(file))) {
                continue;
            }
            if (busy.contains(flight.first())) {
                return true;
            }
            log.append(Edit.ofFlight(List.of(flight.first()), List.of(), nextTask.get()));
            for (Sealed scu : state.sealed()) {
                if (flight.first() <= scu.number() && scu.number() <= flight.last()) {
                    unsorted.add(new Scu(scu, store, idKeys));
                }
            }
            unsorted.sort((a, b) -> Long.compare(a.number(), b.number()));
            publish();
            notifyAll();
            LOG.warn("{} is damaged; SCUs {} to {} are sorted again", file, flight.first(), flight.last());
            return true;
        }
        return false;
    }

    /** Ends everything: waiting commits fail, what is acknowledged is durable already. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            notifyAll();
        }
        ingest.close();
        workers.close();
        synchronized (this) {
            try {
                log.close();
            } catch (IOException e) {
                LOG.warn("the log was not closed: {}", e.toString());
            }
        }
        versions.close();
    }

    static void join(Thread thread) {
        try {
            thread.join(60_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** For tests: who is busy. */
    synchronized @Nullable String busy() {
        return busy.isEmpty() ? null : Arrays.toString(busy.toArray());
    }
}
