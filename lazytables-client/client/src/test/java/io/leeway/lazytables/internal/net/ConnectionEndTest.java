package io.leeway.lazytables.internal.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection that ends when there is no memory left. */
@Timeout(120)
class ConnectionEndTest {

    private static final int READ_MILLIS = 20_000;

    /** Whether there is no memory for buffers. */
    private volatile boolean isFull;

    @Test
    void theSocketIsClosedThoughThereIsNoMemoryForLastWords() throws Exception {
        var config = LazyTablesConfig.of(Map.of());
        var ended = new Ended();
        try (var listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                NetLoop loop = NetLoop.start("test-end")) {
            var hub = new Hub(loop, NetSettings.ofClient(config), new NetCounters());
            var connection =
                    new Connection(hub, ended, new Handshake.OfClient(hub.settings), false, 0, "the other side");
            new Bootstrap()
                    .group(loop.netty())
                    .channel(NioSocketChannel.class)
                    .option(ChannelOption.ALLOCATOR, allocator())
                    .handler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel made) {
                            Connection.install(made, null, connection);
                        }
                    })
                    .connect(listening.getLocalSocketAddress())
                    .sync();
            try (Socket other = listening.accept()) {
                other.setSoTimeout(READ_MILLIS);
                assertThat(other.getInputStream().readNBytes(Wire.PREAMBLE)).isEqualTo(Wire.preamble());

                isFull = true;
                loop.execute(connection::end);

                assertThat(other.getInputStream().read()).isEqualTo(-1);
                ended.told.get(1, TimeUnit.MINUTES);
                connection.gone().get(1, TimeUnit.MINUTES);
            }
        }
    }

    private ByteBufAllocator allocator() {
        return (ByteBufAllocator) Proxy.newProxyInstance(
                ByteBufAllocator.class.getClassLoader(),
                new Class<?>[] {ByteBufAllocator.class},
                (proxy, method, arguments) -> {
                    if (isFull && method.getName().equals("directBuffer")) {
                        throw new OutOfMemoryError("no memory, says the test");
                    }
                    try {
                        return method.invoke(PooledByteBufAllocator.DEFAULT, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static final class Ended implements Connection.Owner {

        final CompletableFuture<Boolean> told = new CompletableFuture<>();

        @Override
        public void admit(Connection connection) {}

        @Override
        public void opened(Connection connection) {}

        @Override
        public void frame(Connection connection, byte[] bytes, int offset, int length) {}

        @Override
        public void closed(Connection connection, @Nullable Throwable cause) {
            told.complete(cause == null);
        }
    }
}
