package io.leeway.lazytables.apps.mf;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.apps.Application;
import io.leeway.lazytables.apps.Seat;
import java.util.SplittableRandom;

/*
 * Users are shared out with their ratings, and their factors are their worker's own affair; the factors of items are a table. A
 * clock reads the row of each item once, steps over the worker's ratings of it on a copy, and writes the difference.
 *
 * The measure while it runs is the error that the steps met: it costs nothing. The one in the end is the error of the factors.
 */

/** The factorisation over a table. */
public final class FactorApplication implements Application<FactorResult> {

    private static final int SQUARES = 0;
    private static final int CELLS = 1;
    private static final int SUMS = 2;

    /** Beyond this an error is no roughness of the way down. */
    private static final double DIVERGED = 2;

    private final Ratings ratings;
    private final SgdStep step;

    /** For ratings. */
    public FactorApplication(Ratings ratings, int rank, double rate, double lambda) {
        this.ratings = ratings;
        this.step = new SgdStep(rank, (float) rate, (float) lambda);
    }

    @Override
    public String name() {
        return "mf";
    }

    @Override
    public String measure() {
        return "rootMeanSquareError";
    }

    @Override
    public int sums() {
        return SUMS;
    }

    @Override
    public double value(double[] sums) {
        return Math.sqrt(sums[SQUARES] / sums[CELLS]);
    }

    @Override
    public boolean hasDiverged(double first, double now) {
        return !(now <= DIVERGED * first);
    }

    @Override
    public Part<FactorResult> part(Seat seat) {
        return new Share(seat);
    }

    private final class Share implements Part<FactorResult> {

        private final Seat seat;
        private final Table items;
        private final RatingBlock[] blocks;
        private final float[] left;
        private final double[] read;
        private final float[] right;
        private double squares;
        private double cells;

        Share(Seat seat) {
            this.seat = seat;
            items = seat.table(
                    "items", TableSpec.dense(CellType.FLOAT, step.rank()).rows(ratings.items()));
            SplittableRandom random = seat.random();
            int from = seat.from(ratings.users());
            int to = seat.to(ratings.users());
            left = new float[(to - from) * step.rank()];
            Factors.fill(left, seat.settings().seed(), from, step.rank());
            read = new double[step.rank()];
            right = new float[step.rank()];
            blocks = new RatingBlock[seat.settings().blocks()];
            for (int b = 0; b < blocks.length; b++) {
                blocks[b] = RatingBlock.of(ratings, from, to, b, blocks.length, random);
            }
        }

        @Override
        public void load() {
            long seed = seat.settings().seed() ^ FactorReference.ITEM_SEED;
            for (int item = seat.from(ratings.items()); item < seat.to(ratings.items()); item++) {
                for (int k = 0; k < read.length; k++) {
                    read[k] = Factors.initial(seed, item, k, step.rank());
                }
                seat.worker().incrementRow(items, item, read);
            }
        }

        @Override
        public void prefetch(int number) {
            seat.prefetch(items, blocks[number].rows());
        }

        @Override
        public void work(int number) {
            RatingBlock block = blocks[number];
            for (int place = 0; place < block.items(); place++) {
                fetch(block.item(place));
                squares += block.descend(step, place, left, right, 0);
                for (int k = 0; k < read.length; k++) {
                    read[k] = right[k] - read[k];
                }
                seat.worker().incrementRow(items, block.item(place), read);
            }
            cells += block.size();
        }

        private void fetch(int item) {
            seat.read(items, item).copyTo(read);
            for (int k = 0; k < read.length; k++) {
                right[k] = (float) read[k];
            }
        }

        @Override
        public void measure(double[] sums) {
            sums[SQUARES] += squares;
            sums[CELLS] += cells;
            squares = 0;
            cells = 0;
        }

        @Override
        public void finish(double[] sums) {
            for (RatingBlock block : blocks) {
                for (int place = 0; place < block.items(); place++) {
                    fetch(block.item(place));
                    sums[SQUARES] += block.squares(step, place, left, right, 0);
                }
                sums[CELLS] += block.size();
            }
        }

        @Override
        public FactorResult result() {
            float[] all = new float[ratings.items() * step.rank()];
            for (int item = 0; item < ratings.items(); item++) {
                fetch(item);
                System.arraycopy(right, 0, all, item * step.rank(), step.rank());
            }
            return new FactorResult(all, step.rank());
        }
    }
}
