package io.leeway.autotune.services;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Executor;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.jboss.threads.EnhancedQueueExecutor;

/**
 * A service as reactive frameworks build them: Netty hands requests to an executor of JBoss Threads; an Agroal pool, a
 * Caffeine cache and Apache's HTTP client are behind it. {@code threads=, connections=, held=, calls=}. Prints its port.
 */
public final class NettyService {

    private final Work work;
    private final Executor executor;
    private final Cache<String, String> cache =
            Caffeine.newBuilder().maximumSize(100).build();
    private final CloseableHttpClient client = HttpClients.createDefault();
    private final List<URI> calls;

    private NettyService(Work work, Executor executor, List<URI> calls) {
        this.work = work;
        this.executor = executor;
        this.calls = calls;
    }

    /** Starts it. */
    @SuppressWarnings("deprecation") // the group that both lines of Netty have
    public static void main(String[] arguments) throws InterruptedException, SQLException {
        var given = new Arguments(arguments);
        int connections = given.number("connections", 10);
        AgroalDataSource source = AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(pool -> pool.maxSize(connections)
                        .initialSize(1)
                        .acquisitionTimeout(java.time.Duration.ofSeconds(5))
                        .connectionFactoryConfiguration(
                                factory -> factory.jdbcUrl("jdbc:h2:mem:service;DB_CLOSE_DELAY=-1"))));
        Executor executor = new EnhancedQueueExecutor.Builder()
                .setCorePoolSize(given.number("threads", 16))
                .setMaximumPoolSize(given.number("threads", 16))
                .build();
        String calls = given.text("calls", "");
        var service = new NettyService(
                new Work(source, given.decimal("held", 10)),
                executor,
                calls.isEmpty()
                        ? List.of()
                        : List.of(calls.split(";")).stream().map(URI::create).toList());
        Channel channel = new ServerBootstrap()
                .group(new NioEventLoopGroup(1), new NioEventLoopGroup(2))
                .channel(NioServerSocketChannel.class)
                .childHandler(service.pipeline())
                .bind("127.0.0.1", given.number("port", 0))
                .sync()
                .channel();
        System.out.println("port " + ((InetSocketAddress) channel.localAddress()).getPort());
    }

    private ChannelInitializer<SocketChannel> pipeline() {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(1 << 20), new Requests());
            }
        };
    }

    private final class Requests extends SimpleChannelInboundHandler<FullHttpRequest> {

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            String path = request.uri();
            executor.execute(() -> respond(context, path));
        }
    }

    private void respond(ChannelHandlerContext context, String path) {
        HttpResponseStatus status = HttpResponseStatus.OK;
        String answer = "";
        try {
            answer = cache.get("item", key -> "cached ") + work.answer(path);
            for (URI call : calls) {
                answer += client.execute(new HttpGet(call), response -> EntityUtils.toString(response.getEntity()));
            }
        } catch (IllegalStateException | IOException e) {
            status = HttpResponseStatus.INTERNAL_SERVER_ERROR;
        }
        byte[] body = answer.getBytes(StandardCharsets.UTF_8);
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        // Who asked may be gone: then nobody is there to be told.
        var unused = context.writeAndFlush(response);
    }
}
