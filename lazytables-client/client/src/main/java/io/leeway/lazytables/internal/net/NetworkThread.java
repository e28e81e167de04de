package io.leeway.lazytables.internal.net;

/** The one thread of a process on which its protocol runs; tasks run in the order in which they came. */
public interface NetworkThread {

    /** Runs the task on the thread, soon; may be called from any thread. */
    void execute(Runnable task);

    /** Runs the task on the thread after the delay; may be called from any thread. */
    void executeAfter(Runnable task, long delayNanos);
}
