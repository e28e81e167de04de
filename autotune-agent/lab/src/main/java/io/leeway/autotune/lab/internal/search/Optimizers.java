package io.leeway.autotune.lab.internal.search;

import io.leeway.autotune.lab.Method;
import io.leeway.autotune.lab.Space;
import java.util.List;
import java.util.SplittableRandom;

/** The optimisers by name, and the choice of a point that may be used. */
public final class Optimizers {

    private static final int TRIES = 200;

    /** The hybrid's first part, of fifteen trials as the paper has it; in other budgets the same share. */
    private static final double HYBRID_SHARE = 0.4;

    private Optimizers() {}

    /** The optimiser of a method. */
    public static Optimizer of(Method method) {
        return switch (method) {
            case RANDOM -> history -> history.uniform(history.size());
            case ANNEALING -> new Annealing();
            case DDS -> new Dds();
            case SWARM -> new Swarm();
            case GENETIC -> new Genetic();
            case GP -> new ModelSearch(Surrogate::gaussian);
            case BOOSTED -> new ModelSearch(Surrogate::boosted);
            case FOREST -> new ModelSearch(Surrogate::forest);
            case TPE -> new Tpe();
            case HYBRID -> hybrid();
            case CMAES -> new CmaEs();
        };
    }

    private static Optimizer hybrid() {
        var dds = new Dds();
        var model = new ModelSearch(Surrogate::gaussian);
        return history -> {
            int first = (int) Math.max(3, Math.min(12, HYBRID_SHARE * history.budget()));
            return history.size() < first ? dds.next(history) : model.next(history);
        };
    }

    /**
     * The next point, snapped and allowed by the constraints. A point that was tried is moved to a neighbour: the same
     * configuration again would tell little that is new.
     *
     * @return null if no allowed point was found
     */
    public static double @org.jspecify.annotations.Nullable [] next(Optimizer optimizer, History history) {
        Space space = history.space();
        double[] proposed = space.snap(optimizer.next(history));
        SplittableRandom random = history.random(history.size(), "mend");
        double[] point = proposed;
        for (int tries = 0; tries < TRIES; tries++) {
            boolean isAllowed = space.allows(space.setting(point));
            if (isAllowed && (!isKnown(history.points(), point) || tries > TRIES / 4)) {
                return point;
            }
            // First near the proposal, then farther and farther away, at last anywhere.
            double[] moved = proposed.clone();
            double radius = 0.05 + 0.5 * tries / TRIES;
            int must = random.nextInt(moved.length);
            for (int i = 0; i < moved.length; i++) {
                if (i == must || random.nextDouble() < radius) {
                    Steps.move(space.parameters().get(i), moved, i, radius * random.nextGaussian(), random);
                }
            }
            point = space.snap(tries > TRIES / 2 ? random.doubles(moved.length).toArray() : moved);
        }
        return space.allows(space.setting(point)) ? point : null;
    }

    private static boolean isKnown(List<double[]> points, double[] point) {
        return points.stream().anyMatch(known -> java.util.Arrays.equals(known, point));
    }
}
