package io.leeway.lazytables.apps.mf;

import io.leeway.lazytables.apps.AliasTable;
import io.leeway.lazytables.apps.BadInputException;
import java.util.BitSet;
import java.util.SplittableRandom;

/** Ratings that follow from known factors of low rank and noise; few items have most of them. */
public final class SyntheticRatings {

    private static final double ZIPF = 0.8;

    private SyntheticRatings() {}

    /**
     * Draws some; the same arguments give the same. The true values have variance one.
     *
     * @param perUser how many items each user rates
     * @param noise standard deviation of what the factors do not explain: no model has a smaller error on cells it never saw
     */
    public static Ratings generate(int users, int items, int perUser, int rank, double noise, long seed) {
        if (perUser > items / 2) {
            throw new BadInputException("a user cannot rate " + perUser + " of " + items
                    + " items; at most half of the items can be rated");
        }
        var random = new SplittableRandom(seed);
        float[] left = factors(users, rank, random);
        float[] right = factors(items, rank, random);
        AliasTable popularity = AliasTable.zipf(items, ZIPF);
        int[] order = AliasTable.permutation(items, random);
        int n = users * perUser;
        int[] user = new int[n];
        int[] item = new int[n];
        float[] value = new float[n];
        var rated = new BitSet(items);
        for (int u = 0, at = 0; u < users; u++) {
            rated.clear();
            while (at < (u + 1) * perUser) {
                int i = order[popularity.draw(random)];
                if (!rated.get(i)) {
                    rated.set(i);
                    user[at] = u;
                    item[at] = i;
                    value[at++] =
                            (float) (SgdStep.dot(left, u * rank, right, i * rank, rank) + noise * gaussian(random));
                }
            }
        }
        return new Ratings(users, items, user, item, value);
    }

    private static float[] factors(int n, int rank, SplittableRandom random) {
        float[] factors = new float[n * rank];
        // The sum over the rank of products of two such numbers has variance one.
        double scale = Math.pow(rank, -0.25);
        for (int i = 0; i < factors.length; i++) {
            factors[i] = (float) (scale * gaussian(random));
        }
        return factors;
    }

    /** By Box and Muller; 17's SplittableRandom has one too, whose values may change between releases. */
    private static double gaussian(SplittableRandom random) {
        return Math.sqrt(-2 * Math.log(1 - random.nextDouble())) * Math.cos(2 * Math.PI * random.nextDouble());
    }
}
