package io.leeway.privoxy;

import io.leeway.privoxy.internal.request.RequestScope;
import io.leeway.privoxy.internal.request.ThreadScope;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request of the application: an identity and what it has read so far. Thread-safe; several threads may work for one
 * request after they have joined it.
 *
 * @since 0.1
 */
public final class PrivoxyRequest implements AutoCloseable {

    private final RequestScope scope;
    private final boolean owner;
    private final @Nullable ThreadScope binding;
    private final Thread thread = Thread.currentThread();

    private PrivoxyRequest(RequestScope scope, boolean owner, @Nullable ThreadScope binding) {
        this.scope = scope;
        this.owner = owner;
        this.binding = binding;
    }

    static PrivoxyRequest begin(RequestScope scope) {
        return new PrivoxyRequest(scope, true, ThreadScope.bind(scope));
    }

    static PrivoxyRequest within(RequestScope scope) {
        return new PrivoxyRequest(scope, false, ThreadScope.bind(scope));
    }

    static PrivoxyRequest unbound(RequestScope scope) {
        return new PrivoxyRequest(scope, true, null);
    }

    static PrivoxyRequest shared(RequestScope scope) {
        return new PrivoxyRequest(scope, false, null);
    }

    /** Names of the context parameters. */
    public Set<String> parameters() {
        return scope.context().keySet();
    }

    /** Whether it goes on. Statements of an ended request are refused. */
    public boolean isOpen() {
        return !scope.ended();
    }

    /**
     * Makes the calling thread work for this request until what this returns is closed, by the same thread.
     *
     * @throws IllegalStateException if the request has ended
     */
    public Joined join() {
        if (scope.ended()) {
            throw new IllegalStateException("the request has ended");
        }
        ThreadScope joined = ThreadScope.bind(scope);
        return joined::close;
    }

    /** The task, to be run for this request on any thread. */
    public Runnable wrap(Runnable task) {
        return () -> {
            Joined joined = join();
            try {
                task.run();
            } finally {
                joined.close();
            }
        };
    }

    /** The task, to be run for this request on any thread. */
    public <T> Callable<T> wrap(Callable<T> task) {
        return () -> {
            Joined joined = join();
            try {
                return task.call();
            } finally {
                joined.close();
            }
        };
    }

    /** The supplier, to be asked for this request on any thread. */
    public <T> Supplier<T> wrapSupplier(Supplier<T> task) {
        return () -> {
            Joined joined = join();
            try {
                return task.get();
            } finally {
                joined.close();
            }
        };
    }

    /** The executor, whose tasks all run for this request. */
    public Executor wrap(Executor executor) {
        return task -> executor.execute(wrap(task));
    }

    /**
     * Ends the request if it was begun here: what was read is forgotten, and statements of threads that still work for
     * it are refused. Any thread may end a request; the binding of the thread that began it goes when that thread
     * closes it, or with the outer request.
     */
    @Override
    public void close() {
        if (owner) {
            scope.end();
        }
        if (binding != null && Thread.currentThread() == thread) {
            binding.close();
        }
    }

    /** A thread's work for a request. */
    @FunctionalInterface
    public interface Joined extends AutoCloseable {

        /** Ends the thread's work for the request; the request goes on. */
        @Override
        void close();
    }
}
