package io.leeway.approx.internal.gateway;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The way of one group's records from the gateway into their topic: when all of them are written or refused, and no more
 * will come, its report can be made, and counts what is in the topic.
 *
 * <p>Invariant: what is told at the end is told once, after the last record and after {@link #end}. Thread-safe: records
 * are taken on the gateway's thread, and written or refused on those of the producer.
 */
final class Landing {

    /** Records on their way, and one while more may come. */
    private final AtomicLong open = new AtomicLong(1);

    private final LongAdder refused = new LongAdder();
    private final LongAdder refusedBytes = new LongAdder();
    private final Map<String, Boolean> why = new ConcurrentSkipListMap<>();
    private volatile @Nullable Consumer<Landing> ended;

    /** A record is on its way. */
    void begun() {
        open.incrementAndGet();
    }

    /** A record is in its topic, or was refused for a reason. */
    void landed(long length, @Nullable String reason) {
        if (reason != null) {
            refused.increment();
            refusedBytes.add(length);
            why.put(reason, true);
        }
        release();
    }

    /** No more records will come; tells when all have landed, perhaps at once. */
    void end(Consumer<Landing> told) {
        ended = told;
        release();
    }

    private void release() {
        if (open.decrementAndGet() == 0) {
            // There is one: as long as nobody had said that this is the end, one was open.
            Objects.requireNonNull(ended).accept(this);
        }
    }

    /** How many records no broker took. */
    long refused() {
        return refused.sum();
    }

    /** Their lengths, as they travelled. */
    long refusedBytes() {
        return refusedBytes.sum();
    }

    /** For which reasons, each once. */
    String why() {
        return String.join(", ", why.keySet());
    }
}
