package io.leeway.approx.internal.wire;

import io.leeway.approx.atp.Control;
import io.leeway.approx.atp.GroupSpec;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What travels on the control connection. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public sealed interface Frame {

    /** Longest frame that is read, in bytes. */
    int LONGEST = 1 << 20;

    /**
     * The client's first frame.
     *
     * @param oldest the oldest version it speaks
     * @param newest the newest
     * @param token what proves that it may
     * @param session the session to go on with, or 0 for a new one
     * @param client who it says it is, for people
     */
    record Hello(int oldest, int newest, byte[] token, long session, String client) implements Frame {}

    /**
     * The gateway's answer.
     *
     * @param version the version that is spoken
     * @param session the session
     * @param upSecret of datagrams to the gateway
     * @param downSecret of datagrams from it
     * @param port where it takes datagrams
     * @param received the last numbered frame that it has of this session
     */
    record Welcome(int version, long session, byte[] upSecret, byte[] downSecret, int port, long received)
            implements Frame {}

    /**
     * The gateway will not.
     *
     * @param code a code of {@code ApproxError}
     * @param text why
     */
    record Refused(String code, String text) implements Frame {}

    /**
     * A job begins.
     *
     * @param number grows from frame to frame of a session
     * @param open the job
     * @param window what it is to the application
     */
    record Opened(long number, Control.Open open, Window window) implements Frame {}

    /**
     * A job is over.
     *
     * @param number grows from frame to frame of a session
     * @param close its totals
     * @param sums of the values of its groups, in the order of the totals
     * @param sketches of all records of the job; no bytes if there are none
     */
    record Closed(long number, Control.Close close, List<Sums> sums, byte[] sketches) implements Frame {
        public Closed {
            sums = List.copyOf(sums);
        }
    }

    /**
     * Packets, where datagrams do not come through.
     *
     * @param packets as in a datagram
     */
    record Data(byte[] packets) implements Frame {}

    /**
     * An acknowledgement of such packets.
     *
     * @param ack as in a datagram
     */
    record Acknowledged(byte[] ack) implements Frame {}

    /**
     * The gateway has numbered frames.
     *
     * @param number up to this
     */
    record Received(long number) implements Frame {}

    /** Writes a frame: its kind and its fields, without its length. */
    static byte[] encode(Frame frame) {
        FrameWriter out = new FrameWriter();
        if (frame instanceof Hello hello) {
            out.kind(1)
                    .number(hello.oldest)
                    .number(hello.newest)
                    .bytes(hello.token)
                    .number(hello.session)
                    .text(hello.client);
        } else if (frame instanceof Welcome welcome) {
            out.kind(2)
                    .number(welcome.version)
                    .number(welcome.session)
                    .bytes(welcome.upSecret)
                    .bytes(welcome.downSecret);
            out.number(welcome.port).number(welcome.received);
        } else if (frame instanceof Refused refused) {
            out.kind(3).text(refused.code).text(refused.text);
        } else if (frame instanceof Opened opened) {
            out.kind(4).number(opened.number);
            open(out, opened);
        } else if (frame instanceof Closed closed) {
            out.kind(5).number(closed.number);
            close(out, closed);
        } else if (frame instanceof Data data) {
            out.kind(6).bytes(data.packets);
        } else if (frame instanceof Acknowledged acknowledged) {
            out.kind(7).bytes(acknowledged.ack);
        } else if (frame instanceof Received received) {
            out.kind(8).number(received.number);
        }
        return out.toBytes();
    }

    private static void open(FrameWriter out, Opened opened) {
        out.number(opened.open.job())
                .text(opened.window.topic())
                .number(opened.window.from())
                .number(opened.window.to());
        out.number(opened.open.groups().size());
        for (int i = 0; i < opened.open.groups().size(); i++) {
            GroupSpec group = opened.open.groups().get(i);
            out.number(group.id()).real(group.msr()).number(group.expected()).number(group.exact() ? 1 : 0);
            out.text(opened.window.groups().get(i));
        }
    }

    private static void close(FrameWriter out, Closed closed) {
        out.number(closed.close.job()).number(closed.close.groups().size());
        for (int i = 0; i < closed.close.groups().size(); i++) {
            Control.Totals totals = closed.close.groups().get(i);
            Sums sums = closed.sums.get(i);
            out.number(totals.group())
                    .real(totals.msr())
                    .number(totals.messages())
                    .number(totals.bytes());
            out.real(totals.squares())
                    .number(totals.sent())
                    .number(totals.resent())
                    .number(totals.promised() ? 1 : 0);
            out.number(sums.values())
                    .real(sums.sum())
                    .real(sums.squares())
                    .real(sums.least())
                    .real(sums.most());
        }
        out.bytes(closed.sketches);
    }

    /**
     * Reads a frame.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    static Frame decode(ByteBuffer in) {
        try {
            FrameReader from = new FrameReader(in);
            Frame frame = switch (in.get()) {
                case 1 -> new Hello(from.integer(), from.integer(), from.bytes(), from.number(), from.text());
                case 2 ->
                    new Welcome(
                            from.integer(), from.number(), from.bytes(), from.bytes(), from.integer(), from.number());
                case 3 -> new Refused(from.text(), from.text());
                case 4 -> opened(from);
                case 5 -> closed(from);
                case 6 -> new Data(from.bytes());
                case 7 -> new Acknowledged(from.bytes());
                case 8 -> new Received(from.number());
                default -> throw new IllegalArgumentException("an unknown kind of frame");
            };
            if (in.hasRemaining()) {
                throw new IllegalArgumentException(in.remaining() + " bytes behind a frame");
            }
            return frame;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a frame that is cut short", e);
        }
    }

    private static Opened opened(FrameReader from) {
        long number = from.number();
        int job = from.integer();
        String topic = from.text();
        long begin = from.number();
        long end = from.number();
        int count = from.count();
        List<GroupSpec> groups = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            groups.add(new GroupSpec(from.integer(), from.real(), from.number(), from.number() == 1));
            names.add(from.text());
        }
        return new Opened(number, new Control.Open(job, groups), new Window(topic, begin, end, names));
    }

    private static Closed closed(FrameReader from) {
        long number = from.number();
        int job = from.integer();
        int count = from.count();
        List<Control.Totals> groups = new ArrayList<>();
        List<Sums> sums = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            groups.add(new Control.Totals(
                    from.integer(),
                    from.real(),
                    from.number(),
                    from.number(),
                    from.real(),
                    from.number(),
                    from.number(),
                    from.number() == 1));
            sums.add(new Sums(from.number(), from.real(), from.real(), from.real(), from.real()));
        }
        return new Closed(number, new Control.Close(job, groups), sums, from.bytes());
    }

    /** Reads fields. */
    final class FrameReader {
        private static final int MOST_GROUPS = 4_096;

        private final ByteBuffer in;

        FrameReader(ByteBuffer in) {
            this.in = in;
        }

        long number() {
            return in.getLong();
        }

        int integer() {
            long value = in.getLong();
            if ((int) value != value) {
                throw new IllegalArgumentException("not an int: " + value);
            }
            return (int) value;
        }

        int count() {
            int count = integer();
            if (count < 0 || count > MOST_GROUPS) {
                throw new IllegalArgumentException(count + " groups");
            }
            return count;
        }

        double real() {
            return in.getDouble();
        }

        byte[] bytes() {
            int length = in.getInt();
            if (length < 0 || length > in.remaining()) {
                throw new IllegalArgumentException(
                        "a length of " + length + " where " + in.remaining() + " bytes are left");
            }
            byte[] bytes = new byte[length];
            in.get(bytes);
            return bytes;
        }

        String text() {
            return new String(bytes(), StandardCharsets.UTF_8);
        }
    }
}
