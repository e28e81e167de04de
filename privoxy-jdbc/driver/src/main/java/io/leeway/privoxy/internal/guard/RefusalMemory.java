package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.decide.Fact;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.model.Obligation;
import java.lang.ref.SoftReference;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What was refused lately, by all that a decision depends on within one version of policy and schema. It holds where
 * each proof got stuck, which can be large, so it is the first to go when memory is short. Thread-safe.
 *
 * <p>Its key is everything that a decision looks at, so that a new row, another user or another value is another
 * question. What is in it only ever refuses.
 */
final class RefusalMemory {

    /** Refusals kept, times two. */
    private static final int REFUSALS = 200;

    /**
     * A solver that a loaded machine has cut short gets another chance after it.
     *
     * <p>Effort is counted and not timed, yet solvers have a limit of wall time as well.
     */
    private static final long KEPT = Duration.ofMinutes(1).toNanos();

    private final TwoGenerations<Question, Known> refusals = new TwoGenerations<>(REFUSALS);
    private final LongSupplier nanos;

    /**
     * What was asked.
     *
     * @param near with the facts that are looked at first
     * @param rest all facts, if these are more
     */
    record Question(Obligation obligation, Problem near, List<Fact> rest) {}

    private record Known(SoftReference<Refused> refusal, long since) {}

    /**
     * An empty memory.
     *
     * @param nanos a clock as {@link System#nanoTime}
     */
    RefusalMemory(LongSupplier nanos) {
        this.nanos = nanos;
    }

    @Nullable
    Refused find(Question question) {
        Known known = refusals.get(question);
        return known != null && nanos.getAsLong() - known.since() < KEPT
                ? known.refusal().get()
                : null;
    }

    void put(Question question, Refused refusal) {
        refusals.put(question, new Known(new SoftReference<>(refusal), nanos.getAsLong()));
    }
}
