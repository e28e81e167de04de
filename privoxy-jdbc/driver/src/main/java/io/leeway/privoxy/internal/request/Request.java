package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request as one guard sees it: the context, and the trace of what was read from that guard's database. Thread-safe.
 *
 * <p>It is what the guard gets instead of the application's own request, so that a guard can only reach the trace of
 * its own database.
 */
public final class Request {

    /**
     * When nobody said who asks: no context, and nothing is remembered, so that nothing can be taken over.
     *
     * <p>Shared by all: with bounds of nothing it cannot carry anything from one to the other.
     */
    public static final Request NOBODY = new Request(Map.of(), new Trace(Trace.Bounds.NOTHING));

    private final Shared shared;
    private final Standpoint standpoint;

    /** What a request is, wherever it is seen from. */
    private static final class Shared {
        private final Map<String, Value> context;
        private final Trace trace;
        private volatile @Nullable Reading reading;
        /**
         * As it was seen last: the connections of a request nearly always stand alike.
         *
         * <p>Written by a race: each thread finds one that is right, or makes it.
         */
        private volatile @Nullable Request seen;

        private Shared(Map<String, Value> context, Trace trace) {
            this.context = context;
            this.trace = trace;
        }
    }

    /** The context as one reader sees it. */
    private record Reading(Object reader, Map<String, Value> context) {}

    public Request(Map<String, Value> context, Trace trace) {
        this(new Shared(Map.copyOf(context), trace), Standpoint.ANYWHERE);
    }

    private Request(Shared shared, Standpoint standpoint) {
        this.shared = shared;
        this.standpoint = standpoint;
    }

    /** The same request from another standpoint. */
    public Request from(Standpoint other) {
        if (other.equals(standpoint)) {
            return this;
        }
        Request known = shared.seen;
        if (known == null || !known.standpoint.equals(other)) {
            known = new Request(shared, other);
            shared.seen = known;
        }
        return known;
    }

    /** The context parameters by name. A value given as text has kind TEXT; see {@link #context(String, ValueKind)}. */
    public Map<String, Value> context() {
        return shared.context;
    }

    /** A context parameter as a value of the kind expected, or null if it was not given or is none of that kind. */
    public @Nullable Value context(String name, ValueKind kind) {
        Value given = shared.context.get(name);
        return given == null ? null : ContextValues.as(kind, given);
    }

    /**
     * The context as somebody reads it who always reads it alike; made once as long as nobody else asks.
     *
     * <p>Texts have to be read as the policy's types, which takes longer than a decision from memory.
     *
     * @param reader compared by identity
     */
    @SuppressWarnings("ReferenceEquality") // Whoever reads alike is the same object.
    public Map<String, Value> context(Object reader, Function<Request, Map<String, Value>> read) {
        Reading known = shared.reading;
        if (known == null || known.reader != reader) {
            known = new Reading(reader, Map.copyOf(read.apply(this)));
            shared.reading = known;
        }
        return known.context;
    }

    /** Whether there is any context. */
    public boolean hasContext() {
        return !shared.context.isEmpty();
    }

    /** What was read so far. */
    public Trace trace() {
        return shared.trace;
    }

    /** Where its statements stand. */
    public Standpoint standpoint() {
        return standpoint;
    }

    /**
     * What was read so far and may be used from here.
     *
     * <p>The only way by which decisions get facts, so that none is used where it may not be.
     */
    public Standpoint.View known() {
        return standpoint.of(shared.trace);
    }

    /** Shows names, no values. */
    @Override
    public String toString() {
        return "request" + shared.context.keySet();
    }
}
