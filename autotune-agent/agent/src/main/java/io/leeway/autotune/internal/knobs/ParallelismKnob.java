package io.leeway.autotune.internal.knobs;

import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;

/**
 * The parallelism of the common pool and of the scheduler of virtual threads, which newer JDKs can change; on 17 there is
 * no such method and hence no knob.
 */
final class ParallelismKnob implements LiveKnob {

    private static final String SCHEDULER = "jdk.management.VirtualThreadSchedulerMXBean";

    private final KnobSpec spec;
    private final Class<?> type;
    private final Object pool;

    private ParallelismKnob(String name, Class<?> type, Object pool) {
        this.spec = KnobSpec.size(name, 1, Math.max(8, 4 * Runtime.getRuntime().availableProcessors()), "at once");
        this.type = type;
        this.pool = pool;
    }

    static List<LiveKnob> ofThisJvm() {
        var knobs = new ArrayList<LiveKnob>();
        try {
            ForkJoinPool.class.getMethod("setParallelism", int.class);
            knobs.add(
                    new ParallelismKnob("jvm.common-pool.parallelism", ForkJoinPool.class, ForkJoinPool.commonPool()));
        } catch (NoSuchMethodException e) {
            // A JDK before 19.
        }
        try {
            Class<? extends PlatformManagedObject> type =
                    Class.forName(SCHEDULER).asSubclass(PlatformManagedObject.class);
            knobs.add(new ParallelismKnob(
                    "jvm.virtual-threads.parallelism", type, ManagementFactory.getPlatformMXBean(type)));
        } catch (ClassNotFoundException e) {
            // A JDK before 24.
        }
        return knobs;
    }

    @Override
    public KnobSpec spec() {
        return spec;
    }

    @Override
    public KnobValue read() throws ReflectiveOperationException {
        return KnobValue.of((Integer) type.getMethod("getParallelism").invoke(pool));
    }

    @Override
    public void write(KnobValue value) throws ReflectiveOperationException {
        type.getMethod("setParallelism", int.class).invoke(pool, (int) value.number());
    }
}
