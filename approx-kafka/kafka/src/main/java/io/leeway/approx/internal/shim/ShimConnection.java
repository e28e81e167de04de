package io.leeway.approx.internal.shim;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection and the one to the broker that belongs to it, on one thread.
 *
 * <p>Kafka answers in the order of requests on a connection, and clients rely on it. So each request that has an answer
 * takes a place in a queue, and an answer leaves when it and all before it are there, whoever it is from.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes its channel, which is told to the handler
final class ShimConnection extends ChannelInboundHandlerAdapter {

    private static final Logger LOG = Logger.getLogger(ShimConnection.class.getName());
    private static final int LENGTH = 4;

    /** A request that waits for its answer. */
    private static final class Place {
        final short api;
        final short version;
        final int correlation;
        boolean ofBroker;

        @Nullable
        List<TopicProduceResponse> taken;

        boolean takenWanted;

        @Nullable
        ByteBuf answer;

        Place(short api, short version, int correlation) {
            this.api = api;
            this.version = version;
            this.correlation = correlation;
        }

        boolean complete() {
            return !(ofBroker && answer == null) && !(takenWanted && taken == null);
        }
    }

    private final Shim shim;
    private final Channel client;
    private final ArrayDeque<Place> places = new ArrayDeque<>();
    private final ArrayDeque<Place> atBroker = new ArrayDeque<>();
    private @Nullable Channel broker;

    ShimConnection(Shim shim, Channel client) {
        this.shim = shim;
        this.client = client;
    }

    /** The connection to the broker stands, or not. */
    void connected(ChannelFuture future) {
        if (!future.isSuccess()) {
            client.close();
            return;
        }
        broker = future.channel();
        if (client.isActive()) {
            client.config().setAutoRead(true);
        } else {
            broker.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf request = (ByteBuf) message;
        Channel to = broker;
        if (to == null || request.readableBytes() < LENGTH + 8) {
            request.release();
            client.close();
            return;
        }
        short api = request.getShort(LENGTH);
        short version = request.getShort(LENGTH + 2);
        int correlation = request.getInt(LENGTH + 4);
        if (api == ApiKeys.PRODUCE.id && shim.hasRules()) {
            produce(request, to);
        } else {
            expect(new Place(api, version, correlation));
            to.write(request, to.voidPromise());
        }
    }

    private void expect(Place place) {
        place.ofBroker = true;
        places.add(place);
        atBroker.add(place);
    }

    private void produce(ByteBuf request, Channel to) {
        try {
            // Parsing refers to the bytes: they have to outlive the buffer.
            ByteBuffer bytes = ByteBuffer.allocate(request.readableBytes() - LENGTH);
            request.getBytes(request.readerIndex() + LENGTH, bytes);
            Produce produce = Produce.read(bytes.flip(), shim.responses()::topicName, shim::isApproximate);
            if (!produce.hasApproximate()) {
                if (produce.wantsAnswer()) {
                    expect(new Place(ApiKeys.PRODUCE.id, produce.version(), produce.correlation()));
                }
                to.write(request.retain(), to.voidPromise());
            } else if (shim.takesApproximate()) {
                split(produce, to);
            } else {
                shim.countPassed(produce.approximateRecords());
                if (produce.wantsAnswer()) {
                    expect(new Place(ApiKeys.PRODUCE.id, produce.version(), produce.correlation()));
                }
                write(to, produce.allExact());
            }
        } finally {
            request.release();
        }
    }

    private void split(Produce produce, Channel to) {
        Place place = new Place(ApiKeys.PRODUCE.id, produce.version(), produce.correlation());
        ByteBuffer exact = produce.exactPart();
        place.takenWanted = true;
        if (produce.wantsAnswer()) {
            places.add(place);
        }
        if (exact != null) {
            if (produce.wantsAnswer()) {
                place.ofBroker = true;
                atBroker.add(place);
            }
            write(to, exact);
        }
        Optional<List<TakenBatches.Batch>> fresh = shim.takenBatches().begin(produce.batches());
        if (fresh.isEmpty()) {
            answerTaken(place, produce, false);
        } else if (fresh.get().isEmpty()) {
            answerTaken(place, produce, true);
        } else {
            shim.take(produce.records(fresh.get()), taken -> {
                shim.takenBatches().end(fresh.get(), taken);
                client.eventLoop().execute(() -> {
                    answerTaken(place, produce, taken);
                    client.flush();
                });
            });
        }
    }

    private void answerTaken(Place place, Produce produce, boolean taken) {
        // A producer tries again after this error, and finds the records travelling as exact ones then.
        Errors error = taken ? Errors.NONE : Errors.NOT_ENOUGH_REPLICAS;
        place.taken = Responses.taken(produce.parts(), error);
        answer();
    }

    private static void write(Channel to, ByteBuffer bytes) {
        ByteBuf length = Unpooled.buffer(LENGTH).writeInt(bytes.remaining());
        to.write(Unpooled.wrappedBuffer(length, Unpooled.wrappedBuffer(bytes)), to.voidPromise());
    }

    /** The broker has answered. */
    void answered(ByteBuf answer) {
        Place place = atBroker.poll();
        if (place == null) {
            answer.release();
            LOG.warning("A broker answered what nobody asked.");
            client.close();
            return;
        }
        place.answer = answer;
        answer();
    }

    private void answer() {
        while (!places.isEmpty() && places.getFirst().complete()) {
            Place place = places.removeFirst();
            ByteBuf answer = place.answer;
            if (place.taken != null) {
                ByteBuffer ofBroker = answer == null ? null : copy(answer);
                write(client, shim.responses().produced(place.correlation, place.version, place.taken, ofBroker));
            } else if (answer != null && Responses.isChanged(place.api)) {
                changed(place, answer);
            } else if (answer != null) {
                client.write(answer, client.voidPromise());
            }
        }
    }

    private void changed(Place place, ByteBuf answer) {
        ByteBuffer changed = shim.responses()
                .change(
                        place.api,
                        place.version,
                        answer.nioBuffer(answer.readerIndex() + LENGTH, answer.readableBytes() - LENGTH));
        if (changed == null) {
            client.write(answer, client.voidPromise());
        } else {
            answer.release();
            write(client, changed);
        }
    }

    private static ByteBuffer copy(ByteBuf answer) {
        ByteBuffer bytes = ByteBuffer.allocate(answer.readableBytes() - LENGTH);
        answer.getBytes(answer.readerIndex() + LENGTH, bytes);
        answer.release();
        return bytes.flip();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (broker != null) {
            broker.flush();
        }
        context.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (broker != null) {
            broker.config().setAutoRead(client.isWritable());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (broker != null) {
            broker.close();
        }
        forget();
    }

    private void forget() {
        for (Place place : places) {
            if (place.answer != null) {
                place.answer.release();
                place.answer = null;
            }
        }
        places.clear();
        atBroker.clear();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.log(Level.FINE, "a client's connection ends", cause);
        context.close();
    }

    /** The broker's side. */
    final class BrokerSide extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            answered((ByteBuf) message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            client.flush();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            client.config().setAutoRead(context.channel().isWritable());
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            client.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            LOG.log(Level.FINE, "a broker's connection ends", cause);
            context.close();
        }
    }
}
