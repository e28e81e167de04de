package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.net.CopyingSender;
import io.leeway.lazytables.internal.net.Outbox;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.row.SpecCodec;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Client processes of one worker that say what a test wants said, without a network; each has its process's number as its peer's. */
final class RawClients {

    final ServerCore server;
    /** What was heard: the peer, a colon and the message's kind, with the number and the text of a refusal. */
    final List<String> heard = new ArrayList<>();

    final List<Integer> closed = new ArrayList<>();
    private final Outbox outbox = new Outbox();
    /** What is done to each frame before it arrives; nothing if not said. */
    UnaryOperator<byte[]> underway = UnaryOperator.identity();

    RawClients(ServerCore server) {
        this.server = server;
    }

    void open(int process, int processes, int frameLimit) {
        open(process, processes, frameLimit, 0);
    }

    /** Lets a process in that may be replaced, so that its updates wait until it commits them. */
    void openResuming(int process, int processes) {
        open(process, processes, Integer.MAX_VALUE, Protocol.COMMITS | Protocol.ASKS);
        resume(process, 1, 0);
    }

    /** Answers where the process goes on: in the first leg of a run without an identity, and skips no clock. */
    void resume(int process, int generation, int clock) {
        send(process, Protocol.RESUME, out -> {
            put(out, generation, clock, 0, 0);
            out.putLong(0);
        });
    }

    private void open(int process, int processes, int frameLimit, int flags) {
        server.onOpen(process, frameLimit);
        send(process, Protocol.HELLO, out -> {
            put(out, Protocol.VERSION, flags, 0, process, processes, 1);
            out.putLong(process + 1L);
            put(out, 0, 0, 1);
        });
    }

    /** Defines the only table. */
    void define(int process, TableSpec spec) {
        send(process, Protocol.TABLE, out -> {
            out.putVar(0);
            out.putText("t");
            SpecCodec.write(spec, out);
        });
    }

    /** Completes a clock, which has the same number as its only update. */
    void update(int process, int clock, RowLog... logs) {
        update(process, clock, clock, logs);
    }

    void update(int process, int sequence, int clock, RowLog... logs) {
        send(process, Protocol.UPDATE, out -> {
            put(out, sequence, clock, 1, 1, 0, logs.length);
            for (RowLog log : logs) {
                log.write(out);
            }
        });
    }

    /** Asks for as many rows, from a first one on. */
    void ask(int process, int clock, boolean subscribes, int first, int count) {
        send(process, Protocol.READ, out -> {
            put(out, 0, clock, subscribes ? 1 : 0);
            for (int i = 0; i < count; i++) {
                out.putSigned(i == 0 ? first : 1);
                out.putVar(0);
            }
        });
    }

    void askWithin(int process, int row, int clock, int allowed) {
        send(process, Protocol.WITHIN, out -> put(out, 0, row, clock, allowed));
    }

    void flush() {
        flush(new Hearing());
    }

    void flush(CopyingSender sender) {
        server.flush(sender);
    }

    void send(int process, int kind, Consumer<WireBuffer> body) {
        body.accept(outbox.begin(kind));
        outbox.end();
        List<byte[]> frames = new ArrayList<>();
        outbox.sendTo(CopyingSender.into(frames), 0);
        byte[] frame = underway.apply(frames.get(0));
        server.onFrame(process, frame, 0, frame.length);
    }

    static void put(WireBuffer out, int... numbers) {
        for (int number : numbers) {
            out.putVar(number);
        }
    }

    private void hear(int peer, byte[] bytes) {
        var frame = new WireReader();
        var message = new WireReader();
        frame.open(bytes, 0, bytes.length);
        while (frame.more()) {
            int kind = frame.getByte();
            frame.slice(frame.getInt(), message);
            heard.add(peer + ":" + kind
                    + (kind == Protocol.REFUSED
                            ? " " + message.getVar() + " " + message.getText("The reason", Protocol.MAX_TEXT)
                            : ""));
        }
    }

    /** Hears all, and takes no offence at connections that are closed. */
    class Hearing extends CopyingSender {

        Hearing() {
            this(-1);
        }

        /** Of one peer nothing is heard: to send to it fails. */
        Hearing(int broken) {
            super((peer, frame) -> {
                if (peer == broken) {
                    throw new IllegalStateException("no memory");
                }
                hear(peer, frame);
            });
        }

        @Override
        public void close(int peer) {
            closed.add(peer);
        }
    }
}
