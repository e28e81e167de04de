package io.leeway.lazytables.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.testkit.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Messages of every kind, whole or cut, of which some bytes are others: the server takes them or sends their client away, and goes on for the others. */
class HostileMessagesTest {

    private static final CombineOps OPS = CombineOps.of(List.of());
    private static final List<CellType> TYPES = List.of(CellType.values());
    private static final int RUNS = 20_000;
    private static final int COLUMNS = 40;

    private final RandomGenerator random = Seeds.random("hostile-messages");

    @Test
    void whateverComesTheOthersAreAnsweredAndTheServerCanBeRestored() {
        int refused = 0;
        int taken = 0;
        for (int run = 0; run < RUNS; run++) {
            TableSpec spec = spec();
            var clients = new RawClients(new ServerCore(2, OPS));
            for (int process = 0; process < 2; process++) {
                clients.open(process, 2, Integer.MAX_VALUE);
                clients.define(process, spec);
                clients.update(process, 1, log(spec));
            }
            clients.underway = this::changed;
            send(clients, spec);
            clients.underway = bytes -> bytes;
            clients.flush();
            refused += clients.closed.contains(1) ? 1 : 0;
            taken += clients.closed.isEmpty() ? 1 : 0;

            clients.heard.clear();
            clients.ask(0, 0, false, 0, 1);
            clients.flush();
            assertThat(clients.heard).contains("0:" + Protocol.ROW);
            assertThat(ServerCore.restore(clients.server.snapshot(), OPS).globalClock())
                    .isEqualTo(clients.server.globalClock());
        }

        assertThat(refused).isGreaterThan(RUNS / 10);
        assertThat(taken).isGreaterThan(RUNS / 10);
    }

    private TableSpec spec() {
        CellType type = TYPES.get(random.nextInt(TYPES.size()));
        TableSpec spec = random.nextBoolean() ? TableSpec.dense(type, COLUMNS) : TableSpec.sparse(type);
        return switch (random.nextInt(4)) {
            case 0 -> spec.asStrict();
            case 1 -> spec.maxStep(1_000);
            default -> spec;
        };
    }

    /** A sound message of the second process, before bytes of it are changed. */
    private void send(RawClients clients, TableSpec spec) {
        switch (random.nextInt(9)) {
            case 0 -> clients.open(1, 2, Integer.MAX_VALUE);
            case 1 -> clients.define(1, spec);
            case 2 -> clients.ask(1, random.nextInt(3), random.nextBoolean(), 0, 1 + random.nextInt(4));
            case 3 -> clients.askWithin(1, 0, random.nextInt(3), random.nextInt(3));
            case 4 -> clients.send(1, Protocol.BYE, out -> out.putVar(2));
            case 5 ->
                clients.send(
                        1,
                        random.nextBoolean() ? Protocol.COMMIT : Protocol.RESUME,
                        out -> RawClients.put(out, 1, 1, 0));
            case 6 ->
                clients.send(
                        1, random.nextBoolean() ? Protocol.STORE : Protocol.FORGET, out -> RawClients.put(out, 0, 0));
            default -> clients.update(1, 2, log(spec), log(spec));
        }
    }

    private RowLog log(TableSpec spec) {
        var log = new RowLog(spec, random.nextInt(3));
        for (int i = random.nextInt(COLUMNS); i >= 0; i--) {
            int column = random.nextInt(COLUMNS);
            if (random.nextInt(8) > 0 || spec.maxStep() > 0) {
                log.updateLong(column, random.nextInt(5));
            } else {
                log.putLong(column, random.nextInt(1_000));
            }
        }
        return log;
    }

    private byte[] changed(byte[] sound) {
        byte[] bad = sound.clone();
        for (int change = random.nextInt(3); change >= 0; change--) {
            bad[random.nextInt(bad.length)] = (byte) random.nextInt();
        }
        return random.nextInt(4) > 0 ? bad : Arrays.copyOf(bad, random.nextInt(bad.length));
    }
}
