package io.leeway.lazytables.apps.mf;

import java.util.SplittableRandom;

/**
 * The factorisation in one thread, in plain arrays: what a run with tables is compared with.
 *
 * <p>Not for several threads.
 */
public final class FactorReference {

    /** The rows of items have numbers behind those of users where first values are drawn. */
    static final long ITEM_SEED = 0x5851F42D4C957F2DL;

    private final SgdStep step;
    private final RatingBlock block;
    private final float[] left;
    private final float[] right;

    /** With small factors at random. */
    public FactorReference(Ratings ratings, int rank, double rate, double lambda, long seed) {
        step = new SgdStep(rank, (float) rate, (float) lambda);
        block = RatingBlock.of(ratings, 0, ratings.users(), 0, 1, new SplittableRandom(seed));
        left = new float[ratings.users() * rank];
        right = new float[ratings.items() * rank];
        Factors.fill(left, seed, 0, rank);
        Factors.fill(right, seed ^ ITEM_SEED, 0, rank);
    }

    /** One pass over all cells; returns the root of the mean squared error that it met. */
    public double pass() {
        double squares = 0;
        for (int place = 0; place < block.items(); place++) {
            squares += block.descend(step, place, left, right, block.item(place) * step.rank());
        }
        return Math.sqrt(squares / block.size());
    }

    /** What is minimised, by known cell. */
    public double objective() {
        double sum = 0;
        for (int place = 0; place < block.items(); place++) {
            sum += block.objective(step, place, left, right, block.item(place) * step.rank());
        }
        return sum / block.size();
    }

    /** Root of the mean squared error over other cells. */
    public double rootMeanSquare(Ratings ratings) {
        return Factors.rootMeanSquare(ratings, left, right, step.rank());
    }
}
