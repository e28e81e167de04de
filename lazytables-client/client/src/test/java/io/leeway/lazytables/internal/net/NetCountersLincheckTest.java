package io.leeway.lazytables.internal.net;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** One thread counts, others read: whatever they see of a number is what it was at some time. Public for Lincheck. */
public class NetCountersLincheckTest {

    private static final int ITERATIONS = 8;
    private static final int INVOCATIONS = 200;

    private final NetCounters counters = new NetCounters();

    @Operation(nonParallelGroup = "network")
    public void sent() {
        counters.sent(100);
    }

    @Operation(nonParallelGroup = "network")
    public void received() {
        counters.received(2, 70);
    }

    @Operation
    public long bytesOut() {
        return counters.bytesOut();
    }

    @Operation
    public long bytesIn() {
        return counters.bytesIn();
    }

    @Test
    void everyInterleavingIsExplained() {
        new ModelCheckingOptions()
                .iterations(ITERATIONS)
                .invocationsPerIteration(INVOCATIONS)
                .threads(3)
                .actorsPerThread(3)
                .check(NetCountersLincheckTest.class);
    }
}
