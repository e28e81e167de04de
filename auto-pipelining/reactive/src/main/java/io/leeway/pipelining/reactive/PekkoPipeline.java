package io.leeway.pipelining.reactive;

import io.leeway.pipelining.PipeliningOptions;
import io.leeway.pipelining.reactive.internal.pekko.Islands;
import io.leeway.pipelining.spi.PipelineHost;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Flow;

/**
 * A row of Pekko's flows whose asynchronous boundaries are placed by measurement. Pekko fixes boundaries when a stream is
 * materialised, so changes count for streams that begin afterwards: it is for flows that are materialised again and again, for
 * each connection, file or restart.
 *
 * <pre>{@code
 * var pipeline = PekkoPipeline.<String>of("lines", PipeliningOptions.defaults())
 *         .via("parse", parse)
 *         .via("price", price);
 * source.via(pipeline.flow()).runWith(sink, system);
 * }</pre>
 *
 * <p>Immutable but for the placement; thread-safe.
 *
 * @param <I> type of what comes in
 * @param <O> type of what comes out
 * @since 0.1
 */
public final class PekkoPipeline<I, O> {

    private final Islands islands;

    private PekkoPipeline(Islands islands) {
        this.islands = islands;
    }

    /** A pipeline of nothing. */
    public static <T> PekkoPipeline<T, T> of(String name, PipeliningOptions options) {
        return new PekkoPipeline<>(new Islands(name, options));
    }

    /** The same with one flow more, which has a name for people. */
    public <P> PekkoPipeline<I, P> via(String name, Flow<O, P, NotUsed> flow) {
        return new PekkoPipeline<>(islands.with(name, flow));
    }

    /** All flows in a row, with the boundaries of this moment. To be asked for each time that a stream is built. */
    public Flow<I, O, NotUsed> flow() {
        return islands.flow();
    }

    /** What keeps its threads takes. */
    public PipelineHost host() {
        return islands;
    }
}
