package io.leeway.lazytables.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.net.FrameSender;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A connection that has room for one frame at a time. */
class NarrowLinkTest {

    private static final int ROWS = 4_000;
    private static final int COLUMNS = 100;

    private final ClientCore client = Clients.welcomed(1, Prefetch.NONE);
    private final ClientTable table = client.define("t", TableSpec.dense(CellType.DOUBLE, COLUMNS));
    private final OneFrame sender = new OneFrame();

    @Test
    void aLargeClockStaysInTheLogAndGoesOutPieceByPiece() {
        clock(ROWS);
        client.flush(sender);
        client.flush(sender);
        assertThat(sender.kinds).containsExactly(Protocol.HELLO, Protocol.TABLE, Protocol.UPDATE);
        assertThat(client.describeFull(0)).contains("are for server 0, which takes them slowly: not all are sent");

        while (sender.isFull) {
            sender.isFull = false;
            client.flush(sender);
        }

        assertThat(sender.kinds.subList(0, 2)).containsExactly(Protocol.HELLO, Protocol.TABLE);
        assertThat(sender.kinds.subList(2, sender.kinds.size()))
                .hasSizeGreaterThanOrEqualTo(4)
                .containsOnly(Protocol.UPDATE);
        assertThat(sender.largest).isLessThanOrEqualTo(1 << 20);
        assertThat(sender.rows).isEqualTo(ROWS);
        assertThat(client.describeFull(0)).contains("has not stored a snapshot that holds them");
    }

    @Test
    void smallClocksThatWaitedShareAFrame() {
        sender.isFull = true;
        for (int i = 0; i < 5; i++) {
            clock(1);
            client.flush(sender);
        }
        assertThat(sender.frames).isZero();

        sender.isFull = false;
        client.flush(sender);
        sender.isFull = false;
        client.flush(sender);

        assertThat(sender.kinds)
                .containsExactly(
                        Protocol.HELLO,
                        Protocol.TABLE,
                        Protocol.UPDATE,
                        Protocol.UPDATE,
                        Protocol.UPDATE,
                        Protocol.UPDATE,
                        Protocol.UPDATE);
        assertThat(sender.frames).isEqualTo(2);
    }

    private void clock(int rows) {
        WorkerCore worker = client.worker(0);
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                worker.updateDouble(table, row, column, 1.5);
            }
        }
        client.clock(worker);
    }

    /** Takes a frame, and then none before it is emptied. */
    private static final class OneFrame implements FrameSender {

        final List<Integer> kinds = new ArrayList<>();
        int frames;
        int largest;
        int rows;
        boolean isFull;

        @Override
        public boolean send(int peer, byte[] buffer, int offset, int length) {
            assertThat(isFull).isFalse();
            isFull = true;
            frames++;
            largest = Math.max(largest, length);
            var frame = new WireReader();
            var message = new WireReader();
            frame.open(buffer, offset, length);
            while (frame.more()) {
                kinds.add(frame.getByte());
                frame.slice(frame.getInt(), message);
                rows += kinds.get(kinds.size() - 1) == Protocol.UPDATE ? rows(message) : 0;
            }
            return true;
        }

        /** Of an update of the only table. */
        private static int rows(WireReader message) {
            // The sequence, the clock, whether it is the clock's last, that it has a table, and which.
            for (int i = 0; i < 5; i++) {
                message.getVar();
            }
            return message.getInt("The number of rows", 1, ROWS);
        }

        @Override
        public boolean hasRoom(int peer) {
            return !isFull;
        }

        @Override
        public void close(int peer) {
            throw new AssertionError("nobody closes");
        }
    }
}
