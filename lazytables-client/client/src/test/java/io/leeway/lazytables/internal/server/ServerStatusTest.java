package io.leeway.lazytables.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.Statistics;
import io.leeway.lazytables.internal.net.FrameSender;
import io.leeway.lazytables.internal.net.Outbox;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerStatusTest {

    private static final ServerStatus STATUS = new ServerStatus(
            3,
            7,
            2,
            true,
            11,
            List.of(
                    new ServerStatus.OfProcess(0, ServerStatus.State.CONNECTED, 4, 9, 1L << 40),
                    new ServerStatus.OfProcess(2, ServerStatus.State.DROPPED, 1, 7, 5)),
            List.of(new ServerStatus.OfTable("wörter", "dense, 3 columns of int", 1_000_000, 4)),
            new Statistics.Traffic(1, 2, 1L << 50, 4));

    @Test
    void comesOutAsItWentIn() {
        var out = new WireBuffer(16);
        STATUS.write(out);

        assertThat(ServerStatus.read(reader(out.array(), out.size()))).isEqualTo(STATUS);
    }

    @Test
    void whatIsCutOffIsRefused() {
        var out = new WireBuffer(16);
        STATUS.write(out);
        for (int length = 0; length < out.size(); length++) {
            WireReader cut = reader(out.array(), length);
            assertThatThrownBy(() -> ServerStatus.read(cut)).isInstanceOf(WireException.class);
        }
    }

    @Test
    void aServerAnswersWhoIsNoClientProcessAndDoesNotCountIt() {
        var server = new ServerCore(2, CombineOps.of(List.of()));
        server.countsTraffic(() -> new Statistics.Traffic(1, 2, 3, 4));
        server.onOpen(5);
        ask(server, 5, Protocol.VERSION);
        List<byte[]> answers = flush(server);

        assertThat(answers).hasSize(1);
        byte[] frame = answers.get(0);
        WireReader in = reader(frame, frame.length);
        assertThat(in.getByte()).isEqualTo(Protocol.IS);
        in.getInt();
        assertThat(in.getVar()).isEqualTo(Protocol.VERSION);
        assertThat(ServerStatus.read(in))
                .isEqualTo(
                        new ServerStatus(2, 0, 0, false, 0, List.of(), List.of(), new Statistics.Traffic(1, 2, 3, 4)));
        assertThat(server.status().connected()).isZero();
    }

    @Test
    void anotherVersionIsRefused() {
        var server = new ServerCore(2, CombineOps.of(List.of()));
        server.onOpen(5);
        ask(server, 5, Protocol.VERSION + 1);

        assertThat(flush(server))
                .singleElement()
                .satisfies(frame -> assertThat(frame[0]).isEqualTo((byte) Protocol.REFUSED));
    }

    private static void ask(ServerCore server, int peer, int version) {
        var outbox = new Outbox();
        outbox.begin(Protocol.STATUS).putVar(version);
        outbox.end();
        outbox.sendTo(
                new FrameSender() {
                    @Override
                    public boolean send(int to, byte[] buffer, int offset, int length) {
                        server.onFrame(to, buffer, offset, length);
                        return true;
                    }

                    @Override
                    public boolean hasRoom(int to) {
                        return true;
                    }

                    @Override
                    public void close(int to) {}
                },
                peer);
    }

    private static List<byte[]> flush(ServerCore server) {
        var frames = new ArrayList<byte[]>();
        server.flush(new FrameSender() {
            @Override
            public boolean send(int peer, byte[] buffer, int offset, int length) {
                frames.add(Arrays.copyOfRange(buffer, offset, offset + length));
                return true;
            }

            @Override
            public boolean hasRoom(int peer) {
                return true;
            }

            @Override
            public void close(int peer) {}
        });
        return frames;
    }

    private static WireReader reader(byte[] bytes, int length) {
        var reader = new WireReader();
        reader.open(bytes, 0, length);
        return reader;
    }
}
