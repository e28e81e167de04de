package io.leeway.approx.internal.net;

import io.leeway.approx.internal.wire.Frame;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.MessageToMessageCodec;
import java.util.List;

/** Frames as bytes behind their length. */
public final class FrameCodec extends MessageToMessageCodec<ByteBuf, Frame> {

    @Override
    protected void encode(ChannelHandlerContext context, Frame frame, List<Object> out) {
        byte[] bytes = Frame.encode(frame);
        out.add(Unpooled.buffer(4 + bytes.length).writeInt(bytes.length).writeBytes(bytes));
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        out.add(Frame.decode(in.nioBuffer()));
        in.skipBytes(in.readableBytes());
    }
}
