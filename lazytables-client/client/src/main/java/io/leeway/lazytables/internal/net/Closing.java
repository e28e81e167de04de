package io.leeway.lazytables.internal.net;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Waits for connections to be gone, not for long and never on the network thread. On the network thread it would wait
 * for what only that thread can do.
 */
final class Closing {

    /** Who closes must come to an end, whatever the other sides do. */
    private static final long MILLIS = 10_000;

    private Closing() {}

    /** Has connections closed on the network thread, and waits until they are gone. */
    static void await(NetLoop loop, Supplier<List<Connection>> close) {
        var gone = new CompletableFuture<Void>();
        loop.execute(() -> {
            // Of those that are there when the task runs: after it, there are no new ones.
            CompletableFuture<?>[] all =
                    close.get().stream().map(Connection::gone).toArray(CompletableFuture<?>[]::new);
            var unused = CompletableFuture.allOf(all).whenComplete((done, failed) -> gone.complete(null));
        });
        // The task comes behind what this thread does now.
        if (loop.isCurrent()) {
            return;
        }
        // Connections end with the thread, which drops the task then.
        loop.whenEnded(() -> gone.complete(null));
        try {
            // Each has a time limit of its own (Ending); this one is for a network thread that does not come to it.
            gone.get(MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            System.getLogger(Closing.class.getName())
                    .log(System.Logger.Level.DEBUG, "Connections are still there after {0} ms", MILLIS);
        }
    }
}
