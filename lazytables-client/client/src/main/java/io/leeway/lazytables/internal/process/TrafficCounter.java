package io.leeway.lazytables.internal.process;

import io.leeway.lazytables.Statistics;

/** Counts frames and their bytes. Under the lock of the process that has it. */
final class TrafficCounter {

    private long messagesIn;
    private long messagesOut;
    private long bytesIn;
    private long bytesOut;

    void received(int bytes) {
        messagesIn++;
        bytesIn += bytes;
    }

    void sent(int bytes) {
        messagesOut++;
        bytesOut += bytes;
    }

    Statistics.Traffic sums() {
        return new Statistics.Traffic(messagesIn, messagesOut, bytesIn, bytesOut);
    }
}
