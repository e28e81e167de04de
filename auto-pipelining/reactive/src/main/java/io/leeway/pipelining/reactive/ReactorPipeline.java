package io.leeway.pipelining.reactive;

import io.leeway.pipelining.PipeliningOptions;
import io.leeway.pipelining.reactive.internal.reactor.Boundaries;
import io.leeway.pipelining.spi.PipelineHost;
import java.util.function.Function;
import reactor.util.context.Context;

/**
 * One pipeline of Reactor whose threads are placed while it runs. Operators take part that were assembled after {@link
 * #install()}, of the next subscription whose context carries this pipeline.
 *
 * <pre>{@code
 * ReactorPipeline.install();
 * var orders = new ReactorPipeline("orders", PipeliningOptions.defaults());
 * try (var keeper = AutoPipelining.start(orders.host(), PipeliningOptions.defaults())) {
 *     flux.map(parse).map(price).contextWrite(orders.context()).blockLast();
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public final class ReactorPipeline {

    private final Boundaries boundaries;

    /**
     * A pipeline that nothing is part of yet.
     *
     * @throws io.leeway.pipelining.PipeliningException if {@link #install} was not called: it would stay empty without a word
     */
    public ReactorPipeline(String name, PipeliningOptions options) {
        Boundaries.requireInstalled(name);
        this.boundaries = new Boundaries(name, options);
    }

    /** Sets Reactor's hook for operators; once is enough. Subscriptions without a pipeline in their context are left as they are. */
    public static void install() {
        Boundaries.install();
    }

    /** Takes the hook away; operators that were assembled keep what they have. */
    public static void uninstall() {
        Boundaries.uninstall();
    }

    /** For {@code contextWrite}, below the operators that are to take part. */
    public Function<Context, Context> context() {
        return context -> context.put(Boundaries.KEY, boundaries);
    }

    /** What keeps its threads takes. */
    public PipelineHost host() {
        return boundaries;
    }
}
