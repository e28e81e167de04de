package io.leeway.lazytables.internal.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What connections share. */
@Timeout(120)
class HubTest {

    private final List<String> happened = new CopyOnWriteArrayList<>();

    @Test
    void aConnectionThatCannotSendKeepsNoOtherFromIt() {
        try (NetLoop loop = NetLoop.start("test-hub")) {
            var hub = new Hub(loop, NetSettings.ofClient(LazyTablesConfig.of(Map.of())), new NetCounters());
            for (int round = 0; round < 2; round++) {
                TestServer.on(loop, () -> {
                    hub.hasUnsent(new Flushed("first", false));
                    hub.hasUnsent(new Flushed("broken", true));
                    hub.hasUnsent(new Flushed("last", false));
                    return true;
                });
                // Behind what the hub has the thread do.
                TestServer.on(loop, () -> true);
            }
        }

        List<String> each = List.of("first", "broken", "broken failed: no memory", "last");
        assertThat(happened).hasSize(8).startsWith(each.toArray(new String[0])).endsWith(each.toArray(new String[0]));
    }

    /** Such as where there is no memory for the sign of life: all others would be taken for dead, and dead ones never be noticed. */
    @Test
    void aConnectionThatCannotGiveASignOfLifeKeepsNoOtherFromIt() {
        try (NetLoop loop = NetLoop.start("test-hub")) {
            Map<String, String> options = TestServer.options("heartbeat=10ms", "idle.timeout=1h", "compression=none");
            var hub = new Hub(loop, NetSettings.ofClient(LazyTablesConfig.of(options)), new NetCounters());
            var ends = new CopyOnWriteArrayList<String>();
            var broken = admitted(hub, "broken", ends);
            var sound = admitted(hub, "sound", ends);
            broken.config().setAllocator(new WithoutMemory());
            var asked = new WithoutMemory();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> TestServer.on(loop, () -> {
                        broken.runPendingTasks();
                        sound.runPendingTasks();
                        return ends.contains("broken");
                    }));
            sound.config().setAllocator(asked);

            await().atMost(Duration.ofSeconds(60))
                    .until(() -> TestServer.on(loop, () -> {
                        sound.runPendingTasks();
                        return asked.times > 0;
                    }));
            TestServer.on(loop, () -> {
                // What was sent is nobody's to read here.
                broken.finishAndReleaseAll();
                sound.finishAndReleaseAll();
                return true;
            });
        }
    }

    /** A server's connection that has let its client in. */
    private static EmbeddedChannel admitted(Hub hub, String name, List<String> ends) {
        return TestServer.on(hub.loop, () -> {
            var connection =
                    new Connection(hub, new Ends(name, ends), new Handshake.OfServer(hub.settings), true, 1, name);
            var channel = new EmbeddedChannel();
            Connection.install(channel, null, connection);
            byte[] proof = new byte[4 + Proofs.NONCE];
            Wire.putInt(proof, 0, 1 << 20);
            channel.writeInbound(Unpooled.wrappedBuffer(Wire.preamble()));
            channel.writeInbound(Unpooled.buffer()
                    .writeInt(Wire.header(Kind.PROOF, proof.length))
                    .writeBytes(proof));
            channel.runPendingTasks();
            assertThat(connection.isOpen()).isTrue();
            return channel;
        });
    }

    private record Ends(String name, List<String> ends) implements Connection.Owner {

        @Override
        public void admit(Connection connection) {}

        @Override
        public void opened(Connection connection) {}

        @Override
        public void frame(Connection connection, byte[] bytes, int offset, int length) {}

        @Override
        public void closed(Connection connection, @Nullable Throwable cause) {
            ends.add(name);
        }
    }

    /** Counts how often it is asked for a buffer, and has none. */
    private static final class WithoutMemory extends AbstractByteBufAllocator {

        int times;

        @Override
        protected ByteBuf newHeapBuffer(int capacity, int most) {
            return newDirectBuffer(capacity, most);
        }

        @Override
        protected ByteBuf newDirectBuffer(int capacity, int most) {
            times++;
            throw new IllegalStateException("no memory");
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }

    /** Something to be sent. */
    private final class Flushed implements Hub.Unsent {

        private final String name;
        private final boolean fails;

        Flushed(String name, boolean fails) {
            this.name = name;
            this.fails = fails;
        }

        @Override
        public void flush() {
            happened.add(name);
            if (fails) {
                throw new IllegalStateException("no memory");
            }
        }

        @Override
        public void fail(Throwable cause) {
            happened.add(name + " failed: " + cause.getMessage());
        }
    }
}
