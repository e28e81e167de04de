package io.leeway.lazytables.internal.metrics;

import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** Instances that come, count and go while sums over them are read: each result is one that some order of whole operations explains. Public for Lincheck. */
public class SumsLincheckTest {

    private static final int ITERATIONS = 4;
    private static final int INVOCATIONS = 100;

    private final Sums<Long> sums = new Sums<>();
    private final Sums<Long>.Counter counter = sums.counter(each -> each);
    private final AtomicLong counted = new AtomicLong(5);
    private final Metering.Watch watch = sums.add(counted::get);

    /** The instance counts one more, which nobody asks for after it was closed. */
    @Operation
    public void count() {
        counted.incrementAndGet();
    }

    /** The instance is closed, perhaps once more. */
    @Operation
    public void close() {
        watch.close();
    }

    /** Another instance comes. */
    @Operation
    public void another() {
        sums.add(() -> 100L);
    }

    /** What all have counted. */
    @Operation
    public double sum() {
        return counter.sum();
    }

    /** What those that are there have counted. */
    @Operation
    public double present() {
        return sums.sum(each -> each);
    }

    @Test
    void everyInterleavingIsExplained() {
        new ModelCheckingOptions()
                .iterations(ITERATIONS)
                .invocationsPerIteration(INVOCATIONS)
                .threads(3)
                .actorsPerThread(2)
                .check(SumsLincheckTest.class);
    }
}
