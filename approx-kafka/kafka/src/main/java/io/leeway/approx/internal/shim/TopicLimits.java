package io.leeway.approx.internal.shim;

import io.leeway.approx.internal.wire.RecordData;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a topic takes, as far as its brokers tell those who write into it. Records beyond it are not sampled: they travel as
 * exact ones, so that the broker itself refuses them, to the producer and in Kafka's own words. To be too strict costs
 * nothing but that: what the broker takes then is in the topic.
 *
 * @param writable whether the topic is there, and the client may write into it
 * @param longest bytes of the longest batch
 * @param ahead milliseconds that a timestamp may be ahead of the broker's clock
 * @param behind milliseconds that it may be behind
 * @param keyed whether each record needs a key, as in compacted topics
 */
record TopicLimits(boolean writable, long longest, long ahead, long behind, boolean keyed) {

    private static final long ENDLESS = Long.MAX_VALUE;

    /** Of a topic of which brokers tell nothing. */
    static final TopicLimits NONE = new TopicLimits(true, ENDLESS, ENDLESS, ENDLESS, false);

    /** A batch of one record, without its texts and bytes and without its headers. */
    private static final int BATCH = 61 + 21;

    private static final int HEADER = 10;

    /** The gateway's own header, with approx.mark=on. */
    private static final int MARK = 64;

    /** By how much clocks of a shim and a broker differ at most, if the limit is long compared with it. */
    private static final long CLOCKS = 1_000;

    /**
     * Whether all these records can be taken.
     *
     * @param now the time, as records have it
     * @param held for how many milliseconds a record may be on its way
     */
    boolean takes(List<RecordData> records, long now, long held) {
        if (!writable) {
            return false;
        }
        long newest = ahead == ENDLESS ? ENDLESS : now + ahead - Math.min(CLOCKS, ahead / 10);
        long oldest = behind == ENDLESS ? Long.MIN_VALUE : now - behind + Math.min(held + CLOCKS, behind / 2);
        for (RecordData record : records) {
            if (record.timestamp() > newest
                    || record.timestamp() < oldest
                    || keyed && record.key() == null
                    || longest < ENDLESS && length(record) > longest) {
                return false;
            }
        }
        return true;
    }

    /** The most bytes that a batch of only this record has. */
    private static long length(RecordData record) {
        long length = BATCH + MARK + length(record.key()) + length(record.value());
        for (RecordData.Header header : record.headers()) {
            // Three bytes a character at most.
            length += HEADER + 3L * header.name().length() + length(header.value());
        }
        return length;
    }

    private static long length(byte @Nullable [] bytes) {
        return bytes == null ? 0 : bytes.length;
    }
}
