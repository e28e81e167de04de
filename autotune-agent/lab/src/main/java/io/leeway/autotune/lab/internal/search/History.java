package io.leeway.autotune.lab.internal.search;

import io.leeway.autotune.lab.Space;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.hipparchus.random.SobolSequenceGenerator;

/**
 * What was tried, in the order in which it was asked for. Everything that an optimiser does follows from this: there is
 * no state that a killed run could lose, and one seed gives one sequence.
 *
 * @param space what is searched
 * @param budget how many trials there will be
 * @param seed of all randomness
 * @param points snapped
 * @param scores lower is better; trials that failed, broke a limit or are not over have a score that a worst one would
 *     have, so that every score is finite
 * @param good whether the score is a measured one that may be the best
 */
@SuppressWarnings("ArrayRecordComponent") // Points are arrays, and histories are never compared.
public record History(Space space, int budget, long seed, List<double[]> points, double[] scores, boolean[] good) {

    /** Sobol's sequence is tabulated up to here. */
    private static final int SOBOL_DIMENSIONS = 1_000;

    /** How many trials there are. */
    public int size() {
        return points.size();
    }

    /** How many parameters there are. */
    int dimensions() {
        return space.size();
    }

    /** Randomness of the trial with this index; another purpose is another stream. */
    SplittableRandom random(int index, String purpose) {
        long mixed = seed * 0x9E3779B97F4A7C15L + index * 0xBF58476D1CE4E5B9L + purpose.hashCode();
        return new SplittableRandom(new SplittableRandom(mixed).nextLong());
    }

    /**
     * The points that every optimiser begins with: a sequence that fills the cube evenly, moved by the seed. The first
     * trial of a study is the configuration without tuning, so that counting starts after it.
     */
    double[] initial(int index) {
        int n = dimensions();
        if (n > SOBOL_DIMENSIONS) {
            return uniform(index);
        }
        double[] point = new SobolSequenceGenerator(n).skipTo(index + 1);
        SplittableRandom shift = random(0, "shift");
        for (int i = 0; i < n; i++) {
            point[i] = (point[i] + shift.nextDouble()) % 1;
        }
        return point;
    }

    /** A point from anywhere. */
    double[] uniform(int index) {
        return random(index, "uniform").doubles(dimensions()).toArray();
    }

    /** The indices from the best score to the worst. */
    int[] ranked() {
        return IntStream.range(0, size())
                .boxed()
                .sorted(Comparator.comparingDouble(i -> scores[i]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** The index of the best of the first so many; -1 of none. */
    int best(int count) {
        return IntStream.range(0, Math.min(count, size()))
                .boxed()
                .min(Comparator.comparingDouble(i -> scores[i]))
                .orElse(-1);
    }

    /** The first so many trials. */
    History first(int count) {
        return new History(
                space,
                budget,
                seed,
                points.subList(0, count),
                Arrays.copyOf(scores, count),
                Arrays.copyOf(good, count));
    }
}
