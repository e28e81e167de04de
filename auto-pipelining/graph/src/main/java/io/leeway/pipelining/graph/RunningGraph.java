package io.leeway.pipelining.graph;

import io.leeway.pipelining.graph.internal.run.GraphRun;
import io.leeway.pipelining.spi.PipelineHost;
import java.util.Set;

/**
 * A graph that runs. Thread-safe.
 *
 * @since 0.1
 */
public final class RunningGraph implements AutoCloseable {

    private final GraphRun run;

    RunningGraph(GraphRun run) {
        this.run = run;
    }

    /** What keeps its threads takes. */
    public PipelineHost host() {
        return run;
    }

    /**
     * Makes exactly these operators the ones with a thread in front of them, by their numbers; for those who place by hand.
     *
     * @return for how many nanoseconds the flow stood still
     * @throws io.leeway.pipelining.PipeliningException if it is refused, or the flow does not stop; nothing has changed then
     */
    public long place(Set<Integer> ports) throws InterruptedException {
        return run.place(ports);
    }

    /**
     * Waits until all sources have ended and all tuples are processed.
     *
     * @throws io.leeway.pipelining.PipeliningException if an operator threw, with its exception as cause
     */
    public void join() throws InterruptedException {
        run.join();
    }

    /** Asks the sources to end; what they have submitted is still processed. */
    public void stop() {
        run.stop();
    }

    /** Ends at once: interrupts all threads and waits for them, ten seconds at most. Tuples in queues are dropped. */
    @Override
    public void close() {
        run.cancel();
    }
}
