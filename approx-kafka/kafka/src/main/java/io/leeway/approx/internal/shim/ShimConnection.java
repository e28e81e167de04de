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
import java.util.concurrent.TimeUnit;
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
 *
 * <p>What is taken for sampling cannot be refused any more. So before the first records of a topic are taken the broker is
 * asked what the topic takes; they, and what comes after them, wait {@value #ASKING_MILLIS} ms for that at most.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes its channel, which is told to the handler
final class ShimConnection extends ChannelInboundHandlerAdapter {

    private static final Logger LOG = Logger.getLogger(ShimConnection.class.getName());
    private static final int LENGTH = 4;
    private static final long ASKING_MILLIS = 2_000;

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

        /** What the shim itself has asked; it has no place among the client's. */
        @Nullable
        LimitsQuestion question;

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
    /** Requests that wait until it is known what their topics take. */
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>();

    private @Nullable Channel broker;
    private @Nullable LimitsQuestion waited;

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
        if (waited != null) {
            held.add(request);
        } else {
            deal(request, to);
        }
    }

    private void deal(ByteBuf request, Channel to) {
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
            boolean takes = !produce.topics().isEmpty() && shim.takesApproximate();
            if (takes && !ask(produce.topics(), to)) {
                held.addFirst(request.retain());
                return;
            }
            produce.split(takes ? shim::takes : (topic, records) -> true);
            shim.countPassed(produce.passed());
            if (produce.hasApproximate() && takes) {
                split(produce, to);
                return;
            }
            if (produce.wantsAnswer()) {
                expect(new Place(ApiKeys.PRODUCE.id, produce.version(), produce.correlation()));
            }
            if (produce.hasApproximate()) {
                shim.countPassed(produce.approximateRecords());
                write(to, produce.allExact());
            } else if (produce.passed() > 0) {
                write(to, produce.allExact());
            } else {
                to.write(request.retain(), to.voidPromise());
            }
        } finally {
            request.release();
        }
    }

    /** Asks what topics take, if it is not known or was asked long ago; false if the answer has to be waited for. */
    private boolean ask(List<String> topics, Channel to) {
        List<String> due = shim.limits().due(topics, System.nanoTime());
        if (!due.isEmpty()) {
            ask(new LimitsQuestion(due), to);
        }
        return shim.limits().isKnown(topics);
    }

    private void ask(LimitsQuestion question, Channel to) {
        short metadata = shim.responses().metadataVersion();
        short configs = shim.responses().configsVersion();
        if (metadata < LimitsQuestion.LEAST_METADATA || configs < LimitsQuestion.LEAST_CONFIGS) {
            giveUp(question);
            return;
        }
        expect(question, ApiKeys.METADATA, metadata);
        write(to, question.metadata(metadata));
        expect(question, ApiKeys.DESCRIBE_CONFIGS, configs);
        write(to, question.configs(configs));
        if (!shim.limits().isKnown(question.topics())) {
            waited = question;
            client.eventLoop()
                    .schedule(
                            () -> {
                                if (waited == question) {
                                    giveUp(question);
                                    goOn();
                                }
                            },
                            ASKING_MILLIS,
                            TimeUnit.MILLISECONDS);
        }
    }

    private void expect(LimitsQuestion question, ApiKeys api, short version) {
        Place place = new Place(api.id, version, 0);
        place.question = question;
        atBroker.add(place);
    }

    private void giveUp(LimitsQuestion question) {
        shim.limits().giveUp(question.topics(), System.nanoTime());
    }

    private void answered(LimitsQuestion question, Place place, ByteBuf answer) {
        try {
            question.answered(place.api, place.version, copy(answer));
        } catch (RuntimeException e) {
            LOG.log(Level.FINE, "an answer about topics that cannot be read", e);
            giveUp(question);
        }
        if (question.isAnswered()) {
            long now = System.nanoTime();
            question.topics().forEach(topic -> shim.limits().put(topic, question.limits(topic), now));
        }
        if (waited == question && shim.limits().isKnown(question.topics())) {
            goOn();
        }
    }

    /** Deals with what has waited, until something has to wait again. */
    private void goOn() {
        waited = null;
        while (broker != null && waited == null && !held.isEmpty()) {
            deal(held.removeFirst(), broker);
        }
        if (broker != null) {
            broker.flush();
        }
        client.flush();
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
        if (place.question != null) {
            answered(place.question, place, answer);
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
        try {
            ByteBuffer bytes = ByteBuffer.allocate(answer.readableBytes() - LENGTH);
            answer.getBytes(answer.readerIndex() + LENGTH, bytes);
            return bytes.flip();
        } finally {
            answer.release();
        }
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
        held.forEach(ByteBuf::release);
        held.clear();
        if (waited != null) {
            // Whatever it was that ended the connection: the next one does not ask again.
            giveUp(waited);
            waited = null;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // What clients send may be anything, and connections break; that classes do not fit together one has to be
        // told, as
        // clients see nothing but connections that end.
        Level level = cause instanceof LinkageError ? Level.WARNING : Level.FINE;
        LOG.log(level, "a client's connection ends", cause);
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
