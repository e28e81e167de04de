package io.leeway.lazytables.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.net.CopyingSender;
import io.leeway.lazytables.internal.net.Outbox;
import io.leeway.lazytables.internal.net.RowsMessage;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.testkit.Seeds;
import java.util.ArrayDeque;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Rows that are copied for several clients, against such that are written for each. */
class PushMessageTest {

    private static final int CLOCK = 300;
    private static final TableSpec SPEC = TableSpec.dense(CellType.INT, 80);

    @Test
    void eachClientIsSentItsOwnWhateverTheOneBeforeItWasSent() {
        RandomGenerator random = Seeds.random("push-message");
        var rows = new ServerTable("t", SPEC);
        var message = new PushMessage(CLOCK);
        for (int step = 0; step < 500; step++) {
            long key = random.nextInt(5);
            var log = new RowLog(SPEC, key);
            log.updateLong(random.nextInt(80), 1L + random.nextInt(100));
            rows.update(0, 1, log);
            message.clear();
            for (int client = 0; client < 5; client++) {
                var to = new Subscription(new Session(client), random.nextInt(2), key);
                long version = rows.version(key);
                to.version = Math.max(0, version - random.nextInt(3));
                Member member = new Member(client, 1);
                member.hasSaid(1_000L + random.nextInt(2));
                var sent = new Outbox();
                message.send(rows, key, to, member, new RowsMessage(sent));

                var expected = new Outbox();
                var one = new RowsMessage(expected);
                rows.answer(key, CLOCK, to.version, one.row(Protocol.PUSH, to.table, CLOCK, member.applied(), key));
                expected.end();
                assertThat(bytes(sent)).isEqualTo(bytes(expected));
            }
        }
    }

    private static byte[] bytes(Outbox outbox) {
        var frames = new ArrayDeque<byte[]>();
        outbox.sendTo(CopyingSender.into(frames), 0);
        return frames.remove();
    }
}
