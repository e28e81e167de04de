package io.leeway.approx.internal.shim;

import io.leeway.approx.ApproxError;
import io.leeway.approx.ApproxException;
import io.leeway.approx.ApproxOption;
import io.leeway.approx.ApproxOptions;
import io.leeway.approx.TopicRule;
import io.leeway.approx.atp.JobReport;
import io.leeway.approx.internal.net.FlowClient;
import io.leeway.approx.internal.net.FlowState;
import io.leeway.approx.internal.net.Keys;
import io.leeway.approx.internal.net.Transport;
import io.leeway.approx.internal.wire.RecordData;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The Kafka protocol beside the client: one listening port for the bootstrap, and one a broker, since a client takes a
 * broker's address for the broker. Thread-safe.
 */
public final class Shim implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(Shim.class.getName());
    private static final String OFF = "off";
    private static final long TELL_EVERY_NANOS = 10_000_000_000L;

    /** Above what brokers take at most, in practice. */
    private static final int LONGEST = 256 << 20;

    private static final int CONNECT_MILLIS = 10_000;

    private final List<TopicRule> rules;
    private final List<InetSocketAddress> upstream;
    private final InetSocketAddress listen;
    private final @Nullable SslContext tls;
    private final MultiThreadIoEventLoopGroup group = Transport.group(0, "approx-shim");
    /** Apart, so that a thread of the other group can wait for an address to listen. */
    private final MultiThreadIoEventLoopGroup acceptors = Transport.group(1, "approx-shim-accept");

    private final Responses responses = new Responses(this::endpoint);
    private final TakenBatches takenBatches = new TakenBatches();
    private final KnownLimits limits = new KnownLimits();
    private final Map<InetSocketAddress, Channel> listeners = new ConcurrentHashMap<>();
    private final AtomicInteger nextUpstream = new AtomicInteger();
    private final AtomicLong passed = new AtomicLong();
    private final Channel bootstrap;
    private final @Nullable FlowClient flow;
    private final String whyExact;
    /** For how long a record may be in a shim after its window ended. */
    private final long graceAndDeadline;

    private final AtomicLong toldAt = new AtomicLong(Long.MIN_VALUE);

    /** Listens, and connects to the gateway if there is one. */
    public Shim(ApproxOptions options, Consumer<JobReport> finished) {
        rules = options.topicRules();
        upstream = options.addresses(ApproxOption.UPSTREAM);
        listen = options.address(ApproxOption.LISTEN);
        graceAndDeadline = options.duration(ApproxOption.GRACE).toMillis()
                + options.duration(ApproxOption.DEADLINE).toMillis();
        tls = options.text(ApproxOption.UPSTREAM_TLS).equals("on") ? Keys.client(options) : null;
        whyExact = whyExact(options);
        flow = whyExact.isEmpty() ? new FlowClient(options, finished) : null;
        try {
            bootstrap = listen(listen.getPort(), null);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        if (flow != null) {
            flow.start();
        } else if (!options.text(ApproxOption.MODE).equals(OFF)) {
            // A topic that is not sampled looks like any other: nobody would notice.
            LOG.log(Level.WARNING, "{0}: {1}; everything travels as exact traffic. {2}", new Object[] {
                ApproxError.NOTHING_SAMPLED.code(), whyExact, ApproxError.NOTHING_SAMPLED.remedy()
            });
        }
    }

    /** Why nothing is ever sampled; empty if something may be. */
    private static String whyExact(ApproxOptions options) {
        if (options.text(ApproxOption.MODE).equals(OFF)) {
            return "approx.mode is off";
        }
        if (!options.has(ApproxOption.GATEWAY)) {
            return "there is no gateway: approx.gateway is empty";
        }
        return options.topicRules().isEmpty() ? "no topic is approximate: approx.topics is empty" : "";
    }

    private Channel listen(int port, @Nullable InetSocketAddress to) {
        ChannelFuture future = new ServerBootstrap()
                .group(acceptors, group)
                .channel(Transport.server())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel client) {
                        ShimConnection connection = new ShimConnection(Shim.this, client);
                        client.pipeline().addLast(frames()).addLast(connection);
                        connect(connection, client, to == null ? anyUpstream() : to);
                    }
                })
                .bind(new InetSocketAddress(listen.getHostString(), port))
                .awaitUninterruptibly();
        if (!future.isSuccess()) {
            throw new ApproxException(
                    ApproxError.LISTEN,
                    "The shim cannot listen at " + listen.getHostString() + ":" + port + ".",
                    future.cause());
        }
        return future.channel();
    }

    private InetSocketAddress anyUpstream() {
        return upstream.get(Math.floorMod(nextUpstream.getAndIncrement(), upstream.size()));
    }

    private void connect(ShimConnection connection, SocketChannel client, InetSocketAddress to) {
        new Bootstrap()
                .group(client.eventLoop())
                .channel(Transport.socket())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel broker) {
                        if (tls != null) {
                            broker.pipeline().addLast(tls.newHandler(broker.alloc(), to.getHostString(), to.getPort()));
                        }
                        broker.pipeline().addLast(frames()).addLast(connection.new BrokerSide());
                    }
                })
                .connect(to.getHostString(), to.getPort())
                .addListener((ChannelFuture future) -> {
                    if (!future.isSuccess()) {
                        tellAway(to, future.cause());
                    }
                    connection.connected(future);
                });
    }

    /** The client is told of a port of this process only, which says nothing to those who have to mend it. */
    private void tellAway(InetSocketAddress broker, Throwable cause) {
        long now = System.nanoTime();
        long last = toldAt.get();
        if ((last == Long.MIN_VALUE || now - last > TELL_EVERY_NANOS) && toldAt.compareAndSet(last, now)) {
            LOG.log(Level.WARNING, "there is no connection to the broker {0}:{1,number,#}: {2}", new Object[] {
                broker.getHostString(), broker.getPort(), cause.getMessage()
            });
        }
    }

    private static LengthFieldBasedFrameDecoder frames() {
        return new LengthFieldBasedFrameDecoder(LONGEST, 0, 4);
    }

    private InetSocketAddress endpoint(String host, int port) {
        InetSocketAddress of = InetSocketAddress.createUnresolved(host, port);
        Channel channel = listeners.computeIfAbsent(of, to -> listen(0, to));
        return InetSocketAddress.createUnresolved(listen.getHostString(), port(channel));
    }

    private static int port(Channel channel) {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /** What clients take for the brokers. */
    public String bootstrap() {
        return listen.getHostString() + ":" + port(bootstrap);
    }

    /** The state of the flow to the gateway. */
    public FlowState state() {
        return flow == null ? new FlowState.Down(whyExact) : flow.state();
    }

    /** The flow to the gateway; null if there is none. */
    public @Nullable FlowClient flow() {
        return flow;
    }

    /** Records of approximate topics that travelled as exact ones. */
    public long passed() {
        return passed.get();
    }

    void countPassed(int records) {
        passed.addAndGet(records);
    }

    Responses responses() {
        return responses;
    }

    TakenBatches takenBatches() {
        return takenBatches;
    }

    boolean hasRules() {
        return !rules.isEmpty();
    }

    boolean isApproximate(String topic) {
        return rule(topic) != null;
    }

    private @Nullable TopicRule rule(String topic) {
        for (TopicRule rule : rules) {
            if (rule.matches(topic)) {
                return rule;
            }
        }
        return null;
    }

    /** What topics take, as far as it is known. */
    KnownLimits limits() {
        return limits;
    }

    /** Whether a topic takes these records, as far as it is known, also if they are long on their way. */
    boolean takes(String topic, List<RecordData> records) {
        TopicRule rule = rule(topic);
        long held = graceAndDeadline + (rule == null ? 0 : rule.window().toMillis());
        return limits.of(topic).takes(records, System.currentTimeMillis(), held);
    }

    boolean takesApproximate() {
        return flow != null && flow.state() instanceof FlowState.Up;
    }

    void take(List<RecordData> records, Consumer<Boolean> done) {
        if (flow == null) {
            done.accept(false);
        } else {
            flow.submit(records, done);
        }
    }

    @Override
    public void close() {
        if (flow != null) {
            flow.close();
        }
        acceptors.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }
}
