package io.leeway.approx.internal.shim;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What topics take, and when that was asked last. Thread-safe. */
final class KnownLimits {

    private static final long RENEWED_NANOS = 10_000_000_000L;

    /** Of a topic that cannot be written into: it may be there at once. */
    private static final long RENEWED_SOON_NANOS = 1_000_000_000L;

    private record Known(TopicLimits limits, long askedAt) {
        boolean isOld(long now) {
            return now - askedAt > (limits.writable() ? RENEWED_NANOS : RENEWED_SOON_NANOS);
        }
    }

    private final Map<String, Known> known = new ConcurrentHashMap<>();

    boolean isKnown(List<String> topics) {
        return known.keySet().containsAll(topics);
    }

    /** Which of the topics are to be asked about now; whoever calls this asks. */
    List<String> due(List<String> topics, long now) {
        List<String> due = new ArrayList<>();
        for (String topic : topics) {
            Known of = known.get(topic);
            // One connection renews; each that knows nothing asks itself, since it waits for the answer.
            if (of == null || of.isOld(now) && known.replace(topic, of, new Known(of.limits, now))) {
                due.add(topic);
            }
        }
        return due;
    }

    void put(String topic, TopicLimits limits, long now) {
        known.put(topic, new Known(limits, now));
    }

    /** No answer came. */
    void giveUp(List<String> topics, long now) {
        topics.forEach(topic -> known.putIfAbsent(topic, new Known(TopicLimits.NONE, now)));
    }

    TopicLimits of(String topic) {
        Known of = known.get(topic);
        return of == null ? TopicLimits.NONE : of.limits;
    }
}
