package io.leeway.approx.internal.gateway;

import io.leeway.approx.WindowReport;
import io.leeway.approx.internal.wire.RecordData;
import org.jspecify.annotations.Nullable;

/** Where a gateway puts what arrives. Called on the gateway's thread; must not block. */
public interface Sink {

    /** Told once what became of a record, on any thread. */
    @FunctionalInterface
    interface Done {
        /**
         * The record's memory is free.
         *
         * @param refused why no broker has it, as a name of Kafka's; null if one has
         */
        void accept(@Nullable String refused);
    }

    /** A record. */
    void write(RecordData record, Done done);

    /** A report; the records that it counts are written. May be called on threads that told that a record is done. */
    void report(WindowReport report);
}
