package io.leeway.lazytables.internal.net;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leeway.lazytables.HostAndPort;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.lazytables.internal.net.RecordingSink.What;
import io.leeway.testkit.Seeds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Both ends over real sockets. */
@Timeout(180)
class TransportTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @AfterAll
    static void nothingLeaked() {
        assertThat(LeakRecorder.isWatching()).isTrue();
        assertThat(LeakRecorder.leaks()).isEmpty();
    }

    @Test
    void carriesMessagesOfAllSizesInOrder() {
        RandomGenerator random = Seeds.random("transport");
        try (TestServer server = TestServer.start();
                TestClient client = TestClient.of(server.port()).open()) {
            for (int i = 0; i < 300; i++) {
                byte[] message = new byte[random.nextInt(10) == 0 ? random.nextInt(400_000) : random.nextInt(100)];
                random.nextBytes(message);
                assertThat(client.send(message)).isTrue();
                assertThat(client.sink.next(What.FRAME).bytes()).isEqualTo(message);
            }
        }
    }

    @Test
    void aServerThatMovesIsFoundWhereItIsSaidToBe() {
        byte[] message = "here?".getBytes(US_ASCII);
        try (TestServer before = TestServer.start();
                TestServer after = TestServer.start();
                TestClient client = TestClient.of(before.port()).open()) {
            client.transport.move(0, new HostAndPort("127.0.0.1", before.port()));
            assertThat(client.send(message)).isTrue();
            client.sink.next(What.FRAME);

            client.transport.move(0, new HostAndPort("127.0.0.1", after.port()));

            client.sink.next(What.CLOSED);
            client.sink.next(What.OPEN);
            assertThat(client.send(message)).isTrue();
            client.sink.next(What.FRAME);
            after.sink.until(What.FRAME);
            before.sink.until(What.CLOSED);
        }
    }

    @Test
    void aServerThatMovesBeforeItWasReachedIsFoundToo() {
        try (TestServer after = TestServer.start();
                TestClient client = TestClient.of(1)) {
            client.sink.next(What.UNREACHABLE);

            client.transport.move(0, new HostAndPort("127.0.0.1", after.port()));

            client.sink.until(What.OPEN);
        }
    }

    /** They have the token, or there is none, and only say that they live. */
    @Test
    void thoseWhoNeverSayWhoTheyAreGiveWayToOthers() {
        try (TestServer server = TestServer.start("server.connections=2");
                // One that came back at once would have another one give way that has not said who it is.
                TestClient silent = TestClient.of(server.port(), "retry.first=60s", "retry.most=60s")
                        .open();
                TestClient known = TestClient.of(server.port()).open()) {
            int first = server.sink.next(What.OPEN).peer();
            server.sink.knows(server.sink.next(What.OPEN).peer());

            try (TestClient other = TestClient.of(server.port()).open()) {
                assertThat(silent.sink.next(What.CLOSED).code()).isEqualTo(Code.TOO_MANY_CONNECTIONS);
                assertThat(server.sink.until(What.CLOSED).peer()).isEqualTo(first);
                assertThat(other.send(new byte[] {1})).isTrue();
                other.sink.next(What.FRAME);
                assertThat(known.send(new byte[] {2})).isTrue();
                known.sink.next(What.FRAME);
            }
        }
    }

    @Test
    void carriesManyMessagesAtOnceInOrder() {
        RandomGenerator random = Seeds.random("transport");
        byte[][] messages = new byte[5_000][];
        Arrays.setAll(messages, i -> new byte[random.nextInt(50) == 0 ? random.nextInt(50_000) : random.nextInt(60)]);
        for (byte[] message : messages) {
            random.nextBytes(message);
        }
        try (TestServer server = TestServer.start();
                TestClient client = TestClient.of(server.port()).open()) {
            TestServer.on(client.loop, () -> {
                for (byte[] message : messages) {
                    client.transport.send(0, message, 0, message.length);
                }
                return true;
            });
            for (byte[] message : messages) {
                assertThat(client.sink.next(What.FRAME).bytes()).isEqualTo(message);
            }
            assertThat(client.transport.counters().framesOut()).isEqualTo(messages.length);
            assertThat(server.transport.counters().framesIn()).isGreaterThanOrEqualTo(messages.length);
        }
    }

    @Test
    void whatIsSentInOneRoundLeavesInOneCall() {
        try (TestServer server = TestServer.start();
                TestClient client = TestClient.of(server.port(), "heartbeat=10m", "idle.timeout=1h")
                        .open()) {
            long before = client.transport.counters().flushes();
            TestServer.on(client.loop, () -> {
                for (int i = 0; i < 1_000; i++) {
                    client.transport.send(0, new byte[32], 0, 32);
                }
                return true;
            });
            for (int i = 0; i < 1_000; i++) {
                client.sink.next(What.FRAME);
            }

            assertThat(client.transport.counters().flushes() - before).isEqualTo(1);
        }
    }

    @Test
    void aServerThatComesBackIsFoundAgain() {
        TestServer first = TestServer.start();
        int port = first.port();
        try (TestClient client = TestClient.of(port).open()) {
            first.close();
            assertThat(client.sink.next(What.CLOSED).cause()).isNull();
            assertThat(client.send(new byte[1])).isFalse();

            try (TestServer second = TestServer.startAt(port)) {
                client.open();
                assertThat(client.send(new byte[] {7})).isTrue();
                assertThat(client.sink.next(What.FRAME).bytes()).containsExactly(7);
                assertThat(second.sink.next(What.OPEN).peer()).isEqualTo(1);
            }
        }
    }

    @Test
    void aServerThatIsNotThereIsSaidAndTriedAgain() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (TestClient client = TestClient.of(port)) {
            for (int i = 0; i < 3; i++) {
                RecordingSink.Event event = client.sink.next(What.UNREACHABLE);
                assertThat(event.code()).isEqualTo(Code.UNREACHABLE);
                assertThat(event.cause()).hasMessageContaining("127.0.0.1:" + port);
            }
            assertThat(client.transport.failure(0)).isInstanceOf(LazyTablesException.class);
            try (TestServer server = TestServer.startAt(port)) {
                client.open();
                assertThat(server.sink.next(What.OPEN).peer()).isEqualTo(1);
            }
        }
    }

    @Test
    void whoAsksBeforeTheNetworkThreadHasBegunIsAnswered() {
        NetLoop loop = NetLoop.start("test-busy");
        var go = new CountDownLatch(1);
        loop.execute(() -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try (var transport =
                new ClientTransport(loop, LazyTablesConfig.of(Map.of()), List.of(new HostAndPort("127.0.0.1", 1)))) {
            transport.start(new RecordingSink());

            assertThat(transport.failure(0)).isNull();
            go.countDown();
        }
        loop.close();
    }

    @Test
    void aHostThatDoesNotExistIsSaid() {
        try (TestClient client = TestClient.of("no-such-host.invalid", 7171)) {
            RecordingSink.Event event = client.sink.next(What.UNREACHABLE);

            assertThat(event.code()).isEqualTo(Code.UNREACHABLE);
            assertThat(event.cause()).hasMessageContaining("no-such-host.invalid");
        }
    }

    @Test
    void theSameTokenOpens() {
        try (TestServer server = TestServer.start("token=correct horse battery");
                TestClient client = TestClient.of(server.port(), "token=correct horse battery")
                        .open()) {
            assertThat(client.send(new byte[] {1})).isTrue();
            assertThat(client.sink.next(What.FRAME).bytes()).containsExactly(1);
        }
    }

    @Test
    void anotherTokenOrNoneOpensNothing() {
        try (TestServer server = TestServer.start("token=correct horse battery");
                TestClient other = TestClient.of(server.port(), "token=correct horse batterY");
                TestClient none = TestClient.of(server.port())) {
            assertThat(other.sink.next(What.UNREACHABLE).code()).isEqualTo(Code.TOKEN);
            assertThat(none.sink.next(What.UNREACHABLE).code()).isEqualTo(Code.TOKEN);
            assertThat(server.sink.events).isEmpty();
        }
    }

    @Test
    void aServerThatAsksForNoTokenIsNotTheOneThatWasMeant() {
        try (TestServer server = TestServer.start();
                TestClient client = TestClient.of(server.port(), "token=correct horse battery")) {
            assertThat(client.sink.next(What.UNREACHABLE).code()).isEqualTo(Code.TOKEN);
            assertThat(server.sink.events).isEmpty();
        }
    }

    @Test
    void largeMessagesAreCompressedIfThatPays() {
        byte[] regular = new byte[100_000];
        for (int i = 0; i < regular.length; i++) {
            regular[i] = (byte) (i / 1_000);
        }
        byte[] random = new byte[100_000];
        Seeds.random("transport").nextBytes(random);
        try (TestServer server = TestServer.start("compression=lz4");
                TestClient client =
                        TestClient.of(server.port(), "compression=lz4").open()) {
            for (byte[] message : List.of(regular, random, regular, regular)) {
                client.send(message);
                assertThat(client.sink.next(What.FRAME).bytes()).isEqualTo(message);
            }
            // The third is not tried, since the second was in vain.
            assertThat(client.transport.counters().compressed()).isEqualTo(2);
            assertThat(client.transport.counters().saved()).isGreaterThan(150_000);
            assertThat(client.transport.counters().bytesOut()).isLessThan(250_000);
        }
    }

    @Test
    void oneSideMayCompressAndTheOtherNot() {
        byte[] message = new byte[50_000];
        try (TestServer server = TestServer.start("compression=none");
                TestClient client =
                        TestClient.of(server.port(), "compression=lz4").open()) {
            client.send(message);

            assertThat(client.sink.next(What.FRAME).bytes()).isEqualTo(message);
            assertThat(client.transport.counters().compressed()).isEqualTo(1);
            assertThat(server.transport.counters().compressed()).isZero();
        }
    }

    @Test
    void aMessageAboveEitherSidesLimitIsRefusedWhereItIsSent() {
        try (TestServer server = TestServer.start("frame.limit=2MB");
                TestClient client = TestClient.of(server.port()).open()) {
            byte[] large = new byte[(2 << 20) + 1];
            assertThatThrownBy(() -> client.send(large))
                    .hasRootCauseInstanceOf(LazyTablesException.class)
                    .hasMessageContaining("LAZY-1409")
                    .hasMessageContaining("2097153 bytes");

            assertThat(client.send(new byte[2 << 20])).isTrue();
            assertThat(client.sink.next(What.FRAME).bytes()).hasSize(2 << 20);
        }
    }

    @Test
    void whatWasSentArrivesBeforeTheEnd() {
        try (TestServer server = TestServer.start();
                TestClient client = TestClient.of(server.port()).open()) {
            server.sink.next(What.OPEN);
            TestServer.on(client.loop, () -> {
                for (int i = 0; i < 1_000; i++) {
                    client.transport.send(0, new byte[5_000], 0, 5_000);
                }
                client.transport.close(0);
                assertThat(client.transport.send(0, new byte[1], 0, 1)).isFalse();
                return true;
            });
            for (int i = 0; i < 1_000; i++) {
                server.sink.next(What.FRAME);
            }
            assertThat(server.sink.next(What.CLOSED).cause()).isNull();
            assertThat(client.sink.until(What.CLOSED).cause()).isNull();
            client.open();
        }
    }

    @Test
    void aSinkThatFailsEndsItsConnectionOnly() {
        try (TestServer server = TestServer.start();
                TestClient good = TestClient.of(server.port()).open();
                TestClient bad = TestClient.of(server.port()).open()) {
            bad.send("throw".getBytes(US_ASCII));

            assertThat(bad.sink.next(What.CLOSED).code()).isEqualTo(Code.FAILED);
            assertThat(server.sink.until(What.CLOSED).cause()).hasMessageContaining("thrown by the sink");
            assertThat(good.send(new byte[] {3})).isTrue();
            assertThat(good.sink.next(What.FRAME).bytes()).containsExactly(3);
        }
    }

    @Test
    void quietConnectionsLiveBySignsOfLife() {
        try (TestServer server = TestServer.start("heartbeat=10ms", "idle.timeout=10s");
                TestClient client = TestClient.of(server.port(), "heartbeat=10ms", "idle.timeout=10s")
                        .open()) {
            server.sink.next(What.OPEN);
            long sent = client.transport.counters().flushes();
            await().atMost(PATIENCE).until(() -> client.transport.counters().flushes() > sent + 10);

            assertThat(client.sink.events).isEmpty();
            assertThat(server.sink.events).isEmpty();
        }
    }

    @Test
    void aPeerOfWhichNothingIsHeardIsGivenUp() throws IOException {
        try (TestServer server = TestServer.start("heartbeat=20ms", "idle.timeout=100ms");
                RawClient silent = RawClient.admitted(server.port())) {
            server.sink.next(What.OPEN);

            assertThat(server.sink.next(What.CLOSED).code()).isEqualTo(Code.SILENT);
            silent.readToEnd();
        }
    }

    /** The server stops to read from who does not read, keeps little, and loses nothing. */
    @Test
    void whoDoesNotReadIsNotReadFrom() throws Exception {
        int count = 16_384;
        byte[] kilobyte = new byte[1_024];
        try (TestServer server = TestServer.start("send.watermark=64KB");
                RawClient client = RawClient.admitted(server.port())) {
            var failure = new AtomicReference<Throwable>();
            var writer = new Thread(() -> {
                try {
                    for (int i = 0; i < count; i++) {
                        client.frame(Kind.DATA, kilobyte);
                    }
                } catch (IOException e) {
                    failure.set(e);
                }
            });
            writer.start();
            await().atMost(PATIENCE).until(() -> server.mostPending.get() > 64 << 10);
            for (int i = 0; i < count; i++) {
                assertThat(client.read(Kind.DATA).bytes()).hasSize(1_024);
            }
            writer.join();

            assertThat(failure.get()).isNull();
            assertThat(server.mostPending.get()).isLessThan(1 << 20);
        }
    }

    /** Who asks whether there is room keeps little waiting, and hears when there is more. */
    @Test
    void whoHasMuchToSendIsToldWhenThereIsRoom() throws Exception {
        byte[] message = new byte[32 << 10];
        int count = 1_000;
        try (TestServer server = TestServer.start("send.watermark=64KB");
                RawClient client = RawClient.admitted(server.port())) {
            int peer = server.sink.next(What.OPEN).peer();
            int sent = 0;
            int refusals = 0;
            while (sent < count) {
                int from = sent;
                sent = server.on(() -> sendWhileRoom(server, peer, message, from, count));
                if (sent < count) {
                    refusals++;
                    for (int i = from; i < sent; i++) {
                        assertThat(client.read(Kind.DATA).bytes()).hasSize(message.length);
                    }
                    assertThat(server.sink.next(What.ROOM).peer()).isEqualTo(peer);
                }
            }

            assertThat(refusals).isPositive();
            assertThat(server.mostPending.get()).isBetween(64L << 10, 256L << 10);
        }
    }

    private static int sendWhileRoom(TestServer server, int peer, byte[] message, int from, int to) {
        int sent = from;
        // There is always room where the connection has ended.
        boolean isOpen = true;
        while (isOpen && sent < to && server.transport.hasRoom(peer)) {
            isOpen = server.transport.send(peer, message, 0, message.length);
            sent += isOpen ? 1 : 0;
            server.mostPending.accumulateAndGet(server.transport.pending(peer), Math::max);
        }
        return sent;
    }

    /** There is room where nobody is connected: nothing waits there. */
    @Test
    void whoIsNotConnectedHoldsNobodyUp() {
        try (TestServer server = TestServer.start();
                TestClient client = TestClient.of(1)) {
            assertThat(server.on(() -> server.transport.hasRoom(7))).isTrue();
            assertThat(TestServer.on(client.loop, () -> client.transport.hasRoom(0)))
                    .isTrue();
        }
    }

    @Test
    void whoTakesNothingOfWhatWaitsIsGivenUp() throws IOException {
        byte[] message = new byte[32 << 10];
        try (TestServer server = TestServer.start("send.watermark=64KB", "heartbeat=400ms", "idle.timeout=2s");
                RawClient client = RawClient.admitted(server.port())) {
            int peer = server.sink.next(What.OPEN).peer();
            RecordingSink.Event closed;
            do {
                server.on(() -> sendWhileRoom(server, peer, message, 0, Integer.MAX_VALUE));
                closed = server.sink.next();
            } while (closed.what() == What.ROOM);

            assertThat(closed.what()).isEqualTo(What.CLOSED);
            assertThat(closed.code()).isEqualTo(Code.SLOW_PEER);
            assertThat(closed.cause()).hasMessageContaining("has taken nothing of the ");
            client.readToEnd();
        }
    }

    @Test
    void whoTakesTooLittleOfTooMuchIsClosed() throws IOException {
        byte[] large = new byte[512 << 10];
        try (TestServer server = TestServer.start("send.limit=4MB", "send.watermark=64KB", "frame.limit=2MB");
                RawClient client = RawClient.admitted(server.port())) {
            int peer = server.sink.next(What.OPEN).peer();
            boolean sent = true;
            for (int i = 0; i < 1_000 && sent; i++) {
                sent = server.on(() -> server.transport.send(peer, large, 0, large.length));
            }

            assertThat(sent).isFalse();
            assertThat(server.sink.next(What.CLOSED).code()).isEqualTo(Code.SLOW_PEER);
            client.readToEnd();
        }
    }

    @Test
    void connectionsAreLimited() {
        try (TestServer server = TestServer.start("server.connections=1");
                TestClient first = TestClient.of(server.port(), "retry.first=1m", "retry.most=1m")
                        .open();
                TestClient second = TestClient.of(server.port())) {
            assertThat(second.sink.next(What.UNREACHABLE).code()).isEqualTo(Code.TOO_MANY_CONNECTIONS);

            TestServer.on(first.loop, () -> {
                first.transport.close(0);
                return true;
            });
        }
    }

    @Test
    void anAddressThatIsTakenIsSaid() {
        try (TestServer server = TestServer.start()) {
            assertThatThrownBy(() -> TestServer.startAt(server.port()))
                    .isInstanceOf(LazyTablesException.class)
                    .hasMessageContaining("LAZY-1401")
                    .hasMessageContaining("localhost:" + server.port());
        }
    }

    @Test
    void threadsEndWithTheTransport() {
        try (TestServer server = TestServer.start();
                TestClient client = TestClient.of("localhost", server.port()).open()) {
            assertThat(client.send(new byte[1])).isTrue();
        }

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .noneMatch(
                                name -> name.startsWith("lazytables-test") || name.startsWith("lazytables-resolve")));
    }

    @Test
    void timersAndTasksAfterTheEndAreDropped() {
        NetLoop loop = NetLoop.start("test-ended");
        loop.close();

        loop.execute(() -> {
            throw new AssertionError();
        });
        loop.executeAfter(() -> {}, 1);
        assertThat(loop.isCurrent()).isFalse();
    }
}
