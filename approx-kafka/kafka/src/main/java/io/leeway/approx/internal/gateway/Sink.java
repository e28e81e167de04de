package io.leeway.approx.internal.gateway;

import io.leeway.approx.WindowReport;
import io.leeway.approx.internal.wire.RecordData;

/** Where a gateway puts what arrives. Called on the gateway's thread; must not block. */
public interface Sink {

    /** A record; {@code done} is run on any thread when its memory is free. */
    void write(RecordData record, Runnable done);

    /** A report, to be written after all records given before. */
    void report(WindowReport report);
}
