package io.leeway.lazytables.internal.process;

import static io.leeway.lazytables.LazyTablesException.Code.CLOSED;
import static io.leeway.lazytables.LazyTablesException.Code.FAILED;
import static io.leeway.lazytables.LazyTablesException.Code.STEP_TOO_LONG;
import static io.leeway.lazytables.LazyTablesException.Code.TIMEOUT;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.Statistics;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.client.ClientCore;
import io.leeway.lazytables.internal.client.ClientTable;
import io.leeway.lazytables.internal.client.WorkerCore;
import io.leeway.lazytables.internal.net.FrameSender;
import io.leeway.lazytables.internal.net.FrameSink;
import io.leeway.lazytables.internal.net.NetworkThread;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client process's core with the lock that its workers and its network thread share. Workers change the core and have
 * the network thread send; they wait for answers with a time limit. Thread-safe but for the {@link WorkerCore}s, each
 * of which is one thread's.
 */
public final class ClientProcess implements FrameSink {

    /*
     * The network thread is what James Cipar, "Trading Freshness for Performance in Distributed Systems" (2014),
     * section 4.4.2 "Communication Thread", describes: it alone sends and receives, updates the cache, and wakes the
     * threads that wait, by a condition. What differs: a worker puts its question into the core itself, under the lock,
     * and has the network thread send, once for all that is there by then. So nothing is handed over in a queue, and a
     * worker that finds its row in the shared cache never touches the network thread.
     *
     * One lock for the whole core, and not one for each table or row: a clock changes all of them together, and what it
     * guards takes microseconds. Nothing waits under it: a condition gives it back, execute() puts a task into a queue,
     * and send() copies into a buffer.
     *
     * Every wait has the time limit, and ends at once when the core has failed: fail() is followed by signalAll()
     * wherever it is called. Whoever wakes looks again, as it may have been for somebody else.
     */

    /**
     * How often it is looked whether the lock is free before a thread sleeps: for some microseconds. About what the
     * other side of the lock does once: who has it longer is not waited for awake.
     */
    private static final int SPINS = 200;

    /** Not fair: who comes while it is free takes it, as others who sleep need long to wake up. */
    private final ReentrantLock lock = new ReentrantLock();
    /** For all who wait, whatever for: what changes mostly concerns several of them, and each looks for himself. */
    private final Condition changed = lock.newCondition();

    private final ClientCore core;
    private final NetworkThread thread;
    private final Duration timeout;
    private final long keptLimit;

    private final TrafficCounter traffic = new TrafficCounter();

    /** Null until there are connections. */
    private @Nullable FrameSender sender;
    // Whether the network thread has been told and has not sent yet. Under the lock, like all that follows.
    private boolean flushing;
    /** Whether somebody was told why nothing works any more. */
    private boolean isTold;

    /**
     * Whether somebody closes it, so that nothing more is completed: servers are told already, or soon, that all has
     * come.
     */
    private boolean closing;

    /** Whether it was closed or abandoned before. */
    private boolean ended;

    /** The limit is about how many bytes of updates are kept for servers before {@link #clock} waits. */
    public ClientProcess(ClientCore core, NetworkThread thread, Duration timeout, long keptLimit) {
        this.core = core;
        this.thread = thread;
        this.timeout = timeout;
        this.keptLimit = keptLimit;
    }

    /**
     * Waits, up to the time limit, until the servers have said where a process that resumes goes on, and have stored
     * it.
     *
     * <p>Before that no worker knows its clock. Stored, since servers that are started again would else give the place
     * of before.
     */
    public void awaitPlace() {
        lock.lock();
        try {
            await(
                    () -> core.isPlaced() && core.isInheritanceStored(),
                    () -> core.isPlaced()
                            ? "Not all servers have stored that this process takes part: see their logs"
                            : "Not all servers have said where this process goes on");
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits, up to the time limit, until the servers have let the process in: who is refused hears of it before it
     * works.
     */
    public void awaitWelcome() {
        lock.lock();
        try {
            await(core::isWelcome, () -> "Not all servers have let this process in: see their logs");
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits, with the lock, until it is so.
     *
     * <p>A failure of the core ends it, before the limit and once more at the end: what is done by then may be of no
     * use.
     */
    private void await(BooleanSupplier done, Supplier<String> whatIsMissing) {
        try {
            long left = timeout.toNanos();
            while (!done.getAsBoolean()) {
                check();
                if (left <= 0) {
                    throw LazyTablesException.of(
                            TIMEOUT, whatIsMissing.get() + " (after " + timeout.toMillis() + " ms)");
                }
                // What is left is told by the wait itself, so that being woken for others does not lengthen the limit.
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw LazyTablesException.of(FAILED, "The thread was interrupted while it waited for servers", e);
        }
        check();
    }

    /**
     * Gives what frames are sent with, before anything is asked. Until then what there is to say gathers in the core.
     */
    public void sendWith(FrameSender frames) {
        lock.lock();
        try {
            sender = new CountingSender(frames, traffic);
            flushLater();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for nobody; servers hear of it before anything else about the table. */
    public ClientTable define(String name, TableSpec spec) {
        lock.lock();
        try {
            check();
            ClientTable table = core.define(name, spec);
            flushLater();
            return table;
        } finally {
            lock.unlock();
        }
    }

    /** The row as fresh as the slack requires; waits for it up to the time limit. */
    public RowView read(WorkerCore worker, ClientTable table, long key, int slack) {
        // What most reads do that come here, once for each row in a clock, without what waiting takes.
        TimedRead.begin(worker.counters());
        lockForShort();
        try {
            check();
            RowView row = core.read(worker, table, key, slack);
            if (row != null) {
                worker.counters().answeredByProcess();
                flushQuestions();
                return row;
            }
        } finally {
            lock.unlock();
        }
        // It was not there: should it come before it is looked for again, it was waited for all the same.
        var timed = new TimedRead(worker.counters());
        timed.waits();
        return await(
                timed,
                () -> core.read(worker, table, key, slack),
                () -> core.hopeless(table, key, worker.required(slack)),
                () -> core.describe(table, key, worker.required(slack)));
    }

    /**
     * The row no further than the radius from its state after the worker's clock; waits for it up to the time limit.
     */
    public RowView readWithin(WorkerCore worker, ClientTable table, long key, double radius) {
        return await(
                new TimedRead(worker.counters()),
                () -> core.readWithin(worker, table, key, radius),
                () -> core.hopelessWithin(worker, table, key, radius),
                () -> core.describeWithin(worker, table, key, radius));
    }

    /**
     * For what takes microseconds: most others who have the lock have it for as short, and to sleep until then, and to
     * be woken, takes longer.
     */
    private void lockForShort() {
        for (int i = 0; i < SPINS; i++) {
            // To look first takes no cache line away from the one who has it; to try each time would.
            if (!lock.isLocked() && lock.tryLock()) {
                return;
            }
            Thread.onSpinWait();
        }
        lock.lock();
    }

    /**
     * Reads again whenever something has changed, until there is a row, or it is known that none will come, or the
     * limit is over.
     */
    private RowView await(
            TimedRead timed,
            Supplier<@Nullable RowView> read,
            Supplier<@Nullable LazyTablesException> hopeless,
            Supplier<String> description) {
        lock.lock();
        try {
            long left = timeout.toNanos();
            while (true) {
                check();
                RowView row = read.get();
                // In each round: the read may have asked for a row that was dropped since the last one, or for a later
                // clock.
                flushQuestions();
                if (row != null) {
                    timed.answered();
                    return row;
                }
                timed.waits();
                // Before the time limit: who waits in vain need not wait that long to hear it.
                LazyTablesException vain = hopeless.get();
                if (vain != null) {
                    throw vain;
                }
                if (left <= 0) {
                    throw LazyTablesException.of(
                            TIMEOUT,
                            description.get() + ", for more than " + timeout.toMillis()
                                    + " ms: look there, or raise the time limit");
                }
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw LazyTablesException.of(FAILED, "The worker was interrupted while it waited for a row", e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * A read that was answered may have asked for something ahead, too. Most have not: to wake the network thread for
     * each would cost more than the read.
     */
    private void flushQuestions() {
        if (core.hasQuestions()) {
            flushLater();
        }
    }

    /** Asks for rows ahead of reads that will require this clock, or newer up to the best, all at once. */
    public void refresh(ClientTable table, long[] keys, int required, int best) {
        lock.lock();
        try {
            check();
            // Only where there is something to ask: most that is asked ahead is there, or on its way.
            if (core.refresh(table, keys, required, best)) {
                flushLater();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends a clock of the worker. Waits, up to the time limit, while more is kept for servers than may be: they do not
     * store it, or are away, or other workers of the process have not completed the clock.
     */
    public void clock(WorkerCore worker) {
        worker.checkGoesOn();
        // Before the lock: what the end of a clock takes is counted with the clock that begins.
        worker.counters().clockEnds(System.nanoTime());
        lock.lock();
        try {
            endClock(worker, core::clock);
            // Behind the clock, which is complete whatever comes of this wait: who gets the time limit here has lost
            // nothing, and goes on or closes.
            if (!core.hasRoom(worker, keptLimit)) {
                awaitRoom(worker);
            }
        } finally {
            lock.unlock();
        }
    }

    private void awaitRoom(WorkerCore worker) {
        long start = System.nanoTime();
        try {
            await(() -> core.hasRoom(worker, keptLimit), () -> core.describeFull(keptLimit));
        } finally {
            worker.counters().waited(System.nanoTime() - start);
        }
    }

    /**
     * Ends the worker: the others of the process, and other processes, go on without it. Waits for nobody.
     *
     * <p>Once more does nothing, since a program may end a worker and its whole instance.
     */
    public void end(WorkerCore worker) {
        lock.lock();
        try {
            if (!worker.hasEnded()) {
                worker.counters().clockEnds(System.nanoTime());
                endClock(worker, core::end);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends all workers that have not ended, which no thread uses any more. */
    public void end() {
        lock.lock();
        try {
            // The lock is taken again by each, which it may be.
            core.forEachWorker(this::end);
        } finally {
            lock.unlock();
        }
    }

    /** With the lock. */
    private void endClock(WorkerCore worker, Consumer<WorkerCore> how) {
        check();
        // Servers were told, or will be, that what they have is all. A clock behind that would be in no run.
        if (closing) {
            throw LazyTablesException.of(CLOSED, "This instance is being closed: complete all clocks before");
        }
        inCoreOrFail(worker, how);
        // While it has the lock: others read what is published under it.
        worker.counters().publish();
        flushLater();
        // Others may read rows that waited for this worker alone, or have room now.
        changed.signalAll();
    }

    /**
     * A step that is too long is refused before anything has changed, so the worker may go on; any other failure leaves
     * it half done.
     */
    private void inCoreOrFail(WorkerCore worker, Consumer<WorkerCore> how) {
        try {
            how.accept(worker);
        } catch (RuntimeException | Error e) {
            if (!(e instanceof LazyTablesException own && own.code() == STEP_TOO_LONG)) {
                // What the worker logged is gone in part: the next attempt would pass for the whole clock.
                core.fail(LazyTablesException.of(FAILED, "The instance failed at the end of a clock: " + e, e));
                // The one who called hears it by the exception: close() need not say it again.
                isTold = true;
                changed.signalAll();
            }
            throw e;
        }
    }

    /** What was sent and received, as frames. */
    public Statistics.Traffic traffic() {
        lock.lock();
        try {
            return traffic.sums();
        } finally {
            lock.unlock();
        }
    }

    /** What was done so far, and what waits. */
    public Statistics statistics(Statistics.Traffic sentAndReceived) {
        lock.lock();
        try {
            return core.statistics(sentAndReceived);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends all waits, now and later. If all workers have ended the other processes go on without this one; else it is
     * not done, and its place stays. Waits, up to the time limit, until the servers have what was completed.
     *
     * @throws LazyTablesException if they do not have it, unless it has ended before or somebody was told already why
     *     nothing works any more
     */
    public void close() {
        lock.lock();
        try {
            closing = true;
            // Also after a failure the rest is done: who waits is woken, and what is lost is told, once.
            boolean interrupted = core.failure() == null && !ended && leave();
            // Who came second has waited with the first, which tells.
            LazyTablesException lost = ended || isTold || core.isDelivered() ? null : undelivered(interrupted);
            ended = true;
            // Behind the wait, and only if nothing failed before: the first cause stays.
            core.fail(LazyTablesException.of(CLOSED, "This instance was closed"));
            changed.signalAll();
            if (lost != null) {
                throw lost;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Names what is lost, with the first cause there was: the program's data depends on it. */
    private LazyTablesException undelivered(boolean interrupted) {
        String lost = "This instance ended before its servers had what it completed: " + core.describeUndelivered();
        LazyTablesException failure = core.failure();
        if (failure != null) {
            return LazyTablesException.of(failure.code(), failure.reason() + ". " + lost, failure);
        }
        return interrupted
                ? LazyTablesException.of(FAILED, lost + " (the thread was interrupted while it waited)")
                : LazyTablesException.of(TIMEOUT, lost + " (after " + timeout.toMillis() + " ms)");
    }

    /**
     * Ends all waits, now and later, and says nothing to the servers. As a process that is killed: servers wait for it,
     * or drop it, as they are set.
     */
    public void abandon() {
        lock.lock();
        try {
            ended = true;
            core.fail(LazyTablesException.of(CLOSED, "This instance was abandoned"));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all is delivered, or cannot be; returns whether the thread was interrupted before. */
    private boolean leave() {
        core.close();
        flushLater();
        try {
            long left = timeout.toNanos();
            // Without check(): a failure is told by who called, with what was not delivered.
            while (left > 0 && !core.isDelivered() && core.failure() == null) {
                left = changed.awaitNanos(left);
            }
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @Override
    public void onOpen(int peer) {
        inCore(() -> core.onOpen(peer));
    }

    @Override
    public void onFrame(int peer, byte[] buffer, int offset, int length) {
        // Counted under the lock, as others read the sums.
        inCore(() -> {
            traffic.received(length);
            core.onFrame(peer, buffer, offset, length);
        });
    }

    @Override
    public void onClosed(int peer, @Nullable Throwable cause) {
        inCore(() -> core.onClosed(peer, cause));
    }

    /** What did not fit into the transport before stands in the core still. */
    @Override
    public void onRoom(int peer) {
        flushNow();
    }

    /** Runs on the network thread. */
    private void inCore(Runnable event) {
        lock.lock();
        try {
            event.run();
            // What the event answers leaves with it, in the same task: no other event comes in between.
            flush();
        } catch (RuntimeException | Error e) {
            // Whatever it is, the core may have changed by half, and nobody else would hear of it.
            core.fail(LazyTablesException.of(FAILED, "The instance failed at a message: " + e, e));
        } finally {
            changed.signalAll();
            lock.unlock();
        }
    }

    /** Has the network thread send, once for all that is there by then. */
    private void flushLater() {
        // One task for all that is there by then: a worker that asks for a thousand rows wakes the network thread once.
        if (!flushing) {
            flushing = true;
            // Also from the network thread itself: the lock is held here, and what sends would hold it for longer.
            thread.execute(this::flushNow);
        }
    }

    private void flushNow() {
        lock.lock();
        try {
            flush();
        } catch (RuntimeException | Error e) {
            core.fail(
                    e instanceof LazyTablesException own
                            ? own
                            : LazyTablesException.of(FAILED, "The instance failed while it sent: " + e, e));
            changed.signalAll();
        } finally {
            // Nobody waits for something to be sent. Woken for that, waiting workers would have more sent, and so on.
            lock.unlock();
        }
    }

    /** With the lock, on the network thread. */
    private void flush() {
        // Before anything is sent: what comes from here on is told anew.
        flushing = false;
        if (sender != null) {
            core.flush(sender);
        }
    }

    /** With the lock. */
    private void check() {
        LazyTablesException failure = core.failure();
        if (failure != null) {
            isTold = true;
            // A stack of its own for each thread that meets it.
            throw LazyTablesException.of(failure.code(), failure.reason(), failure);
        }
    }
}
