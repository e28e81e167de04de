package io.leeway.lazybase.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazybase.CommitToken;
import io.leeway.lazybase.internal.pipeline.Pipeline;
import io.leeway.lazybase.internal.pipeline.PipelineSettings;
import io.leeway.lazybase.internal.pipeline.Stage;
import io.leeway.lazybase.internal.pipeline.StageWorker;
import io.leeway.lazybase.internal.storage.LocalStore;
import io.leeway.lazybase.spi.Helpers;
import io.leeway.testkit.LogCapture;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What another process holds up when it ends in the middle of a task. */
class LostHelperTest {

    private static final int LOST_MILLIS = 60_000;

    @TempDir
    Path directory;

    private final AtomicLong clock = new AtomicLong(1_000);

    /** One process in this one. The first task that it gets is never done; a minute of the clock later that is known. */
    private final class OneHelper implements Helpers {

        private final Semaphore free = new Semaphore(0);
        private final AtomicInteger tasks = new AtomicInteger();
        private final StageWorker worker;

        OneHelper(StageWorker worker) {
            this.worker = worker;
        }

        @Override
        public Helper take(Duration wait) throws InterruptedException {
            return free.tryAcquire(wait.toMillis(), TimeUnit.MILLISECONDS) ? new Taken() : null;
        }

        private final class Taken implements Helper {

            @Override
            public byte[] call(byte[] task) throws IOException {
                if (tasks.getAndIncrement() == 0) {
                    clock.addAndGet(LOST_MILLIS);
                    throw new IOException("the process that had the task is gone");
                }
                return worker.apply(task);
            }

            @Override
            public void close() {
                free.release();
            }
        }
    }

    private static void write(Pipeline pipeline, long key) {
        CompletableFuture<CommitToken> answer = pipeline.commit(Map.of(1, PipelineTest.batch(pipeline, key, key)));
        pipeline.drain();
        assertThat(answer).isCompleted();
        pipeline.seal();
    }

    private static void awaitAuthority(Pipeline pipeline, long scu) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> pipeline.state().authority() >= scu);
    }

    @Test
    void theTimeThatItTookUntilItWasKnownIsNoReasonForTheAuthorityToRest() throws IOException {
        PipelineSettings settings = PipelineSettings.manual(1_000, 16);
        try (LogCapture log = LogCapture.of("io.leeway.lazybase.internal.pipeline");
                LocalStore store = new LocalStore(directory)) {
            var helpers = new OneHelper(new StageWorker(store, settings));
            try (Pipeline pipeline = PipelineTest.define(new Pipeline(store, settings, clock::get, helpers))) {
                write(pipeline, 1);
                while (pipeline.step(Stage.SORT)) {}
                long first = pipeline.state().lastSealed();
                helpers.free.release();
                awaitAuthority(pipeline, first);
                assertThat(log.text()).contains("tried again");
                write(pipeline, 2);
                clock.addAndGet(1_000);
                awaitAuthority(pipeline, first + 1);
            }
            assertThat(helpers.tasks.get()).isGreaterThan(2);
        }
    }
}
