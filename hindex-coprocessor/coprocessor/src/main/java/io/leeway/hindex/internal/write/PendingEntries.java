package io.leeway.hindex.internal.write;

import io.leeway.hindex.internal.silence.Retry;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entries of one region that follow after their writes. A write reserves its place before, and gives its entries over,
 * or its place back, when it is done. What cannot be sent is tried again and again, in order. Bounded; thread-safe.
 */
final class PendingEntries {

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");
    /** Entries in one call, or a little more, as a ticket is not divided. One call at a time for each region. */
    private static final int BATCH = 1_000;

    private final int capacity;
    private final Sender sender;
    private final Background background;
    private final Runnable advanced;
    private final IntConsumer change;

    /** In the order of reservation: given over or not. */
    private final TreeMap<Long, Ticket> outstanding = new TreeMap<>();

    /** Tickets whose writes have ended, in the order in which they did. */
    private final ArrayDeque<Ticket> given = new ArrayDeque<>();

    private long lastNumber;
    private int size;
    /**
     * Whether a thread sends, or is scheduled to. There is one at most: two would send out of order after a failure.
     */
    private boolean sending;

    private boolean closed;

    /**
     * For so many entries; sent in the background.
     *
     * @param advanced told there when some are sent, and when there are none
     * @param change told of each change of their number
     */
    PendingEntries(int capacity, Sender sender, Background background, Runnable advanced, IntConsumer change) {
        this.capacity = capacity;
        this.sender = sender;
        this.background = background;
        this.advanced = advanced;
        this.change = change;
    }

    /** Writes entries. */
    @FunctionalInterface
    interface Sender {
        /** Returns when all of them are there. */
        void put(Collection<NewEntry> entries) throws IOException;
    }

    /** Where threads come from. */
    @FunctionalInterface
    interface Background {
        /** Of the server. */
        ScheduledExecutorService threads();
    }

    /**
     * A place for the entries of one batch.
     *
     * @param number in the order of reservation, so that who waits for all until now needs one number
     * @param oldest the lowest timestamp of its entries, above which the watermark must not go
     */
    record Ticket(long number, List<NewEntry> entries, long oldest) {}

    /** A place for these entries, or null if there is none. */
    synchronized @Nullable Ticket reserve(List<NewEntry> entries) {
        // No waiting here: who finds no place writes his entries himself, and is held up by the index alone.
        if (closed || size + entries.size() > capacity) {
            return null;
        }
        long oldest = entries.stream()
                .mapToLong(entry -> entry.entry().timestamp())
                .min()
                .orElse(Long.MAX_VALUE);
        var ticket = new Ticket(++lastNumber, List.copyOf(entries), oldest);
        // From now on the watermark stays below its timestamps, whether or not the write succeeds.
        outstanding.put(ticket.number, ticket);
        change(entries.size());
        return ticket;
    }

    /**
     * Its write is done: the entries may follow.
     *
     * <p>May come when the region is closed already: then the next life finds the row by its timestamp.
     */
    synchronized void give(Ticket ticket) {
        // In the order in which writes end, not in that of their places: one that hangs holds up no other.
        given.add(ticket);
        if (!sending && !closed) {
            sending = start(0);
        }
    }

    /** Its write has failed. */
    synchronized void giveBack(Ticket ticket) {
        done(List.of(ticket));
    }

    private void done(List<Ticket> tickets) {
        for (Ticket ticket : tickets) {
            if (outstanding.remove(ticket.number) != null) {
                change(-ticket.entries.size());
            }
        }
        notifyAll();
    }

    /** What is told is the server's sum; after the end it has this region's part taken out already. */
    private void change(int more) {
        size += more;
        if (!closed) {
            change.accept(more);
        }
    }

    /** How many entries wait. */
    synchronized int size() {
        return size;
    }

    /** The timestamp of the oldest that waits; the highest there is if none does. */
    synchronized long oldest() {
        return outstanding.values().stream().mapToLong(Ticket::oldest).min().orElse(Long.MAX_VALUE);
    }

    /**
     * Waits until all is sent that has a place now.
     *
     * @return whether it is
     */
    synchronized boolean await(long millis) throws InterruptedException {
        // Only what has a place now: under a steady load there is always more.
        long last = lastNumber;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!outstanding.isEmpty() && outstanding.firstKey() <= last) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    /** Takes and sends no more. */
    synchronized void close() {
        // The number is the server's: what this region leaves to its next life is not waiting here any more.
        change.accept(closed ? 0 : -size);
        closed = true;
        given.clear();
    }

    private boolean start(long delayMillis) {
        try {
            var unused = background.threads().schedule(this::send, delayMillis, TimeUnit.MILLISECONDS);
            return true;
        } catch (RejectedExecutionException e) {
            // The server is going down: the next one catches up.
            return false;
        }
    }

    /**
     * One batch, in a thread of the table; it is scheduled again while there is more, instead of a loop, so that the
     * table's few threads serve all of its regions in turn.
     */
    private void send() {
        List<Ticket> next = next();
        if (next.isEmpty()) {
            advanced.run();
            return;
        }
        try {
            var entries = new ArrayList<NewEntry>();
            next.forEach(ticket -> entries.addAll(ticket.entries));
            sender.put(entries);
        } catch (IOException | RuntimeException | Error e) {
            // Whatever it was, such as a class of a jar that was replaced: nobody else would try again.
            LOG.warn("{} index entries are late, trying again", size(), e);
            retry(next);
            return;
        }
        synchronized (this) {
            done(next);
            // The next ones start it, should no thread be had.
            sending = false;
            sending = start(0);
        }
        // Not only when there are none: where something is always written that would never be.
        advanced.run();
    }

    /**
     * They stay outstanding until they are there: who waits must not be told that all is sent while a call is on its
     * way.
     */
    private synchronized List<Ticket> next() {
        var next = new ArrayList<Ticket>();
        int entries = 0;
        while (!given.isEmpty() && !closed && entries < BATCH) {
            Ticket ticket = given.remove();
            next.add(ticket);
            entries += ticket.entries.size();
        }
        sending = !next.isEmpty();
        return next;
    }

    /**
     * Without an end: an acknowledged write must have its entry. The region's next life takes over where this one ends.
     */
    private synchronized void retry(List<Ticket> tickets) {
        for (int i = tickets.size() - 1; i >= 0; i--) {
            // In front, in their old order: the oldest decides how far the watermark may go.
            given.addFirst(tickets.get(i));
        }
        sending = false;
        sending = !closed && start(Retry.FOLLOWING.firstMillis());
    }
}
