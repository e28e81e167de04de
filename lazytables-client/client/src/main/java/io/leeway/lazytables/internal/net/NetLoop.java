package io.leeway.lazytables.internal.net;

import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** The network thread of a process: one event loop, which tasks and timers run on too. Thread-safe. */
public final class NetLoop implements NetworkThread, AutoCloseable {

    /*
     * One thread, and not one for each core: the protocol behind it is not for several threads, and what it does for a
     * message is less than handing the message to another thread would cost. More throughput comes from more servers.
     */

    private static final System.Logger LOG = System.getLogger(NetLoop.class.getName());
    /** What is under way when the thread is to end, such as a message that is taken, comes to its end; not more. */
    private static final long CLOSE_SECONDS = 15;

    /** A group of one: it is the way in which Netty starts and ends a loop. */
    private final MultiThreadIoEventLoopGroup group;

    private final EventLoop loop;

    private NetLoop(MultiThreadIoEventLoopGroup group) {
        this.group = group;
        // The only one of the group.
        this.loop = group.next();
    }

    /**
     * With a daemon thread named after the purpose; it starts with the first task. A daemon, so that a program whose
     * threads have returned ends though it forgot to close.
     */
    public static NetLoop start(String purpose) {
        var threads = new DefaultThreadFactory("lazytables-" + purpose, true);
        return new NetLoop(new MultiThreadIoEventLoopGroup(1, threads, NioIoHandler.newFactory()));
    }

    /** Tasks after the end are dropped: what they were for has ended too. */
    @Override
    public void execute(Runnable task) {
        try {
            // In the order in which they come, from whichever threads: who relies on it is NetworkThread's to say.
            loop.execute(task);
        } catch (RejectedExecutionException ended) {
            LOG.log(System.Logger.Level.DEBUG, "A task came after the network thread had ended", ended);
        }
    }

    @Override
    public void executeAfter(Runnable task, long delayNanos) {
        try {
            // Nobody looks at the future, hence guarded().
            var unused = loop.schedule(guarded(task), delayNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException ended) {
            LOG.log(System.Logger.Level.DEBUG, "A timer came after the network thread had ended", ended);
        }
    }

    /** Whether the caller is on the network thread. */
    public boolean isCurrent() {
        return loop.inEventLoop();
    }

    /** Runs the task, on any thread, when the network thread has ended; at once if it has. */
    void whenEnded(Runnable task) {
        var unused = loop.terminationFuture().addListener(ended -> task.run());
    }

    /** Closes what is open and ends the thread; waits for it for a limited time, unless called on it. */
    @Override
    public void close() {
        // No quiet time: whoever closes has closed the connections before.
        var ended = group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
        if (!isCurrent() && !ended.awaitUninterruptibly(CLOSE_SECONDS + 1, TimeUnit.SECONDS)) {
            LOG.log(System.Logger.Level.WARNING, "The network thread has not ended within {0} s", CLOSE_SECONDS);
        }
    }

    EventLoop netty() {
        return loop;
    }

    /** What a timer throws would end in a future that nobody looks at. */
    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.ERROR, "A timer of the network thread failed", e);
            }
        };
    }
}
