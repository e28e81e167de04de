package io.leeway.approx.internal.net;

import io.leeway.approx.atp.Ack;
import io.leeway.approx.atp.Packet;
import io.leeway.approx.internal.wire.Datagrams;
import io.leeway.approx.internal.wire.Frame;
import io.leeway.approx.internal.wire.Packets;
import io.leeway.approx.internal.wire.ReplayWindow;
import io.leeway.approx.internal.wire.Seal;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * The datagrams of one session at the client: one socket a priority class, since the class is a property of a socket.
 * Packets of one class that are added before a {@link #flush} share datagrams. All on the thread of its group.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes its channel, which is told to the handler
final class Datagram {

    /** Who is told. */
    interface Listener {
        void acknowledged(Ack ack);

        void echoed();
    }

    private static final int CLASSES = 8;
    /** How long a datagram that is not full may wait for what is about to be sent. */
    private static final long HOLD_NANOS = 200_000;

    private final EventLoopGroup group;
    private final InetSocketAddress gateway;
    private final Listener listener;
    private final long session;
    private final Seal up;
    private final Seal down;
    private final ReplayWindow replays = new ReplayWindow();
    private final Channel[] channels = new Channel[CLASSES];
    private final ByteBuffer[] plain = new ByteBuffer[CLASSES];
    private final long[] begun = new long[CLASSES];
    private final Packets[] packets = new Packets[CLASSES];
    private final Segments[] segments = new Segments[CLASSES];
    private final ByteBuffer header = ByteBuffer.allocate(Datagrams.HEADER);
    private final ByteBuffer opened = ByteBuffer.allocate(1 << 16);
    private long number;

    Datagram(EventLoopGroup group, InetSocketAddress gateway, Frame.Welcome welcome, int longest, Listener listener) {
        this.group = group;
        this.gateway = gateway;
        this.listener = listener;
        session = welcome.session();
        up = new Seal(welcome.upSecret());
        down = new Seal(welcome.downSecret());
        for (int i = 0; i < CLASSES; i++) {
            packets[i] = new Packets();
            channels[i] = connect(i);
            segments[i] = new Segments(channels[i], gateway, Transport.isOffloading());
        }
        longest(longest);
    }

    /** Another longest datagram, in bytes without the headers of IP and UDP; nothing must have been added yet. */
    void longest(int bytes) {
        for (int i = 0; i < CLASSES; i++) {
            plain[i] = ByteBuffer.allocate(bytes - Datagrams.HEADER - Seal.TAG);
        }
    }

    private Channel connect(int queue) {
        Bootstrap bootstrap = new Bootstrap()
                .group(group)
                .channel(Transport.datagram())
                .option(ChannelOption.IP_TOS, typeOfService(queue))
                .option(ChannelOption.SO_SNDBUF, 1 << 20)
                .handler(new Handler());
        Transport.neverFragment(bootstrap);
        return bootstrap.connect(gateway).channel();
    }

    /** The type-of-service byte of a queue: the highest queue below that of other traffic has the highest class. */
    static int typeOfService(int queue) {
        return queue == 0 ? 0 : 8 * (8 - queue) + 2 << 2;
    }

    void add(Packet<byte[]> packet, int queue, int payload) {
        ByteBuffer buffer = plain[queue];
        if (buffer.remaining() < Packets.MOST_HEADER + packet.bytes()) {
            send(queue, Datagrams.DATA);
        }
        if (buffer.position() == 0) {
            begun[queue] = System.nanoTime();
        }
        packets[queue].write(buffer, packet, payload);
    }

    /**
     * Sends what was added.
     *
     * @param soon whether more will be added at once: a datagram that is not full waits for it then, for a moment
     */
    void flush(boolean soon) {
        for (int queue = 0; queue < CLASSES; queue++) {
            if (plain[queue].position() > 0 && !(soon && System.nanoTime() - begun[queue] < HOLD_NANOS)) {
                send(queue, Datagrams.DATA);
            }
            segments[queue].flush();
        }
    }

    /** Asks for an echo with a datagram of full length, so that one that is too long for the path is not taken for fine. */
    void probe() {
        probe(1);
    }

    /** The same in another class. */
    void probe(int queue) {
        ByteBuffer buffer = plain[queue];
        if (buffer.position() > 0) {
            send(queue, Datagrams.DATA);
        }
        buffer.position(buffer.limit());
        send(queue, Datagrams.PROBE);
        flush(false);
    }

    private void send(int queue, int kind) {
        ByteBuffer buffer = plain[queue];
        buffer.flip();
        ByteBuffer out = ByteBuffer.allocate(Datagrams.HEADER + buffer.remaining() + Seal.TAG);
        Datagrams.header(out, kind, session, number);
        header.clear();
        Datagrams.header(header, kind, session, number);
        up.seal(number, header.flip(), buffer, out);
        number++;
        buffer.clear();
        packets[queue].begin();
        segments[queue].add(out.flip());
    }

    void close() {
        for (Channel channel : channels) {
            channel.close();
        }
    }

    private void received(ByteBuf content) {
        if (content.readableBytes() < Datagrams.HEADER + Seal.TAG) {
            return;
        }
        ByteBuffer bytes = content.nioBuffer();
        byte first = bytes.get(0);
        long of = bytes.getLong(1);
        long its = bytes.getLong(9);
        if (Datagrams.version(first) != Datagrams.VERSION || of != session) {
            return;
        }
        ByteBuffer clear = bytes.duplicate().limit(Datagrams.HEADER);
        bytes.position(Datagrams.HEADER);
        opened.clear();
        if (!down.open(its, clear, bytes, opened) || !replays.accept(its)) {
            return;
        }
        opened.flip();
        if (Datagrams.kind(first) == Datagrams.ECHO) {
            listener.echoed();
        } else if (Datagrams.kind(first) == Datagrams.ACKNOWLEDGEMENT) {
            Ack ack = Datagrams.ack(opened);
            if (ack != null) {
                listener.acknowledged(ack);
            }
        }
    }

    /** What a socket receives. */
    private final class Handler extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            try {
                received(message instanceof DatagramPacket packet ? packet.content() : (ByteBuf) message);
            } finally {
                io.netty.util.ReferenceCountUtil.release(message);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            // A closed port is told as an error of the socket; to us it is silence.
        }
    }
}
