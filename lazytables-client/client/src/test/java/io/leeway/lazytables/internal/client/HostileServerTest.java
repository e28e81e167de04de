package io.leeway.lazytables.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.net.CopyingSender;
import io.leeway.lazytables.internal.net.Outbox;
import io.leeway.lazytables.internal.net.RowsMessage;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What a client process does with rows that a sound server does not send, and with such that it does not want. */
class HostileServerTest {

    private static final TableSpec SPEC = TableSpec.dense(CellType.INT, 40).rows(50);
    private static final int ROWS = 10;

    private ClientCore client = begun();
    private ClientTable table = client.define("t", SPEC);

    @Test
    void garbageEndsTheProcessOrIsTakenWithoutAnyOtherFault() {
        RandomGenerator random = Seeds.random("hostile-server");
        int refused = 0;
        for (int i = 0; i < 5_000; i++) {
            client = begun();
            table = client.define("t", SPEC);
            ask();
            byte[] bad = frame(random.nextBoolean() ? Protocol.ROW : Protocol.PUSH, 0);
            for (int change = random.nextInt(3); change >= 0; change--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            byte[] cut = random.nextBoolean() ? bad : Arrays.copyOf(bad, random.nextInt(bad.length));
            client.onFrame(0, cut, 0, cut.length);
            LazyTablesException failure = client.failure();
            if (failure != null) {
                refused++;
                assertThat(failure.code()).isEqualTo(LazyTablesException.Code.PROTOCOL);
            }
        }

        assertThat(refused).isBetween(1, 4_999);
    }

    @Test
    void rowsAreTakenAlsoBehindSuchThatNobodyWants() {
        ask(3, 7);
        receive(frame(Protocol.ROW, 0));

        assertThat(client.failure()).isNull();
        assertThat(value(3)).isEqualTo(103);
        assertThat(value(7)).isEqualTo(107);
        assertThat(client.read(client.worker(0), table, 5, TableSpec.ASYNC)).isNull();
    }

    @Test
    void rowsThatAreSentAndNotWantedAreForgottenOnce() {
        ask(3, 7);
        receive(frame(Protocol.ROW, 0));
        receive(frame(Protocol.PUSH, 1));

        var frames = new ArrayList<byte[]>();
        client.flush(CopyingSender.into(frames));
        assertThat(client.failure()).isNull();
        assertThat(frames).hasSize(1);
        // A kind, a length of four bytes, a table and a row for each.
        assertThat(frames.get(0)).hasSize((ROWS - 2) * 7);
        client.clock(client.worker(0));
        assertThat(value(7)).isEqualTo(1_107);
    }

    private long value(long row) {
        RowView view = client.read(client.worker(0), table, row, TableSpec.ASYNC);
        assertThat(view).isNotNull();
        return view.getLong(4);
    }

    private void ask(long... rows) {
        client.refresh(table, rows, 0, 0);
        client.flush(CopyingSender.into(new ArrayList<>()));
    }

    private void ask() {
        ask(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    private void receive(byte[] frame) {
        client.onFrame(0, frame, 0, frame.length);
    }

    /** A message about the first rows, whole ones or, above version 0, a changed column of each. */
    private static byte[] frame(int kind, int before) {
        var outbox = new Outbox();
        var rows = new RowsMessage(outbox);
        for (int i = 0; i < ROWS; i++) {
            var values = new Row(SPEC);
            WireBuffer out = rows.row(kind, 0, before, 0, i);
            out.putVar(before + 1);
            out.putVar(before);
            values.updateLong(4, before * 1_000L + 100 + i);
            values.updateLong(i, 1);
            if (before == 0) {
                values.write(out);
            } else {
                values.writeColumns(new int[] {4}, out);
            }
            rows.end();
        }
        List<byte[]> frames = new ArrayList<>();
        outbox.sendTo(CopyingSender.into(frames), 0);
        return frames.get(0);
    }

    private static ClientCore begun() {
        return Clients.welcomed(1, Prefetch.pushed());
    }
}
