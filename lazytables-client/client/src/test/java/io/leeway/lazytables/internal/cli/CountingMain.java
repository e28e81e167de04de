package io.leeway.lazytables.internal.cli;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.Worker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/**
 * A client process that adds one to each of ten rows in each clock, and says how far it is. Arguments: clocks, slack, options as {@code key=value}.
 *
 * <p>It reads from its input up to which clock it may go, line by line. It prints {@code clock N} after each clock and {@code total N} in the end, which it reads with slack 0.
 */
public final class CountingMain {

    static final int ROWS = 10;

    private CountingMain() {}

    /** Counts. */
    public static void main(String[] arguments) throws IOException {
        int clocks = Integer.parseInt(arguments[0]);
        int slack = Integer.parseInt(arguments[1]);
        LazyTables.Builder builder = LazyTables.builder().timeout(Duration.ofMinutes(2));
        Arrays.stream(arguments).skip(2).forEach(option -> {
            int equals = option.indexOf('=');
            builder.option("lazytables." + option.substring(0, equals), option.substring(equals + 1));
        });
        try (LazyTables tables = builder.connect()) {
            Table table = tables.table("counts", TableSpec.dense(CellType.LONG, 1));
            Worker worker = tables.worker(0);
            System.out.println("begins at " + worker.clocks());
            System.out.flush();
            var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            int allowed = 0;
            while (worker.clocks() < clocks) {
                while (allowed <= worker.clocks()) {
                    allowed = Integer.parseInt(String.valueOf(input.readLine()));
                }
                for (long row = 0; row < ROWS; row++) {
                    worker.increment(table, row, 0, 1);
                }
                worker.clock();
                worker.getLong(table, worker.clocks() % ROWS, 0, slack);
                System.out.println("clock " + worker.clocks());
                System.out.flush();
            }
            long total = 0;
            for (long row = 0; row < ROWS; row++) {
                total += worker.getLong(table, row, 0, 0);
            }
            // Leaves when the others have read, too.
            worker.clock();
            worker.getLong(table, 0, 0, 0);
            System.out.println("total " + total);
            tables.end();
        }
    }
}
