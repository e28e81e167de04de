package io.leeway.autotune.internal.bridge;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What the changed methods of the host call. A copy of this class alone is put on the bootstrap class path, so that
 * classes of every loader see the same one; hence it uses nothing but {@code java.base}.
 *
 * <p>On hot paths: {@link #seen} is a hash, an array read and a comparison for a host that is known; an entry point
 * costs two reads of the clock, a thread local and a histogram increment. Nothing here throws.
 */
public final class Bridge {

    /** The agent's side. */
    public interface Sink {
        /** A pool that was not seen lately. Called inside the host's method: must return at once. */
        void found(Object host);

        /**
         * A request is over.
         *
         * @param trace the header that says which trace it belongs to, null if it has none
         */
        void record(long nanos, boolean failed, @Nullable String trace);

        /** A thread of this pool is done with a job, and a pool has too many threads: it may be kept here. */
        void worked(Object pool);
    }

    /** The request that this thread works on. */
    private static final class Entry {
        int depth;
        long start;
        long pending;
        boolean failed;
        boolean answered;

        @Nullable
        String trace;
    }

    /** A request whose head Netty has read and whose response is not written yet. */
    private record Pending(long start, @Nullable String trace) {}

    /** An object by its identity. */
    private static final class Identity {
        private final Object object;

        Identity(Object object) {
            this.object = object;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(object);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Identity identity && identity.object == object;
        }
    }

    private static final int SLOTS = 256;

    /** More units of work than this waiting are not timed from when they were queued. */
    private static final int MOST_QUEUED = 50_000;

    private static final AtomicReferenceArray<WeakReference<Object>> RECENT = new AtomicReferenceArray<>(SLOTS);
    private static final ThreadLocal<Entry> ENTRY = ThreadLocal.withInitial(Entry::new);
    private static final ConcurrentHashMap<Identity, Long> QUEUED = new ConcurrentHashMap<>();

    /** Requests in the order in which they came in, by channel; only a channel's own thread uses its queue. */
    private static final Map<Object, ArrayDeque<Pending>> CHANNELS = Collections.synchronizedMap(new WeakHashMap<>());

    /** A channel with more requests waiting than this answers none of them any more. */
    private static final int MOST_IN_CHANNEL = 1_000;

    private static final Getter STATUS = new Getter(false, "getStatus", "getStatusCode", "status");
    private static final Getter CODE = new Getter(false, "code");
    private static final Getter CHANNEL = new Getter(false, "channel");
    private static final Getter HEADER = new Getter(true, "getHeader");
    private static final Getter HEADERS = new Getter(false, "getHeaders", "getRequestHeaders", "headers");
    private static final Getter FIRST = new Getter(true, "getFirst", "get");
    private static final Kinds KINDS = new Kinds();
    private static final int SWITCHING_PROTOCOLS = 101;

    private static volatile @Nullable Sink sink;
    private static volatile boolean surplus;

    private Bridge() {}

    /** Connects the agent. */
    public static void connect(Sink agent) {
        sink = agent;
    }

    /** A pool is used. */
    public static void seen(Object host) {
        int slot = System.identityHashCode(host) & (SLOTS - 1);
        WeakReference<Object> recent = RECENT.get(slot);
        if (recent != null && recent.refersTo(host)) {
            return;
        }
        Sink to = sink;
        if (to != null) {
            RECENT.set(slot, new WeakReference<>(host));
            to.found(host);
        }
    }

    /** Forgets what was seen, so that pools are found anew. */
    public static void forget() {
        for (int i = 0; i < SLOTS; i++) {
            RECENT.set(i, null);
        }
    }

    /** A unit of work begins to wait for a thread. */
    public static void queued(Object unit) {
        if (sink != null && QUEUED.size() < MOST_QUEUED) {
            QUEUED.put(new Identity(unit), System.nanoTime());
        }
    }

    /**
     * The same for a job of Jetty, unless it is a strategy or a thread in reserve: these run requests as they come, long
     * after they were queued themselves.
     */
    public static void queuedUnlessProducer(Object job) {
        if (sink != null && !KINDS.isProducer(job.getClass())) {
            queued(job);
        }
    }

    /** The same, unless it waits already. */
    public static void arrived(Object unit) {
        if (sink != null && QUEUED.size() < MOST_QUEUED) {
            QUEUED.putIfAbsent(new Identity(unit), System.nanoTime());
        }
    }

    /** A thread takes a unit of work, in which a request may begin: it began when the unit was queued. */
    public static void taken(Object unit) {
        Long since = QUEUED.remove(new Identity(unit));
        ENTRY.get().pending = since == null ? System.nanoTime() : since;
    }

    /** The same for a unit that may not have been queued: then a request in it begins when it begins. */
    public static void takenIfQueued(Object unit) {
        Long since = QUEUED.remove(new Identity(unit));
        ENTRY.get().pending = since == null ? 0 : since;
    }

    /** Whether some pool has more threads than it may have, and cannot let them go by itself as it is never idle. */
    public static void surplus(boolean is) {
        surplus = is;
    }

    /** A thread of this pool is done with a job and about to take the next. */
    public static void worked(Object pool) {
        Sink to = sink;
        if (surplus && to != null) {
            to.worked(pool);
        }
    }

    /** The thread is done with the unit. */
    public static void released() {
        ENTRY.get().pending = 0;
    }

    /** A request begins on this thread; only the outermost of nested ones counts. */
    public static void begin() {
        Entry entry = ENTRY.get();
        if (entry.depth++ == 0) {
            entry.start = entry.pending != 0 ? entry.pending : System.nanoTime();
            entry.pending = 0;
            entry.failed = false;
            entry.answered = false;
            entry.trace = null;
        }
    }

    /** What the request of this thread looks like; only its trace is read from it. */
    public static void request(@Nullable Object request) {
        Entry entry = ENTRY.get();
        if (sink != null && entry.trace == null) {
            entry.trace = trace(request);
        }
    }

    /** W3C's header, or one of the two ways of B3, which is brought into its single form. */
    private static @Nullable String trace(@Nullable Object request) {
        String found = header(request, "traceparent");
        if (found == null) {
            found = header(request, "b3");
        }
        if (found == null) {
            String id = header(request, "X-B3-TraceId");
            found = id == null ? null : id + "-" + header(request, "X-B3-SpanId");
        }
        return found;
    }

    private static @Nullable String header(@Nullable Object request, String name) {
        Object direct = HEADER.of(request, name);
        Object value = direct == null ? FIRST.of(HEADERS.of(request), name) : direct;
        return value instanceof String text ? text : null;
    }

    /** Netty has decoded something: requests among it begin. */
    public static void decoded(@Nullable Object context, @Nullable List<?> out, int from) {
        if (sink == null || out == null) {
            return;
        }
        for (int i = from; i < out.size(); i++) {
            Object message = out.get(i);
            Object channel = (KINDS.get(message.getClass()) & Kinds.REQUEST) == 0 ? null : CHANNEL.of(context);
            if (channel != null) {
                ArrayDeque<Pending> queue = CHANNELS.computeIfAbsent(channel, key -> new ArrayDeque<>(2));
                if (queue.size() < MOST_IN_CHANNEL) {
                    queue.add(new Pending(System.nanoTime(), trace(message)));
                }
            }
        }
    }

    /** Netty has encoded a part of a response: with the last one the oldest request of its channel is over. */
    public static void encoded(@Nullable Object context, @Nullable Object message) {
        int kinds = sink == null || message == null ? 0 : KINDS.get(message.getClass());
        if ((kinds & (Kinds.RESPONSE | Kinds.LAST)) == 0) {
            return;
        }
        Object channel = CHANNEL.of(context);
        ArrayDeque<Pending> queue = channel == null ? null : CHANNELS.get(channel);
        Pending pending = queue == null ? null : queue.peek();
        if (queue == null || pending == null) {
            return;
        }
        int status = (kinds & Kinds.RESPONSE) == 0 ? 0 : status(message);
        if (status >= 500) {
            ENTRY.get().failed = true;
        }
        // 100 to 199 but for a change of protocol come before the answer.
        if ((kinds & Kinds.LAST) != 0 && (status == 0 || status >= 200 || status == SWITCHING_PROTOCOLS)) {
            queue.remove();
            Entry entry = ENTRY.get();
            record(pending.start(), entry.failed, pending.trace());
            entry.failed = false;
        }
    }

    /** The request of this thread has its status. */
    public static void answered(int status) {
        Entry entry = ENTRY.get();
        entry.answered = true;
        entry.failed |= status >= 500;
    }

    /** The request of this thread failed. */
    public static void failed() {
        Entry entry = ENTRY.get();
        entry.answered = true;
        entry.failed = true;
    }

    /** The request of this thread is over. */
    public static void end(boolean failed) {
        Entry entry = ENTRY.get();
        if (--entry.depth == 0) {
            record(entry.start, failed || entry.failed, entry.trace);
        } else if (entry.depth < 0) {
            // The agent was attached in the middle of a request.
            entry.depth = 0;
        }
    }

    /** The same where a unit of work may turn out to be no request. */
    public static void endIfAnswered() {
        Entry entry = ENTRY.get();
        if (--entry.depth == 0) {
            if (entry.answered) {
                record(entry.start, entry.failed, entry.trace);
            }
        } else if (entry.depth < 0) {
            entry.depth = 0;
        }
    }

    /** A request is over that may have been on several threads; only the first call counts. */
    public static void finished(Object exchange) {
        Long since = QUEUED.remove(new Identity(exchange));
        if (since != null) {
            record(since, status(exchange) >= 500, trace(exchange));
        }
    }

    private static void record(long start, boolean failed, @Nullable String trace) {
        Sink to = sink;
        if (to != null) {
            to.record(System.nanoTime() - start, failed, trace);
        }
    }

    /** The status of a response, 0 if it has none. */
    public static int status(@Nullable Object response) {
        Object status = STATUS.of(response);
        Object number = status instanceof Integer || status == null ? status : CODE.of(status);
        return number instanceof Integer code ? code : 0;
    }
}
