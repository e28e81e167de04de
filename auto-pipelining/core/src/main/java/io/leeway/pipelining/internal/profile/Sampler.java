package io.leeway.pipelining.internal.profile;

import java.util.Collection;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Looks at all stacks so many times a second, from one daemon thread. It suspends no thread and takes no lock of one. Used from
 * one thread.
 */
public final class Sampler {

    private static final long SECOND = 1_000_000_000L;

    private final Supplier<Collection<Watched>> threads;

    /**
     * One thread that is looked at.
     *
     * @param stack its stack
     * @param thread the thread
     * @param blockedIsBusy whether a thread that is blocked inside an operator counts as busy: it holds its tuples up like one
     *     that computes
     */
    public record Watched(ExecutionStack stack, Thread thread, boolean blockedIsBusy) {}

    private volatile boolean running;
    private Samples samples = new Samples();
    private Thread sampling = new Thread();

    /**
     * A sampler that does nothing yet.
     *
     * @param threads the threads to look at, asked before each sample
     */
    public Sampler(Supplier<Collection<Watched>> threads) {
        this.threads = threads;
    }

    /** Starts with no samples. */
    public void start(int perSecond) {
        var fresh = new Samples();
        samples = fresh;
        running = true;
        sampling = new Thread(() -> sample(fresh, SECOND / perSecond), "pipelining-sampler");
        sampling.setDaemon(true);
        sampling.start();
    }

    /** Ends and gives what was seen. */
    public Samples stop() throws InterruptedException {
        running = false;
        LockSupport.unpark(sampling);
        sampling.join();
        return samples;
    }

    private void sample(Samples into, long period) {
        while (running) {
            LockSupport.parkNanos(period);
            into.begin();
            for (Watched watched : threads.get()) {
                boolean runs = watched.thread().getState() == Thread.State.RUNNABLE;
                into.look(
                        watched.stack(),
                        runs || watched.blockedIsBusy() && watched.stack().depth() > 0);
            }
        }
    }
}
