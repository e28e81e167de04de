package io.leeway.lazytables.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.wire.Protocol;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is sent unasked to a client that is slow to take it. */
class SlowSubscriberTest {

    private static final int SLOW = 1;
    private static final String ROW = SLOW + ":" + Protocol.PUSH;
    private static final String CLOCKS = SLOW + ":" + Protocol.CLOCKS;
    private static final TableSpec SPEC = TableSpec.dense(CellType.LONG, 3);

    private final RawClients clients = new RawClients(new ServerCore(2, CombineOps.of(List.of())));

    @BeforeEach
    void twoClientsOfWhichOneIsSentARow() {
        for (int process = 0; process < 2; process++) {
            clients.open(process, 2, 1 << 20);
            clients.define(process, SPEC);
        }
        clients.ask(SLOW, 0, true, 0, 1);
        clients.flush();
    }

    @Test
    void aRowThatChangesAgainAndAgainIsSentEachTimeThatThereIsRoom() {
        for (int clock = 1; clock <= 6; clock += 3) {
            // There is room for the first, which takes it.
            changeIn(clock, 0);
            changeIn(clock + 1, 0);
            changeIn(clock + 2, 0);

            assertThat(heardWithRoomFor(1)).containsExactly(ROW, CLOCKS);
            assertThat(heardWithRoomFor(9)).containsExactly(CLOCKS, ROW, CLOCKS);
            assertThat(heardWithRoomFor(9)).isEmpty();
        }
    }

    private void changeIn(int clock, int room) {
        var log = new RowLog(SPEC, 0);
        log.updateLong(0, 1);
        clients.update(0, clock, log);
        clients.update(SLOW, clock);
        clients.flush(room(room));
    }

    private List<String> heardWithRoomFor(int frames) {
        clients.heard.clear();
        clients.flush(room(frames));
        var heard = new ArrayList<>(clients.heard);
        heard.removeIf(message -> !message.startsWith(SLOW + ":"));
        return heard;
    }

    private RawClients.Hearing room(int frames) {
        return clients.new Hearing() {
            private int left = frames;

            @Override
            public boolean hasRoom(int peer) {
                return peer != SLOW || left-- > 0;
            }
        };
    }
}
