package io.leeway.autotune.internal.agent;

import io.leeway.autotune.AutoTuneError;
import java.util.function.LongSupplier;

/** Who may change this service: one holder at a time, as long as it is heard of. Two controllers cannot fight. Thread-safe. */
final class Lease {

    private final LongSupplier nanos;
    private final long length;
    private String holder = "";
    private long heard;

    Lease(LongSupplier nanos, long lengthNanos) {
        this.nanos = nanos;
        this.length = lengthNanos;
    }

    /** Takes or renews it; refuses while another one holds it. */
    synchronized void take(String who) {
        if (!holder.isEmpty() && !holder.equals(who) && !isOver()) {
            throw AutoTuneError.LEASED.because("held by " + holder);
        }
        holder = who;
        heard = nanos.getAsLong();
    }

    /** Ends it. */
    synchronized void release(String who) {
        if (holder.equals(who)) {
            holder = "";
        }
    }

    /** Whether the holder was not heard of for too long. */
    synchronized boolean isOver() {
        return !holder.isEmpty() && nanos.getAsLong() - heard > length;
    }

    synchronized String holder() {
        return holder;
    }
}
