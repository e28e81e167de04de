package io.leeway.approx.internal.net;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/** Netty's native transport where it is there, else plain NIO. The native one has timers of microseconds, which pacing needs. */
public final class Transport {

    private static final boolean NATIVE = Epoll.isAvailable();

    private Transport() {}

    /** Whether the native transport is used. */
    public static boolean isNative() {
        return NATIVE;
    }

    /** Threads that do not keep the JVM from ending. */
    public static MultiThreadIoEventLoopGroup group(int threads, String name) {
        IoHandlerFactory factory = NATIVE ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        return new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true), factory);
    }

    /** Sockets. */
    public static Class<? extends SocketChannel> socket() {
        return NATIVE ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    /** Listening sockets. */
    public static Class<? extends ServerSocketChannel> server() {
        return NATIVE ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    /** Sockets of datagrams. */
    public static Class<? extends DatagramChannel> datagram() {
        return NATIVE ? EpollDatagramChannel.class : NioDatagramChannel.class;
    }
}
