package io.leeway.approx.internal.gateway;

import io.leeway.approx.WindowReport;
import io.leeway.approx.atp.Ack;
import io.leeway.approx.atp.AtpReceiver;
import io.leeway.approx.atp.Control;
import io.leeway.approx.atp.GroupSpec;
import io.leeway.approx.atp.JobReport;
import io.leeway.approx.atp.Packet;
import io.leeway.approx.internal.wire.Datagrams;
import io.leeway.approx.internal.wire.Frame;
import io.leeway.approx.internal.wire.Packets;
import io.leeway.approx.internal.wire.RecordData;
import io.leeway.approx.internal.wire.ReplayWindow;
import io.leeway.approx.internal.wire.Seal;
import io.leeway.approx.internal.wire.Sums;
import io.leeway.approx.internal.wire.Window;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** One shim's session at the gateway. All on the gateway's thread, but for what the sink runs when a record is written. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes its channel, which is told to the handler
final class Session {

    private static final Logger LOG = Logger.getLogger(Session.class.getName());
    private static final long ACK_DELAY = 250_000;

    private record GroupOf(int job, int group) {}

    /** Where answers go that travel by datagram. */
    interface Out {
        void datagram(ByteBuffer bytes, InetSocketAddress to);
    }

    private final long id;
    private final byte[] upSecret;
    private final byte[] downSecret;
    private final Seal up;
    private final Seal down;
    private final ReplayWindow replays = new ReplayWindow();
    private final AtpReceiver<byte[]> receiver;
    private final boolean mark;
    private final Sink sink;
    private final Out out;
    private final ScheduledExecutorService loop;
    private final Map<Integer, Frame.Opened> windows = new HashMap<>();
    /** Of the groups of open jobs. */
    private final Map<GroupOf, Landing> landings = new HashMap<>();

    private final AtomicLong written = new AtomicLong();
    private final ByteBuffer plain = ByteBuffer.allocate(1 << 16);
    private long nextNumber;
    private long received;
    private @Nullable InetSocketAddress peer;
    private @Nullable Channel control;
    private boolean overTcp;
    private long wakeAt = Long.MAX_VALUE;
    private List<Sums> closing = List.of();
    private List<Control.Totals> totals = List.of();
    private byte[] sketches = new byte[0];

    /** Packets by queue, to see which classes are used. */
    private final long[] packets = new long[8];

    long forged;
    long leftAt;

    Session(
            long id,
            byte[] upSecret,
            byte[] downSecret,
            long capacity,
            boolean mark,
            Sink sink,
            Out out,
            ScheduledExecutorService loop) {
        this.id = id;
        this.upSecret = upSecret;
        this.downSecret = downSecret;
        up = new Seal(upSecret);
        down = new Seal(downSecret);
        this.mark = mark;
        this.sink = sink;
        this.out = out;
        this.loop = loop;
        receiver = new AtpReceiver<>(capacity, ACK_DELAY, new ReceiverSide());
    }

    Frame.Welcome welcome(int port) {
        return new Frame.Welcome(Datagrams.VERSION, id, upSecret, downSecret, port, received);
    }

    void attach(Channel channel) {
        if (control != null && control != channel) {
            control.close();
        }
        control = channel;
    }

    void detach(Channel channel, long now) {
        if (control == channel) {
            control = null;
            leftAt = now;
        }
    }

    /** Closes the socket at once: the thread that TLS would say its good-byes on is about to end. */
    void cut() {
        if (control != null) {
            control.unsafe().close(control.unsafe().voidPromise());
        }
    }

    boolean left() {
        return control == null;
    }

    long held() {
        return receiver.held();
    }

    long drops() {
        return receiver.drops();
    }

    long[] packets() {
        return packets.clone();
    }

    void frame(Frame frame, long now) {
        if (frame instanceof Frame.Opened opened) {
            if (isNext(opened.number())) {
                windows.put(opened.open().job(), opened);
                receiver.onControl(opened.open(), now);
            }
        } else if (frame instanceof Frame.Closed closed) {
            if (isNext(closed.number())) {
                closing = closed.sums();
                totals = closed.close().groups();
                sketches = closed.sketches();
                receiver.onControl(closed.close(), now);
                windows.remove(closed.close().job());
            }
        } else if (frame instanceof Frame.Data data) {
            overTcp = true;
            Packets.read(ByteBuffer.wrap(data.packets()), packet -> packet(packet, now));
        }
    }

    /** Whether a numbered frame is new; the shim repeats those that it does not know of when it comes back. */
    private boolean isNext(long number) {
        if (number <= received) {
            return false;
        }
        received = number;
        if (control != null) {
            control.writeAndFlush(new Frame.Received(number));
        }
        return true;
    }

    /** A datagram of this session has come. False if it is forged, or a copy. */
    boolean datagram(ByteBuffer bytes, InetSocketAddress from, long now) {
        byte first = bytes.get(bytes.position());
        long number = bytes.getLong(bytes.position() + 9);
        ByteBuffer clear = bytes.duplicate();
        clear.limit(bytes.position() + Datagrams.HEADER);
        bytes.position(bytes.position() + Datagrams.HEADER);
        plain.clear();
        if (!up.open(number, clear, bytes, plain)) {
            forged++;
            return false;
        }
        if (!replays.accept(number)) {
            return false;
        }
        // Only what is sealed with the session's key tells where it is: nobody else can have answers sent to others.
        peer = from;
        plain.flip();
        if (Datagrams.kind(first) == Datagrams.PROBE) {
            answer(Datagrams.ECHO, ByteBuffer.allocate(0));
        } else if (Datagrams.kind(first) == Datagrams.DATA) {
            overTcp = false;
            Packets.read(plain, packet -> packet(packet, now));
        }
        return true;
    }

    private void packet(Packet<byte[]> packet, long now) {
        packets[packet.queue()]++;
        receiver.onPacket(packet, now);
    }

    private void answer(int kind, ByteBuffer body) {
        if (peer == null) {
            return;
        }
        ByteBuffer bytes = ByteBuffer.allocate(Datagrams.HEADER + body.remaining() + Seal.TAG);
        Datagrams.header(bytes, kind, id, nextNumber);
        ByteBuffer clear = bytes.duplicate().flip();
        down.seal(nextNumber, clear, body, bytes);
        nextNumber++;
        out.datagram(bytes.flip(), peer);
    }

    private void consumed() {
        long bytes = written.getAndSet(0);
        if (bytes > 0) {
            receiver.consumed(bytes, System.nanoTime());
        }
    }

    private void wake() {
        wakeAt = Long.MAX_VALUE;
        receiver.onTimer(System.nanoTime());
    }

    /**
     * The shim will not come back: its open windows are over. Of their records is known how many there were at least; none
     * counts as delivered, as where a gateway was started anew, though those that came are in the topic.
     *
     * @return how many windows that are
     */
    int abandon() {
        windows.forEach((job, opened) -> {
            for (int i = 0; i < opened.open().groups().size(); i++) {
                GroupSpec group = opened.open().groups().get(i);
                Window window = opened.window();
                sink.report(new WindowReport(
                        window.topic(),
                        window.from(),
                        window.to(),
                        i < window.groups().size() ? window.groups().get(i) : "all",
                        source(job),
                        group.msr(),
                        Math.max(1, receiver.atLeast(job, group.id())),
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        Double.NaN,
                        Double.NaN,
                        0,
                        "",
                        0,
                        ""));
            }
        });
        int over = windows.size();
        windows.clear();
        landings.clear();
        return over;
    }

    /** When all that came of a group is written or refused. What no broker holds is not delivered. */
    private WindowReport told(
            Window window,
            String name,
            int job,
            JobReport.Group group,
            Control.@Nullable Totals totals,
            Sums sums,
            String sketches,
            Landing landed) {
        long delivered = group.delivered() - landed.refused();
        long bytesDelivered = group.bytesDelivered() - landed.refusedBytes();
        return new WindowReport(
                window.topic(),
                window.from(),
                window.to(),
                name,
                source(job),
                group.msr(),
                group.messages(),
                delivered,
                group.bytesOffered(),
                bytesDelivered,
                totals == null ? group.biasZ() : totals.biasZ(delivered, bytesDelivered),
                sums.values(),
                sums.sum(),
                sums.squares(),
                sums.least(),
                sums.most(),
                group.resent(),
                sketches,
                landed.refused(),
                landed.why());
    }

    private String source(int job) {
        return Long.toHexString(id) + "/" + job;
    }

    /** What the protocol asks for. */
    private final class ReceiverSide implements AtpReceiver.Output<byte[]> {
        @Override
        public void deliver(int job, int group, int message, int length, List<byte @Nullable []> parts) {
            RecordData record;
            try {
                record = RecordData.decode(ByteBuffer.wrap(join(parts, length)));
            } catch (IllegalArgumentException e) {
                LOG.log(Level.FINE, "a message that is no record", e);
                forged++;
                done(length, loop);
                return;
            }
            Landing landing = landings.computeIfAbsent(new GroupOf(job, group), unused -> new Landing());
            landing.begun();
            sink.write(mark ? record.with(mark(job)) : record, refused -> {
                landing.landed(length, refused);
                done(length, loop);
            });
        }

        private RecordData.Header mark(int job) {
            return new RecordData.Header(WindowReport.SOURCE_HEADER, source(job).getBytes(StandardCharsets.UTF_8));
        }

        private void done(int length, Executor on) {
            if (written.getAndAdd(length) == 0) {
                on.execute(Session.this::consumed);
            }
        }

        private byte[] join(List<byte @Nullable []> parts, int length) {
            byte[] first = parts.get(0);
            if (parts.size() == 1 && first != null && first.length == length) {
                return first;
            }
            ByteBuffer whole = ByteBuffer.allocate(parts.stream()
                    .mapToInt(part -> part == null ? 0 : part.length)
                    .sum());
            parts.forEach(part -> {
                if (part != null) {
                    whole.put(part);
                }
            });
            return whole.array();
        }

        @Override
        public void ack(Ack ack) {
            ByteBuffer body = ByteBuffer.allocate(Datagrams.ACK);
            Datagrams.ack(body, ack);
            if (overTcp) {
                if (control != null) {
                    control.writeAndFlush(new Frame.Acknowledged(body.array()));
                }
            } else {
                answer(Datagrams.ACKNOWLEDGEMENT, body.flip());
            }
        }

        @Override
        public void closed(JobReport report) {
            Frame.Opened opened = windows.get(report.job());
            if (opened == null) {
                return;
            }
            Window window = opened.window();
            for (int i = 0; i < report.groups().size(); i++) {
                JobReport.Group group = report.groups().get(i);
                Sums sums = i < closing.size() ? closing.get(i) : Sums.NONE;
                String name = i < window.groups().size() ? window.groups().get(i) : "all";
                String inBase64 = i == 0 ? Base64.getEncoder().encodeToString(sketches) : "";
                Control.Totals all = i < totals.size() ? totals.get(i) : null;
                Landing landing = landings.remove(new GroupOf(report.job(), group.group()));
                (landing == null ? new Landing() : landing)
                        .end(landed ->
                                sink.report(told(window, name, report.job(), group, all, sums, inBase64, landed)));
            }
        }

        @Override
        public void wakeAt(long time) {
            if (time < wakeAt) {
                wakeAt = time;
                loop.schedule(Session.this::wake, Math.max(0, time - System.nanoTime()), TimeUnit.NANOSECONDS);
            }
        }

        @Override
        public void released(byte @Nullable [] payload) {
            // Its memory goes back by itself.
        }
    }
}
