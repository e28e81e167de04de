package io.leeway.lazytables.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.wire.Protocol;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows that are larger than a frame, and answers that cannot be sent: their readers are told, and the others get theirs. */
class LargeRowsTest {

    private static final int LIMIT = 200_000;
    private static final int NONE = Integer.MAX_VALUE;
    private static final TableSpec SPEC = TableSpec.sparse(CellType.DOUBLE).rows(100);

    private final RawClients clients = new RawClients(new ServerCore(2, CombineOps.of(List.of())));

    @BeforeEach
    void twoProcessesOfWhichOneTakesSmallFramesOnly() {
        clients.open(0, 2, LIMIT);
        clients.open(1, 2, NONE);
    }

    @Test
    void whoseReaderCannotTakeItIsToldWhichRowAndWhatToDo() {
        define(SPEC);
        // In two clocks, neither of which would be too much.
        for (int clock = 1; clock <= 2; clock++) {
            clients.update(0, clock, new RowLog(SPEC, 3));
            clients.update(1, clock, log(SPEC, 7, (clock - 1) * 4_000, 4_000));
        }
        clients.ask(0, 3, false, 6, 2);
        clients.ask(1, 3, false, 6, 2);
        clients.update(0, 3, new RowLog(SPEC, 3));
        clients.update(1, 3, new RowLog(SPEC, 3));
        clients.flush();

        assertRefusal("Row 7 of table t takes 80", "at most 200000 bytes", "lazytables.frame.limit of at least 1MB");
        assertThat(clients.heard).contains("1:" + Protocol.ROW, "1:" + Protocol.CLOCKS);
        assertThat(clients.closed).containsExactly(0);
    }

    @Test
    void whatFitsIsSent() {
        define(SPEC);
        clients.update(0, 1, new RowLog(SPEC, 3));
        clients.update(1, 1, log(SPEC, 7, 0, 4_000));
        clients.ask(0, 0, false, 7, 1);
        clients.flush();

        assertThat(clients.heard).contains("0:" + Protocol.ROW);
        assertThat(clients.closed).isEmpty();
    }

    @Test
    void aRowThatOutgrowsAFrameIsNotSentToWhoHadIt() {
        define(SPEC);
        clients.ask(0, 0, true, 7, 1);
        clients.ask(1, 0, true, 7, 1);
        clients.update(0, 1, new RowLog(SPEC, 3));
        clients.update(1, 1, log(SPEC, 7, 0, 8_000));
        clients.flush();

        assertRefusal("Row 7 of table t takes 80");
        assertThat(clients.heard).contains("1:" + Protocol.PUSH);
    }

    @Test
    void aReadWithinARadiusIsToldToo() {
        TableSpec spec = SPEC.maxStep(1_000);
        define(spec);
        clients.update(1, 1, log(spec, 7, 0, 8_000));
        clients.askWithin(0, 7, 1, 0);
        clients.askWithin(1, 7, 1, 1);
        clients.flush();

        assertRefusal("Row 7 of table t takes 80");
        assertThat(clients.heard).contains("1:" + Protocol.BALL);
    }

    @Test
    void aTableWhoseRowsDoNotFitIsRefusedWhenItIsDefined() {
        clients.define(0, TableSpec.dense(CellType.DOUBLE, 10_000));
        clients.flush();

        assertRefusal("A row of table t takes 80000 bytes when all its columns are written", "lazytables.frame.limit");
    }

    @Test
    void denseRowsThatFitAreTaken() {
        clients.define(0, TableSpec.dense(CellType.INT, 10_000));
        clients.flush();

        assertThat(clients.closed).isEmpty();
    }

    @Test
    void whatCannotBeSentToOneIsSentToTheOthers() {
        define(SPEC);
        clients.flush();
        clients.heard.clear();
        clients.ask(0, 0, false, 7, 1);
        clients.ask(1, 0, false, 7, 1);
        clients.flush(clients.new Hearing(0));

        assertThat(clients.heard).containsExactly("1:" + Protocol.ROW);
        assertThat(clients.closed).containsExactly(0);
    }

    private void define(TableSpec spec) {
        clients.define(0, spec);
        clients.define(1, spec);
    }

    private static RowLog log(TableSpec spec, long row, int first, int columns) {
        var log = new RowLog(spec, row);
        for (int i = 0; i < columns; i++) {
            log.updateDouble(first + i, 0.5);
        }
        return log;
    }

    private void assertRefusal(String... texts) {
        assertThat(clients.heard)
                .filteredOn(message -> message.startsWith("0:" + Protocol.REFUSED))
                .singleElement()
                .asString()
                .startsWith("0:" + Protocol.REFUSED + " " + Code.FRAME_TOO_LARGE.number())
                .contains(texts);
    }
}
