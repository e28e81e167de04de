package io.leeway.lazytables.internal.cli;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.Worker;
import java.util.List;

/** A program as users write them: it does not know who it is before it is told. Counts with the others; one may fail. */
final class RunnableProgram {

    private static final int CLOCKS = 20;

    private RunnableProgram() {}

    /** {@code count} or {@code fail NUMBER}. */
    public static void main(String[] typed) {
        List<String> words = List.of(typed);
        System.out.println("pid " + ProcessHandle.current().pid());
        try (LazyTables tables = LazyTables.connect()) {
            Table table = tables.table("counts", TableSpec.dense(CellType.LONG, 1));
            Worker worker = tables.worker(0);
            String me = System.getenv("LAZYTABLES_PROCESS");
            for (int clock = 0; clock < CLOCKS; clock++) {
                for (long row = 0; row < 8; row++) {
                    worker.increment(table, row, 0, 1);
                }
                worker.clock();
                worker.getLong(table, 0, 0, 0);
                if (words.get(0).equals("fail") && clock == 3 && words.get(1).equals(me)) {
                    System.out.println("fails");
                    System.exit(7);
                }
            }
            long total = 0;
            for (long row = 0; row < 8; row++) {
                total += worker.getLong(table, row, 0, 0);
            }
            System.out.println("total " + total);
            // The one that leaves would take its part of the clock with it.
            worker.clock();
            worker.getLong(table, 0, 0, 0);
        }
    }
}
