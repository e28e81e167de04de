package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.Value;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One request of the application, from its beginning to its end, over all connections and threads that work for it.
 * Thread-safe.
 *
 * <p>Facts of one database say nothing about another, and policies differ, so each guard has a trace of its own here. Several
 * may be of one database, by other addresses or accounts: what is written over one of these {@link Ways} is so on all.
 *
 * <p>Facts live as long as a request and no longer: requests are independent, so what one user saw says nothing for the
 * next (Chang, UCB/EECS-2021-244, section 3.2), and a fact gets stale with every minute.
 */
public final class RequestScope {

    private final Map<String, Value> context;
    private final Map<Object, Request> byGuard = new ConcurrentHashMap<>();
    private final Map<String, Ways> byDatabase = new ConcurrentHashMap<>();
    private volatile boolean ended;

    public RequestScope(Map<String, Value> context) {
        this.context = Map.copyOf(context);
    }

    /** The context parameters. */
    public Map<String, Value> context() {
        return context;
    }

    /** The request as a guard sees it whose database no other one has. */
    public Request of(Object guard, Trace.Bounds bounds) {
        return of(guard, bounds, null);
    }

    /**
     * The request as a guard sees it.
     *
     * @param guard told apart by identity
     * @param bounds of the trace
     * @param database a name that is the same for all guards whose database may be the same; null if no other guard has it
     */
    public Request of(Object guard, Trace.Bounds bounds, @Nullable String database) {
        var key = new Identity(guard);
        Request known = byGuard.get(key);
        if (known == null) {
            known = byGuard.computeIfAbsent(key, absent -> {
                Ways ways = database == null ? new Ways() : byDatabase.computeIfAbsent(database, first -> new Ways());
                return new Request(context, ways.open(bounds));
            });
            // It may have ended between the look and the entry; then this trace is none that #end has seen.
            if (ended) {
                known.trace().end();
            }
        }
        return known;
    }

    /** Whether it is over. */
    public boolean ended() {
        return ended;
    }

    /** Ends it: the traces are dropped, and nothing is remembered any more. */
    public void end() {
        ended = true;
        for (Request request : byGuard.values()) {
            // Statements that are still read find the trace closed: a thread that goes on after its request learns
            // nothing more.
            request.trace().end();
        }
        byGuard.clear();
    }

    /**
     * Whether a parameter has one value here and another there.
     *
     * <p>Two identities at once, as a connection's own and the thread's: neither can be believed, and the statement is
     * refused.
     */
    public boolean contradicts(Map<String, Value> other) {
        for (Map.Entry<String, Value> parameter : other.entrySet()) {
            Value mine = context.get(parameter.getKey());
            if (mine != null && !sameAs(mine, parameter.getValue())) {
                return true;
            }
        }
        return false;
    }

    /** Equal, or one given as text that reads as the other. */
    private static boolean sameAs(Value mine, Value other) {
        return mine.equals(other)
                || other.equals(ContextValues.as(other.kind(), mine))
                || mine.equals(ContextValues.as(mine.kind(), other));
    }

    /** By identity: a guard that was opened anew for the same database has another schema. */
    private record Identity(Object guard) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Identity identity && identity.guard == guard;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(guard);
        }

        Identity {
            Objects.requireNonNull(guard, "guard");
        }
    }
}
