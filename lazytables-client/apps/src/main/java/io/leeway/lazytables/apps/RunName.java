package io.leeway.lazytables.apps;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import java.security.SecureRandom;

/** A name that no other run has, which the first worker gives and all workers record: by it a report knows which files belong together. For one worker's thread. */
final class RunName {

    private static final String TABLE = "run";

    private final Seat seat;
    private final Table table;

    RunName(Seat seat) {
        this.seat = seat;
        table = seat.table(TABLE, TableSpec.dense(CellType.LONG, 1));
    }

    /** Gives the name, in the clock in which first values are loaded. */
    void give() {
        if (seat.number() == 0) {
            // Not by the seed: runs with the same one are not the same run.
            seat.worker().increment(table, 0, 0, new SecureRandom().nextLong() | 1);
        }
    }

    /** The name, as all know it who have met. */
    String read() {
        return Long.toHexString(seat.read(table, 0).getLong(0));
    }
}
