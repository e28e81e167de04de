package io.leeway.lazybase.internal.pg;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.sql.Engine;
import io.leeway.lazybase.internal.sql.Session;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Listens for clients that speak PostgreSQL's protocol. Thread-safe. */
public final class PgServer implements AutoCloseable {

    private static final int BACKLOG = 256;

    private final Engine engine;
    private final Users users;
    private final boolean passwords;
    private final @Nullable SslContext ssl;
    private final int mostConnections;
    private final SecureRandom random = new SecureRandom();
    private final AtomicInteger nextProcess = new AtomicInteger(1);
    private final Map<Integer, Known> connections = new ConcurrentHashMap<>();
    private final EventLoopGroup loops;
    private final ExecutorService workers;
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Channel listening;

    private record Known(int secret, Session session) {}

    /**
     * Begins to listen.
     *
     * @param ssl how connections are encrypted if clients want; null if they cannot be
     * @param mostMessage bytes of a message at most
     */
    public PgServer(
            Engine engine,
            InetSocketAddress address,
            Users users,
            @Nullable SslContext ssl,
            int mostConnections,
            int mostMessage)
            throws IOException {
        this.engine = engine;
        this.users = users;
        this.passwords = !users.all().isEmpty();
        this.ssl = ssl;
        this.mostConnections = mostConnections;
        this.loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
        this.workers = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "lazybase-session");
            thread.setDaemon(true);
            return thread;
        });
        try {
            listening = new ServerBootstrap()
                    .group(loops)
                    .channel(NioServerSocketChannel.class)
                    .option(ChannelOption.SO_BACKLOG, BACKLOG)
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    .childHandler(new ChannelInitializer<SocketChannel>() {
                        @Override
                        protected void initChannel(SocketChannel channel) {
                            channels.add(channel);
                            channel.pipeline().addLast(new PgDecoder(mostMessage), new PgHandler(PgServer.this));
                        }
                    })
                    .bind(address)
                    .syncUninterruptibly()
                    .channel();
        } catch (RuntimeException | Error e) {
            close();
            throw new LazyBaseException(Code.LISTEN, "Address " + address + ": " + e.getMessage() + ".", e);
        } catch (Exception e) {
            close();
            throw new LazyBaseException(Code.LISTEN, "Address " + address + ": " + e.getMessage() + ".", e);
        }
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listening.localAddress();
    }

    /** Number of connections. */
    public int connections() {
        return connections.size();
    }

    Engine engine() {
        return engine;
    }

    Users users() {
        return users;
    }

    boolean wantsPasswords() {
        return passwords;
    }

    @Nullable
    SslContext ssl() {
        return ssl;
    }

    byte[] random(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    void run(Runnable work) {
        workers.execute(work);
    }

    void checkRoom() {
        if (connections.size() >= mostConnections) {
            throw new LazyBaseException(Code.CONNECTIONS, mostConnections + " connections.");
        }
    }

    int register(PgHandler handler, Session session) {
        int process = nextProcess.getAndIncrement();
        int secret = random.nextInt();
        handler.process(process);
        connections.put(process, new Known(secret, session));
        return secret;
    }

    void unregister(int process) {
        connections.remove(process);
    }

    void cancel(int process, int secret) {
        Known known = connections.get(process);
        if (known != null && known.secret == secret) {
            known.session.cancel();
        }
    }

    @Override
    public void close() {
        if (listening != null) {
            listening.close().awaitUninterruptibly();
        }
        connections.values().forEach(known -> known.session.cancel());
        channels.close().awaitUninterruptibly(10, TimeUnit.SECONDS);
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
        workers.shutdown();
        try {
            if (!workers.awaitTermination(10, TimeUnit.SECONDS)) {
                workers.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
