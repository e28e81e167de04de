package io.leeway.approx.internal.net;

import io.leeway.approx.ApproxOption;
import io.leeway.approx.ApproxOptions;
import io.leeway.approx.internal.wire.Frame;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** One attempt after the other to be connected to the gateway, under TLS 1.3. All on the thread of its group. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes its channel, which is told to the handler
final class ControlConnection {

    /** Who is told. */
    interface Listener {
        Frame.Hello hello();

        void connected(Channel channel, Frame.Welcome welcome);

        void frame(Frame frame);

        /** Nobody listens there: whoever did has ended, and {@link #disconnected} follows. */
        void nobodyThere();

        /** The connection ended, or did not come about; told once for each attempt. */
        void disconnected(String why, boolean refused);
    }

    private static final int CONNECT_MILLIS = 5_000;

    private final InetSocketAddress gateway;
    private final SslContext tls;
    private final EventLoopGroup group;
    private final Listener listener;
    private @Nullable Channel channel;

    ControlConnection(ApproxOptions options, EventLoopGroup group, Listener listener) {
        gateway = options.address(ApproxOption.GATEWAY);
        tls = Keys.client(options);
        this.group = group;
        this.listener = listener;
    }

    void connect() {
        new Bootstrap()
                .group(group)
                .channel(Transport.socket())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel made) {
                        SslHandler handler = tls.newHandler(made.alloc(), gateway.getHostString(), gateway.getPort());
                        made.pipeline()
                                .addLast(handler)
                                .addLast(new LengthFieldBasedFrameDecoder(Frame.LONGEST, 0, 4, 0, 4))
                                .addLast(new FrameCodec())
                                .addLast(new Handler());
                    }
                })
                .connect(gateway.getHostString(), gateway.getPort())
                .addListener((io.netty.channel.ChannelFuture future) -> {
                    if (future.isSuccess()) {
                        channel = future.channel();
                    } else {
                        String why = String.valueOf(future.cause().getMessage());
                        if (why.contains("refused")) {
                            listener.nobodyThere();
                        }
                        listener.disconnected(why, false);
                    }
                });
    }

    void close() {
        if (channel != null) {
            channel.close();
        }
    }

    /** The connection once it stands. */
    private final class Handler extends SimpleChannelInboundHandler<Frame> {
        private String why = "it was closed before anybody answered; is approx.gateway the port of a gateway?";
        private boolean refused;

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof SslHandshakeCompletionEvent handshake && handshake.isSuccess()) {
                context.writeAndFlush(listener.hello());
            }
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, Frame frame) {
            if (frame instanceof Frame.Welcome welcome) {
                why = "the gateway closed it";
                listener.connected(context.channel(), welcome);
            } else if (frame instanceof Frame.Refused no) {
                why = no.code() + ": " + no.text();
                refused = true;
                context.close();
            } else {
                listener.frame(frame);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            channel = null;
            listener.disconnected(why, refused);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            why = Keys.why(cause);
            context.close();
        }
    }
}
