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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A row that a server sends to several processes when it changes, of which each has another version. */
class ManyReadersTest {

    private static final int READERS = 3;
    private static final int PROCESSES = READERS + 1;

    private final ServerCore server = new ServerCore(PROCESSES, CombineOps.of(List.of()));
    private final List<ArrayDeque<byte[]>> answers = new ArrayList<>();
    private final List<Client> readers = new ArrayList<>();
    private final Client writer;

    ManyReadersTest() {
        for (int i = 0; i < PROCESSES; i++) {
            answers.add(new ArrayDeque<>());
        }
        for (int i = 0; i < READERS; i++) {
            readers.add(new Client(i));
        }
        writer = new Client(READERS);
        readers.forEach(Client::deliver);
        writer.deliver();
    }

    @Test
    void eachIsSentWhatItLacks() {
        readOneAfterTheOther();
        writer.add(READERS);

        clockAll();

        readers.forEach(reader -> reader.has(1, 1, 1, 1));
    }

    @Test
    void eachIsSentWhatItLacksWhenTheFirstIsGoneAndComesBack() {
        readOneAfterTheOther();
        // The last takes its place.
        readers.get(0).breakConnection();
        writer.add(READERS);

        clockAll();

        readers.get(1).has(1, 1, 1, 1);
        readers.get(2).has(1, 1, 1, 1);
        assertThat(readers.get(0).read()).isNull();
        readers.get(0).deliver();
        readers.get(0).has(1, 1, 1, 1);
        // It is sent what changes from now on, once more.
        writer.add(0);
        clockAll();
        readers.forEach(reader -> reader.has(2, 1, 1, 1));
    }

    /** Before each but the first the row changes, and no clock is complete. */
    private void readOneAfterTheOther() {
        for (int i = 0; i < READERS; i++) {
            writer.add(i);
            assertThat(readers.get(i).read()).isNull();
            readers.get(i).deliver();
            assertThat(readers.get(i).read()).isNotNull();
        }
    }

    private void clockAll() {
        readers.forEach(Client::clock);
        // What the last one completes is sent to the others.
        readers.forEach(Client::deliver);
        readers.forEach(Client::deliver);
    }

    /** A client process with one worker and its connection. */
    private final class Client {

        private final int number;
        private final ClientCore core;
        private final ArrayDeque<byte[]> toServer = new ArrayDeque<>();
        private final ClientTable table;

        Client(int number) {
            this.number = number;
            core = new ClientCore(new ClientSettings(
                    number,
                    PROCESSES,
                    1,
                    1,
                    number + 1,
                    Prefetch.pushed(),
                    Integer.MAX_VALUE,
                    Integer.MAX_VALUE,
                    false,
                    Long.MAX_VALUE));
            table = core.define("t", TableSpec.dense(CellType.LONG, PROCESSES));
            server.onOpen(number);
            core.onOpen(0);
        }

        RowView read() {
            return core.read(core.worker(0), table, 0, 0);
        }

        void has(long... values) {
            RowView row = read();
            assertThat(row).isNotNull();
            for (int column = 0; column < values.length; column++) {
                assertThat(row.getLong(column))
                        .as("column %d of reader %d", column, number)
                        .isEqualTo(values[column]);
            }
        }

        void clock() {
            core.clock(core.worker(0));
        }

        void add(int column) {
            core.worker(0).updateLong(table, 0, column, 1);
            clock();
            deliver();
        }

        void breakConnection() {
            server.onClosed(number, null);
            core.onClosed(0, null);
            answers.get(number).clear();
            server.onOpen(number);
            core.onOpen(0);
            deliver();
        }

        /** All that there is to say is said, and answered. */
        void deliver() {
            core.flush(CopyingSender.into(toServer));
            ArrayDeque<byte[]> own = answers.get(number);
            while (!toServer.isEmpty() || !own.isEmpty()) {
                while (!toServer.isEmpty()) {
                    byte[] frame = toServer.remove();
                    server.onFrame(number, frame, 0, frame.length);
                }
                server.flush(
                        new CopyingSender((peer, frame) -> answers.get(peer).add(frame)));
                while (!own.isEmpty()) {
                    byte[] frame = own.remove();
                    core.onFrame(0, frame, 0, frame.length);
                }
                assertThat(core.failure()).isNull();
                core.flush(CopyingSender.into(toServer));
            }
        }
    }
}
