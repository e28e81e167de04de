package io.leeway.lazytables.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.net.CopyingSender;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.server.ServerCore;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows that a server sends when they change, to a process whose cache is too small for them; every message is delivered by hand. */
class PushedRowsTest {

    private static final int READER = 0;
    private static final int WRITER = 1;

    private final ServerCore server = new ServerCore(2, CombineOps.of(List.of()));
    private final Client reader = new Client(READER, Prefetch.pushed(), 1);
    private final Client writer = new Client(WRITER, Prefetch.NONE, Integer.MAX_VALUE);

    @Test
    void aRowThatComesUnaskedIsNoAnswerToAQuestionThatIsUnderWay() {
        reader.deliver();
        writer.deliver();
        reader.read(0, TableSpec.ASYNC);
        reader.deliver();
        reader.clock();
        reader.read(1, TableSpec.ASYNC);
        reader.deliver();
        reader.clock();
        reader.deliver();
        // There is no room for row 0 any more, which the server goes on to send when it changes. It is asked for again.
        reader.keep(1);
        reader.read(0, TableSpec.ASYNC);
        reader.flush();

        // It changes and is sent, and dropped once more; then it changes again, and is not wanted.
        writer.addToRow0();
        reader.receive();
        reader.clock();
        writer.addToRow0();
        reader.receive();
        reader.flush();
        // The question arrives, and that the row is not wanted, but not the question after that.
        int sent = reader.toServer.size();
        reader.read(0, TableSpec.ASYNC);
        reader.flush();
        reader.serve(sent);
        writer.addToRow0();
        reader.receive();

        RowView row = reader.read(0, 0);
        assertThat(row).isNotNull();
        assertThat(row.getLong(0)).isEqualTo(3);
    }

    /** A client process with one worker and its connection. */
    private final class Client {

        private final int number;
        private final ClientCore core;
        private final ArrayDeque<byte[]> toServer = new ArrayDeque<>();
        private final ArrayDeque<byte[]> toClient = new ArrayDeque<>();
        private final ClientTable table;

        Client(int number, Prefetch prefetch, int rows) {
            this.number = number;
            core = new ClientCore(new ClientSettings(
                    number, 2, 1, 1, number + 1, prefetch, Integer.MAX_VALUE, rows, false, Long.MAX_VALUE));
            table = core.define("t", TableSpec.dense(CellType.LONG, 1));
            server.onOpen(number);
            core.onOpen(0);
        }

        RowView read(long row, int slack) {
            return core.read(core.worker(0), table, row, slack);
        }

        /** Reads a row that is in the cache, so that another one goes first. */
        void keep(long row) {
            assertThat(read(row, TableSpec.ASYNC)).isNotNull();
        }

        void clock() {
            core.clock(core.worker(0));
        }

        void addToRow0() {
            core.worker(0).updateLong(table, 0, 0, 1);
            clock();
            deliver();
        }

        /** All that there is to say is said, and answered. */
        void deliver() {
            flush();
            while (!toServer.isEmpty() || !toClient.isEmpty()) {
                serve(toServer.size());
                receive();
                flush();
            }
        }

        void flush() {
            core.flush(CopyingSender.into(toServer));
        }

        void serve(int frames) {
            for (int i = 0; i < frames; i++) {
                byte[] frame = toServer.remove();
                server.onFrame(number, frame, 0, frame.length);
            }
            server.flush(new CopyingSender((peer, frame) -> (peer == READER ? reader : writer).toClient.add(frame)));
        }

        void receive() {
            while (!toClient.isEmpty()) {
                byte[] frame = toClient.remove();
                core.onFrame(0, frame, 0, frame.length);
            }
            assertThat(core.failure()).isNull();
        }
    }
}
