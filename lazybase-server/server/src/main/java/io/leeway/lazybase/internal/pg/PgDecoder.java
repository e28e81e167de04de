package io.leeway.lazybase.internal.pg;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.List;

/** Cuts what clients send into messages. */
final class PgDecoder extends ByteToMessageDecoder {

    private static final int MOST_AT_START = 10_000;
    /** The upper half of codes that ask for encryption, or to cancel. */
    private static final int REQUESTS = 1234;

    private final int most;
    private boolean started;

    PgDecoder(int most) {
        this.most = most;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        int head = started ? 5 : 4;
        if (in.readableBytes() < head) {
            return;
        }
        int length = in.getInt(in.readerIndex() + head - 4);
        if (length < 4 || length > (started ? most : MOST_AT_START)) {
            throw new CorruptedFrameException("a message of " + length + " bytes");
        }
        if (in.readableBytes() < head - 4 + length) {
            return;
        }
        byte type = started ? in.readByte() : 0;
        in.skipBytes(4);
        byte[] bytes = new byte[length - 4];
        in.readBytes(bytes);
        // A request for encryption or to cancel comes before the real start.
        if (!started && bytes.length < 4) {
            throw new CorruptedFrameException("a message without a code");
        }
        started |= started || ((bytes[0] & 0xFF) << 8 | (bytes[1] & 0xFF)) != REQUESTS;
        out.add(new PgFrame(type, bytes));
    }
}
