package io.leeway.approx.owntests;

import io.leeway.approx.ApproxOptions;
import io.leeway.approx.ApproxShim;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/** One shim for each cluster that tests ask for, without approximate topics. They end with their clusters. */
public final class Shims {

    private static final Map<String, ApproxShim> SHIMS = new HashMap<>();

    private Shims() {}

    /** The address of the shim before these brokers. */
    public static synchronized String before(String brokers) {
        if (brokers.isEmpty()) {
            return brokers;
        }
        return SHIMS.computeIfAbsent(
                        brokers, upstream -> new ApproxShim(ApproxOptions.of(Map.of("approx.upstream", upstream))))
                .bootstrap();
    }

    /** The same, but for threads of shims, which live as long as their cluster. */
    public static Predicate<Thread> withoutTheirThreads(Predicate<Thread> looked) {
        return looked.and(thread ->
                !thread.getName().startsWith("approx-") && !thread.getName().startsWith("globalEventExecutor"));
    }

    /** The cluster ends, and so does what is before it: Kafka's tests look for threads that are left. */
    public static synchronized void close() {
        SHIMS.values().forEach(ApproxShim::close);
        SHIMS.clear();
    }
}
