package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.Statistics;
import java.util.concurrent.atomic.AtomicLong;

/** What the transport of a process has done. Counted on the network thread, read from any. */
public final class NetCounters {

    private final AtomicLong framesIn = new AtomicLong();
    private final AtomicLong framesOut = new AtomicLong();
    private final AtomicLong bytesIn = new AtomicLong();
    private final AtomicLong bytesOut = new AtomicLong();
    private final AtomicLong flushes = new AtomicLong();
    private final AtomicLong compressed = new AtomicLong();
    private final AtomicLong saved = new AtomicLong();
    private final AtomicLong opened = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    /** What was sent and received. */
    public Statistics.Traffic traffic() {
        return new Statistics.Traffic(framesIn(), framesOut(), bytesIn(), bytesOut());
    }

    /** Messages that arrived. */
    public long framesIn() {
        return framesIn.get();
    }

    /** Messages that were sent. */
    public long framesOut() {
        return framesOut.get();
    }

    /** Bytes that arrived, with headers, after decryption. */
    public long bytesIn() {
        return bytesIn.get();
    }

    /** Bytes that were sent, with headers, before encryption. */
    public long bytesOut() {
        return bytesOut.get();
    }

    /** Times that what had gathered was handed to the system. */
    public long flushes() {
        return flushes.get();
    }

    /** Messages that were sent compressed. */
    public long compressed() {
        return compressed.get();
    }

    /** Bytes that compression saved. */
    public long saved() {
        return saved.get();
    }

    /** Connections that came to be open. */
    public long opened() {
        return opened.get();
    }

    /** Connections and attempts that failed. */
    public long failed() {
        return failed.get();
    }

    void received(int frames, int bytes) {
        add(framesIn, frames);
        add(bytesIn, bytes);
    }

    void sent(int bytes) {
        add(framesOut, 1);
        add(bytesOut, bytes);
    }

    void flushed() {
        add(flushes, 1);
    }

    void compressed(int savedBytes) {
        add(compressed, 1);
        add(saved, savedBytes);
    }

    void connectionOpened() {
        add(opened, 1);
    }

    void connectionFailed() {
        add(failed, 1);
    }

    /** One thread adds, so that no locked instruction is needed. */
    private static void add(AtomicLong counter, long count) {
        counter.setOpaque(counter.getPlain() + count);
    }
}
