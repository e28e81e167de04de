package io.leeway.lazytables.apps.lasso;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.apps.Application;
import io.leeway.lazytables.apps.BadInputException;
import io.leeway.lazytables.apps.Seat;
import java.util.stream.LongStream;

/*
 * Features are shared out, neighbours together, since they are alike. The residual is a table that all read and change, in rows of
 * CHUNK samples; so are the weights, each of which only its worker changes. A clock reads the residual once, steps over the worker's
 * features on a copy that follows its own steps as if the others did the same (see CoordinateStep), and writes what they really did.
 */

/** The sparse regression over tables. */
public final class LassoApplication implements Application<double[]> {

    /** Cells of a row: few enough for a message, many enough that its head does not matter. */
    static final int CHUNK = 1024;

    private static final int HALF_SQUARES = 0;
    private static final int PENALTY = 1;
    private static final int CHANGE = 2;
    private static final int SUMS = 3;

    private final Design design;
    private final double lambda;
    private final double damping;
    private final double rest;

    /**
     * For a design.
     *
     * @param damping of steps, above zero; as many workers as one over this may work at once
     * @param rest the sum of changes of weights in a pass below which the run ends, relative to lambda
     */
    public LassoApplication(Design design, double lambda, double damping, double rest) {
        if (!(lambda > 0) || !(damping > 0) || damping > 1 || !(rest >= 0)) {
            throw new BadInputException("lambda is " + lambda + ", damping " + damping + " and rest " + rest
                    + "; lambda must be above zero, damping within 0 to 1, rest not below zero");
        }
        this.design = design;
        this.lambda = lambda;
        this.damping = damping;
        this.rest = rest;
    }

    @Override
    public String name() {
        return "lasso";
    }

    @Override
    public String measure() {
        return "objective";
    }

    @Override
    public int sums() {
        return SUMS;
    }

    @Override
    public double value(double[] sums) {
        return sums[HALF_SQUARES] + sums[PENALTY];
    }

    @Override
    public boolean isAtRest(double[] sums) {
        return sums[CHANGE] <= rest;
    }

    @Override
    public boolean mustSettle() {
        return true;
    }

    @Override
    public boolean hasDiverged(double first, double now) {
        // With no weights at all the objective is half the square of the target; nothing that gets on is much above.
        return !(now <= 2 * Math.max(first, LassoObjective.squares(design.targets()) / 2));
    }

    @Override
    public Part<double[]> part(Seat seat) {
        return new Share(seat);
    }

    private final class Share implements Part<double[]> {

        private final Seat seat;
        private final Table residuals;
        private final Table weights;
        private final CoordinateStep step = new CoordinateStep(design, lambda, damping);
        private final int from;
        private final int to;
        private final double[] weight;
        private final double[] read = new double[design.samples()];
        private final double[] residual = new double[design.samples()];
        private final double[] chunk = new double[CHUNK];
        private double change;

        Share(Seat seat) {
            this.seat = seat;
            residuals = seat.table("residual", TableSpec.dense(CellType.DOUBLE, CHUNK));
            weights = seat.table("weights", TableSpec.sparse(CellType.DOUBLE).rows(1));
            from = seat.from(design.features());
            to = seat.to(design.features());
            weight = new double[to - from];
        }

        @Override
        public void load() {
            if (seat.number() == 0) {
                double[] target = design.targets();
                write(target, new double[target.length], 1);
            }
        }

        private void write(double[] now, double[] before, double factor) {
            for (int start = 0; start < now.length; start += CHUNK) {
                boolean isChanged = false;
                for (int i = 0; i < CHUNK; i++) {
                    double by = start + i < now.length ? factor * (now[start + i] - before[start + i]) : 0;
                    chunk[i] = by;
                    isChanged |= by != 0;
                }
                if (isChanged) {
                    seat.worker().incrementRow(residuals, start / CHUNK, chunk);
                }
            }
        }

        /** All of the residual, whatever the block. */
        @Override
        public void prefetch(int block) {
            seat.prefetch(
                    residuals,
                    LongStream.rangeClosed(0, (read.length - 1) / CHUNK).toArray());
        }

        private void fetch(double[] into) {
            for (int start = 0; start < into.length; start += CHUNK) {
                seat.read(residuals, start / CHUNK).copyTo(chunk);
                System.arraycopy(chunk, 0, into, start, Math.min(CHUNK, into.length - start));
            }
        }

        @Override
        public void work(int block) {
            int blocks = seat.settings().blocks();
            int first = from + (int) ((long) (to - from) * block / blocks);
            int behind = from + (int) ((long) (to - from) * (block + 1) / blocks);
            fetch(read);
            System.arraycopy(read, 0, residual, 0, read.length);
            for (int j = first; j < behind; j++) {
                double before = weight[j - from];
                double now = step.apply(j, before, residual);
                if (now != before) {
                    weight[j - from] = now;
                    change += Math.abs(now - before);
                    seat.worker().put(weights, 0, j, now);
                }
            }
            write(residual, read, damping);
        }

        @Override
        public void measure(double[] sums) {
            for (double each : weight) {
                sums[PENALTY] += lambda * Math.abs(each);
            }
            sums[CHANGE] += change;
            change = 0;
            if (seat.number() == 0) {
                prefetch(0);
                fetch(read);
                sums[HALF_SQUARES] += LassoObjective.squares(read) / 2;
            }
        }

        @Override
        public double[] result() {
            double[] all = new double[design.features()];
            RowView row = seat.read(weights, 0);
            for (int i = 0; i < row.entries(); i++) {
                all[row.columnAt(i)] = row.valueAt(i);
            }
            return all;
        }
    }
}
