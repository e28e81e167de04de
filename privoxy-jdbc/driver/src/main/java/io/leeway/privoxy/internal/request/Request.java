package io.leeway.privoxy.internal.request;

import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request as one guard sees it: the context, and the trace of what was read from that guard's database. Thread-safe.
 */
public final class Request {

    /** When nobody said who asks: no context, and nothing is remembered, so that nothing can be taken over. */
    public static final Request NOBODY = new Request(Map.of(), new Trace(Trace.Bounds.NOTHING));

    private final Map<String, Value> context;
    private final Trace trace;
    private volatile @Nullable Reading reading;

    /** The context as one reader sees it. */
    private record Reading(Object reader, Map<String, Value> context) {}

    public Request(Map<String, Value> context, Trace trace) {
        this.context = Map.copyOf(context);
        this.trace = trace;
    }

    /** The context parameters by name. A value given as text has kind TEXT; see {@link #context(String, ValueKind)}. */
    public Map<String, Value> context() {
        return context;
    }

    /** A context parameter as it was given, or null if it was not. */
    public @Nullable Value context(String name) {
        return context.get(name);
    }

    /** A context parameter as a value of the kind expected, or null if it was not given or is none of that kind. */
    public @Nullable Value context(String name, ValueKind kind) {
        Value given = context.get(name);
        return given == null ? null : ContextValues.as(kind, given);
    }

    /**
     * The context as somebody reads it who always reads it alike; made once as long as nobody else asks.
     *
     * @param reader compared by identity
     */
    @SuppressWarnings("ReferenceEquality") // Whoever reads alike is the same object.
    public Map<String, Value> context(Object reader, Function<Request, Map<String, Value>> read) {
        Reading known = reading;
        if (known == null || known.reader != reader) {
            known = new Reading(reader, Map.copyOf(read.apply(this)));
            reading = known;
        }
        return known.context;
    }

    /** Whether there is any context. */
    public boolean hasContext() {
        return !context.isEmpty();
    }

    /** What was read so far. */
    public Trace trace() {
        return trace;
    }

    /** Shows names, no values. */
    @Override
    public String toString() {
        return "request" + context.keySet();
    }
}
