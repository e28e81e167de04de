package io.leeway.lazytables.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.spi.CombineOp;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a server does with updates of a process that it drops. */
class DroppedProcessTest {

    private static final TableSpec SPEC = TableSpec.dense(CellType.LONG, 3).op(new Sum());

    @Test
    void anOperationThatFailsWhenAProcessIsDroppedEndsTheRun() {
        var clients = new RawClients(ServerCore.recoverable(2, CombineOps.of(List.of(new Sum()))));
        clients.openResuming(0, 2);
        clients.openResuming(1, 2);
        clients.define(0, SPEC);
        clients.define(1, SPEC);
        // One row that can be combined, and one that cannot: the clock would be there by half.
        clients.update(1, 2, 1, log(1, 4), log(2, -4));
        clients.server.onClosed(1, null);
        clients.server.expire(1, 1);

        assertThatThrownBy(() -> clients.server.expire(3, 1)).isInstanceOf(ArithmeticException.class);
        clients.flush();

        assertThat(clients.heard)
                .filteredOn(message -> message.startsWith("0:" + Protocol.REFUSED))
                .singleElement()
                .asString()
                .contains(" " + Code.FAILED.number() + " The server failed at an update", "no roots");
        assertThatThrownBy(clients.server::snapshot).isInstanceOf(IllegalStateException.class);
    }

    private static RowLog log(long row, long value) {
        var log = new RowLog(SPEC, row);
        log.updateLong(0, value);
        return log;
    }

    /** Of numbers that are not negative. */
    private record Sum() implements CombineOp {

        @Override
        public String name() {
            return "SUM";
        }

        @Override
        public long identityLong() {
            return 0;
        }

        @Override
        public double identityDouble() {
            return 0;
        }

        @Override
        public long combine(long a, long b) {
            if (Math.min(a, b) < 0 && isInServer()) {
                throw new ArithmeticException("no roots of negative numbers");
            }
            return a + b;
        }

        private static boolean isInServer() {
            return StackWalker.getInstance()
                    .walk(frames ->
                            frames.anyMatch(frame -> frame.getClassName().equals(ServerCore.class.getName())));
        }

        @Override
        public double combine(double a, double b) {
            return a + b;
        }
    }
}
