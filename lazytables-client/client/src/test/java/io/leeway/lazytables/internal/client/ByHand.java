package io.leeway.lazytables.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.net.CopyingSender;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.server.ServerCore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Client processes of one worker and one table with a server between them, for tests that deliver messages themselves. */
final class ByHand {

    private final ServerCore server;
    private final List<Client> clients = new ArrayList<>();

    ByHand(int processes, TableSpec spec, Prefetch prefetch) {
        this(processes, spec, prefetch, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    /** With caches of a limited number of rows. */
    ByHand(int processes, TableSpec spec, Prefetch prefetch, int workerRows, int processRows) {
        server = new ServerCore(processes, CombineOps.of(List.of()));
        for (int i = 0; i < processes; i++) {
            clients.add(new Client(
                    spec,
                    new ClientSettings(
                            i, processes, 1, 1, i + 1, prefetch, workerRows, processRows, false, Long.MAX_VALUE)));
        }
    }

    Client client(int number) {
        return clients.get(number);
    }

    /** Delivers until nobody has anything to say. */
    void deliverAll() {
        boolean said = true;
        while (said) {
            said = false;
            for (Client client : clients) {
                said |= client.deliver();
            }
        }
    }

    /** A client process and its connection. */
    final class Client {

        final ClientCore core;
        final ClientTable table;
        private final int number;
        private final ArrayDeque<byte[]> toServer = new ArrayDeque<>();
        private final ArrayDeque<byte[]> toClient = new ArrayDeque<>();

        Client(TableSpec spec, ClientSettings settings) {
            number = settings.process();
            core = new ClientCore(settings);
            table = core.define("t", spec);
            server.onOpen(number);
            core.onOpen(0);
        }

        RowView read(long row) {
            return core.read(core.worker(0), table, row, table.spec.slack());
        }

        void add(long row, long value) {
            core.worker(0).updateLong(table, row, 0, value);
        }

        void clock() {
            core.clock(core.worker(0));
        }

        /** Says what there is to say and takes what there is to hear; whether there was anything. */
        boolean deliver() {
            core.flush(CopyingSender.into(toServer));
            boolean said = !toServer.isEmpty() || !toClient.isEmpty();
            while (!toServer.isEmpty()) {
                byte[] frame = toServer.remove();
                server.onFrame(number, frame, 0, frame.length);
            }
            server.flush(new CopyingSender(
                    (peer, frame) -> clients.get(peer).toClient.add(frame)));
            while (!toClient.isEmpty()) {
                byte[] frame = toClient.remove();
                core.onFrame(0, frame, 0, frame.length);
            }
            assertThat(core.failure()).isNull();
            return said;
        }
    }
}
