package io.leeway.lazytables.internal.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.testkit.LogCapture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A network thread that has ended, or does not come to what it is asked for. */
@Timeout(60)
class LostThreadTest {

    @Test
    void whoClosesDoesNotWaitForAThreadThatHasEnded() {
        NetLoop loop = NetLoop.start("ended");
        loop.execute(() -> {});
        loop.close();
        var asked = new AtomicBoolean();
        try (LogCapture log = LogCapture.of(Closing.class.getName())) {
            Closing.await(loop, () -> {
                asked.set(true);
                return List.of();
            });
            assertThat(log.messages(Level.FINE)).isEmpty();
        }
        assertThat(asked).isFalse();
    }

    @Test
    void aServerThatIsNotHeardByTheThreadSaysSoAndListensNoMore() throws Exception {
        int port = freePort();
        var busy = new CountDownLatch(1);
        try (NetLoop loop = NetLoop.start("busy")) {
            loop.execute(() -> awaits(busy));
            var transport = new ServerTransport(
                    loop, LazyTablesConfig.of(Map.of("lazytables.server.listen", "127.0.0.1:" + port)));
            assertThatThrownBy(() -> transport.start(new RecordingSink(), 1))
                    .hasMessageContaining("cannot listen at 127.0.0.1:" + port)
                    .hasMessageContaining("the network thread did not come to it within 1 ms")
                    .hasMessageNotContaining("null");
            busy.countDown();
            // It registers the socket first, and binds it in a task behind that.
            passes(loop);
            passes(loop);
            // What the thread opened nobody else would ever close.
            while (!isFree(port) && !Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
            assertThat(isFree(port)).isTrue();
        } finally {
            busy.countDown();
        }
    }

    private static void awaits(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the thread to have done what it was asked for so far. */
    private static void passes(NetLoop loop) {
        var passed = new CompletableFuture<Void>();
        loop.execute(() -> passed.complete(null));
        passed.join();
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
