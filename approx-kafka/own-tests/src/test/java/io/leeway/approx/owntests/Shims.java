package io.leeway.approx.owntests;

import io.leeway.approx.ApproxOptions;
import io.leeway.approx.ApproxShim;
import java.util.LinkedHashMap;
import java.util.Map;

/** One shim for each cluster that tests ask for, without approximate topics. Those of clusters that are long gone end. */
public final class Shims {

    private static final int MOST = 8;

    private static final Map<String, ApproxShim> SHIMS = new LinkedHashMap<>();

    private Shims() {}

    /** The address of the shim before these brokers. */
    public static synchronized String before(String brokers) {
        if (brokers.isEmpty()) {
            return brokers;
        }
        ApproxShim shim = SHIMS.computeIfAbsent(
                brokers, upstream -> new ApproxShim(ApproxOptions.of(Map.of("approx.upstream", upstream))));
        if (SHIMS.size() > MOST) {
            String oldest = SHIMS.keySet().iterator().next();
            SHIMS.remove(oldest).close();
        }
        return shim.bootstrap();
    }
}
