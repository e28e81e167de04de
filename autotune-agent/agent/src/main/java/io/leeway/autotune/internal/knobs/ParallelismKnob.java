package io.leeway.autotune.internal.knobs;

import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import java.util.List;
import java.util.concurrent.ForkJoinPool;

/** The common pool's parallelism, which newer JDKs can change; on 17 there is no such method and hence no knob. */
final class ParallelismKnob implements LiveKnob {

    private final KnobSpec spec = KnobSpec.size(
            "jvm.common-pool.parallelism",
            1,
            Math.max(8, 4 * Runtime.getRuntime().availableProcessors()),
            "at once");

    static List<LiveKnob> ofThisJvm() {
        try {
            ForkJoinPool.class.getMethod("setParallelism", int.class);
            return List.of(new ParallelismKnob());
        } catch (NoSuchMethodException e) {
            return List.of();
        }
    }

    @Override
    public KnobSpec spec() {
        return spec;
    }

    @Override
    public KnobValue read() {
        return KnobValue.of(ForkJoinPool.commonPool().getParallelism());
    }

    @Override
    public void write(KnobValue value) throws ReflectiveOperationException {
        ForkJoinPool.class.getMethod("setParallelism", int.class).invoke(ForkJoinPool.commonPool(), (int)
                value.number());
    }
}
