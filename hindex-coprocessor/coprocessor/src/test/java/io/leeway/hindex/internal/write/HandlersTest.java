package io.leeway.hindex.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class HandlersTest {

    private static final TableName HANGING = TableName.valueOf("hanging");

    private static Handlers handlers(int all) {
        var server = new Configuration(false);
        server.setInt("hbase.regionserver.handler.count", all);
        return Handlers.of(server);
    }

    /** Writes that wait; each in a thread of its own. */
    private static final class Waiting implements AutoCloseable {

        private final CountDownLatch answer = new CountDownLatch(1);
        private final CountDownLatch wait;
        private final List<Thread> threads = new ArrayList<>();

        Waiting(Handlers.OfTable of, int writes) throws InterruptedException {
            wait = new CountDownLatch(writes);
            for (int i = 0; i < writes; i++) {
                var thread = new Thread(() -> {
                    try {
                        of.run(() -> {
                            wait.countDown();
                            awaitAnswer();
                        });
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
            assertThat(wait.await(1, TimeUnit.MINUTES)).isTrue();
        }

        private void awaitAnswer() throws IOException {
            try {
                if (!answer.await(1, TimeUnit.MINUTES)) {
                    throw new IOException("no answer");
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        @Override
        public void close() throws InterruptedException {
            answer.countDown();
            for (Thread thread : threads) {
                thread.join(Duration.ofMinutes(1).toMillis());
            }
        }
    }

    @Test
    void writesThatWaitForOneTablesIndexesLeaveHandlersToOthers() throws Exception {
        Handlers handlers = handlers(8);
        var done = new AtomicInteger();
        // Whatever region they are of.
        try (var waiting = new Waiting(handlers.of(HANGING), 6)) {
            assertThat(waiting.threads).hasSize(6);
            for (String what : List.of("write", "load")) {
                assertThatThrownBy(() -> handlers.of(HANGING).run(done::incrementAndGet))
                        .as(what)
                        .isInstanceOf(RegionTooBusyException.class)
                        .hasMessageContaining("writes and loads of hanging wait for its indexes")
                        .hasMessageContaining("try again");
            }
            assertThat(done).hasValue(0);
            handlers.of(TableName.valueOf("healthy")).run(done::incrementAndGet);
            assertThat(done).hasValue(1);
        }
        handlers.of(HANGING).run(done::incrementAndGet);
        assertThat(done).hasValue(2);
    }

    @Test
    void whoFailsGivesTheHandlerBack() throws Exception {
        Handlers.OfTable only = handlers(1).of(HANGING);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> only.run(() -> {
                        throw new IOException("no index");
                    }))
                    .hasMessage("no index");
            assertThatThrownBy(() -> only.get(() -> {
                        throw new IllegalStateException("a fault");
                    }))
                    .hasMessage("a fault");
        }

        // A server with one handler writes all the same.
        int answer = only.get(() -> 7);
        assertThat(answer).isEqualTo(7);
    }
}
