package io.leeway.privoxy;

import io.leeway.privoxy.internal.request.ContextValues;
import io.leeway.privoxy.internal.request.RequestScope;
import io.leeway.privoxy.internal.request.ThreadScope;
import java.util.Map;
import java.util.Optional;

/**
 * Says who asks. Thread-safe.
 *
 * <pre>{@code
 * try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2L))) {
 *     // every checked connection used by this thread now asks for user 2
 * }
 * }</pre>
 *
 * <p>A request inside another one with the same context is part of it: it shares what was read, and closing it ends
 * nothing. With another context it is a request of its own, which hides the outer one until it is closed.
 *
 * @since 0.1
 */
public final class Privoxy {

    private Privoxy() {}

    /**
     * Begins a request on the calling thread, to be closed by the same thread.
     *
     * @param context the policy's parameters by name: numbers, text, booleans, UUIDs or {@code java.time} values
     * @throws IllegalArgumentException for a value of another type
     */
    public static PrivoxyRequest begin(Map<String, ?> context) {
        var values = ContextValues.of(context);
        RequestScope current = ThreadScope.current();
        if (current != null && !current.ended() && current.context().equals(values)) {
            return PrivoxyRequest.within(current);
        }
        return PrivoxyRequest.begin(new RequestScope(values));
    }

    /**
     * Makes a request that no thread works for yet: threads {@link PrivoxyRequest#join() join} it. For frameworks where
     * one request moves between threads.
     */
    public static PrivoxyRequest open(Map<String, ?> context) {
        return PrivoxyRequest.unbound(new RequestScope(ContextValues.of(context)));
    }

    /** The request of the calling thread, if there is one; closing what this returns ends nothing. */
    public static Optional<PrivoxyRequest> current() {
        RequestScope current = ThreadScope.current();
        return current == null || current.ended() ? Optional.empty() : Optional.of(PrivoxyRequest.shared(current));
    }
}
