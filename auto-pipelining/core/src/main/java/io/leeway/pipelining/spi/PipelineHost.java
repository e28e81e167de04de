package io.leeway.pipelining.spi;

import io.leeway.pipelining.PipelineGraph;
import io.leeway.pipelining.PipelineProfile;
import java.util.Map;
import java.util.Set;

/**
 * What runs operators and can put threads in front of them while they run. All calls come from one thread, which is none of the
 * operators'.
 *
 * @since 0.1
 */
public interface PipelineHost {

    /** A name for people. */
    String name();

    /** Whether it still runs; once it has not, nothing more is asked. */
    boolean isRunning();

    /** The graph at present; the operators of hosts may come and go, under new numbers. */
    PipelineGraph graph();

    /** The operators that have a thread in front of them. */
    Set<Integer> ports();

    /**
     * Changes which operators have a thread in front of them: exactly these. Order and content of all streams stay as they
     * are. Returns when the change is made.
     *
     * @return for how many nanoseconds the flow stood still
     * @throws io.leeway.pipelining.PipeliningException if it refuses; then nothing has changed
     */
    long place(Set<Integer> ports) throws InterruptedException;

    /** Begins to take a profile. */
    void startProfile(int samplesPerSecond);

    /** Ends it. */
    PipelineProfile stopProfile() throws InterruptedException;

    /** How many tuples each operator has taken so far. */
    Map<Integer, Long> processed();

    /** What it costs each side to hand one tuple over to another thread, in nanoseconds of CPU. */
    double handOverNanos();
}
