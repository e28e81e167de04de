package io.leeway.autotune.internal.bridge;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.WeakReference;
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

        /** A request is over. */
        void record(long nanos, boolean failed);
    }

    /** The request that this thread works on. */
    private static final class Entry {
        int depth;
        long start;
        long pending;
        boolean failed;
        boolean answered;
    }

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

    private static final ClassValue<MethodHandle> STATUS = new ClassValue<>() {
        @Override
        protected MethodHandle computeValue(Class<?> type) {
            return statusOf(type);
        }
    };

    private static volatile @Nullable Sink sink;

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
            record(entry.start, failed || entry.failed);
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
                record(entry.start, entry.failed);
            }
        } else if (entry.depth < 0) {
            entry.depth = 0;
        }
    }

    /** A request is over that may have been on several threads; only the first call counts. */
    public static void finished(Object exchange) {
        Long since = QUEUED.remove(new Identity(exchange));
        if (since != null) {
            record(since, status(exchange) >= 500);
        }
    }

    private static void record(long start, boolean failed) {
        Sink to = sink;
        if (to != null) {
            to.record(System.nanoTime() - start, failed);
        }
    }

    /** The status of a response, 0 if it has none. */
    public static int status(@Nullable Object response) {
        if (response == null) {
            return 0;
        }
        try {
            return (int) STATUS.get(response.getClass()).invokeExact(response);
        } catch (Throwable e) {
            return 0;
        }
    }

    private static MethodHandle statusOf(Class<?> type) {
        for (String name : new String[] {"getStatus", "getStatusCode"}) {
            try {
                return MethodHandles.publicLookup()
                        .unreflect(accessible(type, name))
                        .asType(MethodType.methodType(int.class, Object.class));
            } catch (ReflectiveOperationException | RuntimeException e) {
                // The other name, or none.
            }
        }
        return MethodHandles.dropArguments(MethodHandles.constant(int.class, 0), 0, Object.class);
    }

    /** A class that is not public has the method from an interface or a super class that is. */
    private static java.lang.reflect.Method accessible(Class<?> type, String name) throws NoSuchMethodException {
        java.lang.reflect.Method method = type.getMethod(name);
        method.setAccessible(true);
        return method;
    }
}
