package io.leeway.approx.internal.net;

import io.netty.bootstrap.Bootstrap;
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
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.util.concurrent.DefaultThreadFactory;

/** Netty's native transport where it is there, else plain NIO. The native one has timers of microseconds, which pacing needs. */
public final class Transport {

    private static final boolean NATIVE = Epoll.isAvailable();

    /** Of Linux: level IPPROTO_IP, and "do not fragment, and do not look at the path's known MTU". */
    private static final IntegerUnixChannelOption MTU_DISCOVER = new IntegerUnixChannelOption("IP_MTU_DISCOVER", 0, 10);

    private static final int PROBE = 3;

    private Transport() {}

    /** Whether the native transport is used. */
    public static boolean isNative() {
        return NATIVE;
    }

    /** Whether the kernel cuts long buffers into datagrams. */
    static boolean isOffloading() {
        return NATIVE && EpollDatagramChannel.isSegmentedDatagramPacketSupported();
    }

    /** Has datagrams travel whole or not at all, whatever the kernel thinks of the path; NIO of Java 17 cannot tell it. */
    static void neverFragment(Bootstrap bootstrap) {
        if (NATIVE) {
            bootstrap.option(MTU_DISCOVER, PROBE);
        }
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
