package io.leeway.pipelining;

import io.leeway.pipelining.internal.control.Controller;
import io.leeway.pipelining.internal.view.GraphText;
import io.leeway.pipelining.internal.view.StatusServer;
import io.leeway.pipelining.spi.PipelineClock;
import io.leeway.pipelining.spi.PipelineHost;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a host's threads where they help, from a daemon thread of its own, until it is closed or the host ends. It fails open:
 * whatever goes wrong here, the host goes on with the threads that it has. Thread-safe.
 *
 * <pre>{@code
 * try (var keeper = AutoPipelining.start(graph.host(), PipeliningOptions.defaults())) {
 *     graph.join();
 *     System.out.println(keeper.text());
 * }
 * }</pre>
 *
 * @since 0.1
 */
public final class AutoPipelining implements AutoCloseable {

    private final Controller controller;
    private final Thread thread;
    private final @Nullable StatusServer page;
    private volatile @Nullable Throwable failure;

    private AutoPipelining(PipelineHost host, PipeliningOptions options, Consumer<PipelineStatus> listener) {
        this.controller = new Controller(host, new SystemClock(), options, listener);
        this.thread = new Thread(this::run, "pipelining-controller");
        thread.setDaemon(true);
        int port = options.get(PipeliningOptions.PAGE_PORT);
        this.page = port < 0 ? null : page(port, controller);
    }

    /** At that port; at a free one if it is taken; null, and the host goes on without a page, if there is none. */
    private static @Nullable StatusServer page(int port, Controller controller) {
        try {
            return StatusServer.start(port, controller::status);
        } catch (UncheckedIOException taken) {
            return port == 0 ? null : page(0, controller);
        }
    }

    /** Begins to keep a host. */
    public static AutoPipelining start(PipelineHost host, PipeliningOptions options) {
        return start(host, options, status -> {});
    }

    /** Begins to keep a host, and tells a listener every change, in the keeper's thread. */
    public static AutoPipelining start(
            PipelineHost host, PipeliningOptions options, Consumer<PipelineStatus> listener) {
        var keeper = new AutoPipelining(host, options, listener);
        keeper.thread.start();
        return keeper;
    }

    /** What is known at present. */
    public PipelineStatus status() {
        return controller.status();
    }

    /** The graph, its threads and all decisions as text. */
    public String text() {
        return GraphText.of(status());
    }

    /** The port of the page, another than was asked for if that was taken; -1 if there is none. */
    public int pagePort() {
        StatusServer served = page;
        return served == null ? -1 : served.port();
    }

    /** What ended the keeper before its time; null if nothing did. */
    public @Nullable Throwable failure() {
        return failure;
    }

    private void run() {
        try {
            controller.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            failure = e;
            // Not a constant: an agent that touches logging before its host has started decides how the host logs.
            System.getLogger("io.leeway.pipelining")
                    .log(System.Logger.Level.WARNING, "auto-pipelining stops; the host goes on with its threads", e);
        }
    }

    /** Ends the keeper and its page; threads that were put in stay. Waits at most ten seconds. */
    @Override
    public void close() {
        thread.interrupt();
        StatusServer served = page;
        if (served != null) {
            served.close();
        }
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The clock of this machine. */
    private static final class SystemClock implements PipelineClock {

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void pause(long nanos) throws InterruptedException {
            long end = System.nanoTime() + nanos;
            long left = nanos;
            while (left > 0) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                LockSupport.parkNanos(left);
                left = end - System.nanoTime();
            }
        }
    }
}
