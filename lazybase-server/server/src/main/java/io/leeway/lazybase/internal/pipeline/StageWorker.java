package io.leeway.lazybase.internal.pipeline;

import io.leeway.lazybase.internal.storage.FencedStore;
import io.leeway.lazybase.spi.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does tasks that another process's coordinator gives. Thread-safe. */
public final class StageWorker implements UnaryOperator<byte[]> {

    private static final Logger LOG = LoggerFactory.getLogger(StageWorker.class);

    private final Store shared;
    private final PipelineSettings settings;

    /** On the store that both use. */
    public StageWorker(Store shared, PipelineSettings settings) {
        this.shared = shared;
        this.settings = settings;
    }

    /** Does a task; what it returns says also what failed. */
    @Override
    public byte[] apply(byte[] bytes) {
        try {
            try {
                TaskCodec.Order order = TaskCodec.order(bytes);
                Store store = FencedStore.helper(shared, order.term());
                return TaskCodec.bytes(Stages.run(store, settings, order.task(), null));
            } catch (IOException | RuntimeException e) {
                LOG.warn("a task for another process failed: {}", e.toString());
                return TaskCodec.bytes(e);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
