package io.leeway.privoxy.internal.request;

import org.jspecify.annotations.Nullable;

/**
 * Binds requests to threads. Bindings nest: the innermost open one counts. A binding is closed by the thread that made
 * it; closing one closes those inside it too, so a forgotten inner one cannot outlive the outer.
 *
 * <p>A thread of a pool that carried a request over to its next task would give one user's rights to another; hence the
 * strictness about who closes what.
 */
public final class ThreadScope implements AutoCloseable {

    private static final ThreadLocal<@Nullable ThreadScope> INNERMOST = new ThreadLocal<>();

    private final RequestScope request;
    private final @Nullable ThreadScope outer;
    private final Thread thread;
    private boolean open = true;

    private ThreadScope(RequestScope request, @Nullable ThreadScope outer) {
        this.request = request;
        this.outer = outer;
        this.thread = Thread.currentThread();
    }

    /** Binds a request to the calling thread. */
    public static ThreadScope bind(RequestScope request) {
        var scope = new ThreadScope(request, INNERMOST.get());
        INNERMOST.set(scope);
        return scope;
    }

    /** The request of the calling thread; null if there is none. It may have ended meanwhile. */
    public static @Nullable RequestScope current() {
        ThreadScope innermost = INNERMOST.get();
        // An ended request is still told, so that its statements are refused instead of being taken for nobody's.
        return innermost == null ? null : innermost.request;
    }

    /** Ends the binding. Without effect the second time. */
    @Override
    public void close() {
        if (!open) {
            return;
        }
        if (thread != Thread.currentThread()) {
            throw new IllegalStateException("a request is left by the thread that joined it; join it in each thread");
        }
        ThreadScope innermost = INNERMOST.get();
        while (innermost != null && innermost != this) {
            innermost.open = false;
            innermost = innermost.outer;
        }
        open = false;
        if (outer == null) {
            // Not set to null: a value left in a pool's thread would keep the class loader of a web application
            // alive.
            INNERMOST.remove();
        } else {
            INNERMOST.set(outer);
        }
    }
}
