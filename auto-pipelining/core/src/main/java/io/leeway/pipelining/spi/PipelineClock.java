package io.leeway.pipelining.spi;

/**
 * Time as the controller sees it; a simulation has its own.
 *
 * @since 0.1
 */
public interface PipelineClock {

    /** Nanoseconds since some moment. */
    long nanos();

    /** Waits that long. */
    void pause(long nanos) throws InterruptedException;
}
