package io.leeway.approx.internal.net;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.SegmentedDatagramPacket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Datagrams of one class that leave together. Where the kernel cuts a long buffer into datagrams (segmentation offload),
 * those of one length go down in one call, and a shorter one behind them; elsewhere each goes by itself.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails is told to the handler
final class Segments {

    /** The kernel takes 64. */
    private static final int MOST = 32;

    private static final int MOST_BYTES = 60_000;

    private final Channel channel;
    private final InetSocketAddress to;
    private final List<ByteBuffer> run = new ArrayList<>();
    private boolean offload;
    private int bytes;
    private boolean written;

    Segments(Channel channel, InetSocketAddress to, boolean offload) {
        this.channel = channel;
        this.to = to;
        this.offload = offload;
    }

    void add(ByteBuffer datagram) {
        boolean joins = !run.isEmpty()
                && run.get(run.size() - 1).remaining() == run.get(0).remaining()
                && datagram.remaining() <= run.get(0).remaining()
                && run.size() < MOST
                && bytes + datagram.remaining() <= MOST_BYTES;
        if (!joins) {
            write();
        }
        run.add(datagram);
        bytes += datagram.remaining();
        if (!offload) {
            write();
        }
    }

    private void write() {
        if (run.isEmpty()) {
            return;
        }
        ByteBuffer[] parts = run.toArray(ByteBuffer[]::new);
        if (parts.length == 1) {
            channel.write(Unpooled.wrappedBuffer(parts[0]), channel.voidPromise());
        } else {
            DatagramPacket packet =
                    new SegmentedDatagramPacket(Unpooled.wrappedBuffer(parts), parts[0].remaining(), to);
            channel.write(packet).addListener(future -> {
                // Not every device can; what was in here is lost, as datagrams may be.
                offload &= future.isSuccess();
            });
        }
        run.clear();
        bytes = 0;
        written = true;
    }

    void flush() {
        write();
        if (written) {
            written = false;
            channel.flush();
        }
    }
}
