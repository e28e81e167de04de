package io.leeway.autotune.internal.servers;

import io.leeway.autotune.spi.Orchestrator;

/** An orchestrator that the command line runs: it can say what it would do, and takes everything back when it is closed. */
public interface Servers extends Orchestrator, AutoCloseable {

    /** Checks what can be checked without changing anything, and says what it saw. */
    void rehearse();

    /** Takes back what was changed. */
    @Override
    void close();
}
