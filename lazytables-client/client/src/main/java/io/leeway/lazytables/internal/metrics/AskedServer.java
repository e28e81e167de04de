package io.leeway.lazytables.internal.metrics;

import io.leeway.lazytables.Statistics;
import io.leeway.lazytables.internal.net.NetworkThread;
import io.leeway.lazytables.internal.server.ServerStatus;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Asks a server, on the server's own thread, how it is. An answer is good for some time, since the meters of one scrape
 * ask one after the other. Thread-safe.
 */
public final class AskedServer implements Supplier<ServerStatus> {

    /** An answer; less than any pause between two scrapes, and more than one of them takes. */
    private static final long GOOD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** For the server's thread: a scrape must not hang because a server is busy. */
    private static final long PATIENCE_MILLIS = 1_000;
    /** Before the first answer. */
    private static final ServerStatus NOTHING =
            new ServerStatus(1, 0, 0, false, 0, List.of(), List.of(), Statistics.Traffic.NONE);

    private final NetworkThread thread;
    private final Supplier<ServerStatus> core;
    private ServerStatus last = NOTHING;
    private boolean asked;
    private long askedAt;

    /** For a server that runs on this thread. */
    public AskedServer(NetworkThread thread, Supplier<ServerStatus> core) {
        this.thread = thread;
        this.core = core;
    }

    /**
     * The status, or the last one if the server does not answer in time.
     *
     * <p>Several that ask at once wait for one question. A failed one counts as asked too: the next does not wait again
     * at once.
     */
    @Override
    public synchronized ServerStatus get() {
        if (!asked || System.nanoTime() - askedAt > GOOD_NANOS) {
            var answer = new CompletableFuture<ServerStatus>();
            thread.execute(() -> answer.complete(core.get()));
            try {
                last = answer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException | ExecutionException late) {
                // The meters show what was known last.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            asked = true;
            askedAt = System.nanoTime();
        }
        return last;
    }
}
