package io.leeway.benchmarks.lazytables;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.apps.Application;
import io.leeway.lazytables.apps.Arguments;
import io.leeway.lazytables.apps.Seat;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * Iterations of a set length: each reads all rows of a table, lets time pass as if it computed on a machine of its own, and changes all rows. So
 * several workers on few cores show what delays do, and not what they do to each other. Reads, updates, processes and clocks are real.
 *
 * @param iteration how long an iteration computes
 * @param turn what one worker after the other loses, in each iteration one
 * @param slot how long disruptions are, see {@link Disruption}
 * @param seed of disruptions
 */
record PacedApplication(Duration iteration, Duration turn, Duration slot, long seed) implements Application<Boolean> {

    private static final int ROWS = 64;
    private static final int COLUMNS = 64;

    static PacedApplication of(Arguments arguments, long seed) {
        return new PacedApplication(
                millis(arguments, "iteration-millis"),
                millis(arguments, "turn-millis"),
                millis(arguments, "slot-millis"),
                seed);
    }

    private static Duration millis(Arguments arguments, String name) {
        return Duration.ofMillis(arguments.whole(name, 0, 0, 60_000));
    }

    @Override
    public String name() {
        return "paced";
    }

    @Override
    public String measure() {
        return "iterations";
    }

    @Override
    public int sums() {
        return 1;
    }

    @Override
    public double value(double[] sums) {
        return sums[0];
    }

    @Override
    public Part<Boolean> part(Seat seat) {
        return new Share(seat);
    }

    private final class Share implements Part<Boolean> {

        private final Seat seat;
        private final Table table;
        private final Disruption disruption;
        private final double[] ones = new double[COLUMNS];
        private long began;
        private int iterations;

        Share(Seat seat) {
            this.seat = seat;
            table = seat.table(
                    "paced", TableSpec.dense(CellType.DOUBLE, COLUMNS).rows(ROWS));
            disruption = new Disruption(slot.toNanos(), seed, seat.number());
            Arrays.fill(ones, 1);
        }

        @Override
        public void load() {
            change();
        }

        @Override
        public void work(int block) {
            if (iterations == 0) {
                began = System.nanoTime();
            }
            for (int row = 0; row < ROWS; row++) {
                seat.prefetch(table, row);
            }
            for (int row = 0; row < ROWS; row++) {
                seat.read(table, row);
            }
            await(began + disruption.end(System.nanoTime() - began, iteration.toNanos()));
            change();
            if (iterations % seat.of() == seat.number()) {
                await(System.nanoTime() + turn.toNanos());
            }
            iterations++;
        }

        private void change() {
            for (int row = 0; row < ROWS; row++) {
                seat.worker().incrementRow(table, row, ones);
            }
        }

        private void await(long nanoTime) {
            long left = nanoTime - System.nanoTime();
            while (left > 0) {
                LockSupport.parkNanos(left);
                left = nanoTime - System.nanoTime();
            }
        }

        @Override
        public void measure(double[] sums) {
            sums[0] += iterations;
        }

        /** Whether all iterations of all workers are in all cells. */
        @Override
        public Boolean result() {
            for (int row = 0; row < ROWS; row++) {
                RowView read = seat.read(table, row);
                for (int column = 0; column < COLUMNS; column++) {
                    if (read.get(column) != (1.0 + iterations) * seat.of()) {
                        throw new IllegalStateException("row " + row + " lacks updates, or has too many");
                    }
                }
            }
            return true;
        }
    }
}
