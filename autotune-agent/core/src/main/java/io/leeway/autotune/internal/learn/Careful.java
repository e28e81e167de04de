package io.leeway.autotune.internal.learn;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * HybridBandits that never deploy what is foreseen to be bad: every round is one that users see.
 *
 * <p>Model: what was tried, with its cost, and the best of it. Before a proposal is deployed its cost is foreseen, if
 * anything near it is known: what was measured next to it; the mirror image of a probe, by the straight line through
 * the centre and that probe; what lies further out than something bad, seen from the best, is at least as bad. A
 * foreseen cost above {@code limit} times the best one's is the learner's reward, and no round is spent on it; nor on
 * the mirror image of a probe that clearly helped.
 *
 * <p>The line errs on the good side where cost is convex, as it is for sizes of pools and queues: the other side of a
 * probe that helped is worse than the centre, often much worse than the line says. Cost: O(rounds) a proposal. Not
 * thread-safe.
 */
public final class Careful {

    private record Tried(Point point, double cost) {}

    /** So near, in each number's range, that nothing else is expected. */
    private static final double NEAR = 0.03;

    /** So near that it stands for the centre, of which the point itself was never deployed. */
    private static final double NOT_FAR = 0.1;

    /** A probe that is better than its centre by this share helped. */
    private static final double CLEAR = 0.05;

    /** So many proposals in a row that are foreseen to be bad, then the best is measured again. */
    private static final int MOST_SKIPPED = 8;

    private final HybridBandits learner;
    private final double limit;
    private final List<Tried> tried = new ArrayList<>();
    private Tried best;
    private @Nullable Tried probe;
    private Point proposed;
    private boolean isLearners;

    /**
     * Around a learner that has not begun.
     *
     * @param start where it begins
     * @param cost of the start, above 0; less is better
     * @param limit how many times the best cost a round may have, above 1
     */
    public Careful(HybridBandits learner, Point start, double cost, double limit) {
        if (!(limit > 1)) {
            throw new IllegalArgumentException("limit " + limit);
        }
        this.learner = learner;
        this.limit = limit;
        this.best = new Tried(start, cost);
        this.proposed = start;
        tried.add(best);
    }

    /** What to deploy in this round. */
    public Point propose() {
        for (int i = 0; i < MOST_SKIPPED; i++) {
            Point point = learner.propose();
            OptionalDouble foreseen = foreseen(point);
            if (!isBad(foreseen) && !isOtherSideOfWhatHelped(point)) {
                isLearners = true;
                proposed = point;
                return point;
            }
            probe = null;
            learner.reward(-foreseen.orElseThrow());
        }
        isLearners = false;
        proposed = best.point();
        return proposed;
    }

    /** What was proposed cost so much. */
    public void paid(double cost) {
        var now = new Tried(proposed, cost);
        tried.add(now);
        if (cost < best.cost()) {
            best = now;
        }
        probe = isLearners ? now : null;
        if (isLearners) {
            learner.reward(-cost);
        }
    }

    /** What the learner holds for best, unless that is foreseen to be bad. */
    public Point centre() {
        Point centre = learner.centre();
        return isBad(foreseen(centre)) ? best.point() : centre;
    }

    private boolean isBad(OptionalDouble foreseen) {
        return foreseen.isPresent() && foreseen.getAsDouble() > limit * best.cost();
    }

    private boolean isOtherSideOfWhatHelped(Point point) {
        Tried first = probe;
        OptionalDouble centre = between(point);
        return first != null && centre.isPresent() && first.cost() < (1 - CLEAR) * centre.getAsDouble();
    }

    private OptionalDouble foreseen(Point point) {
        OptionalDouble near = known(point);
        return near.isPresent() ? near : max(mirrored(point), beyond(point));
    }

    private static OptionalDouble max(OptionalDouble one, OptionalDouble other) {
        return one.isEmpty() || other.isPresent() && other.getAsDouble() > one.getAsDouble() ? other : one;
    }

    /** The mean cost of what was measured next to it. */
    private OptionalDouble known(Point point) {
        return tried.stream()
                .filter(other -> isAlike(other.point(), point) && distance(other.point(), point) <= NEAR)
                .mapToDouble(Tried::cost)
                .average();
    }

    /** On the line through the first probe of this pair and the centre, if the centre is known. */
    private OptionalDouble mirrored(Point point) {
        Tried first = probe;
        OptionalDouble centre = between(point);
        return first == null || centre.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(2 * centre.getAsDouble() - first.cost());
    }

    /** The cost in the middle between the first probe of this pair and the point, if that is known. */
    private OptionalDouble between(Point point) {
        Tried first = probe;
        if (!learner.isBetween() || first == null || !isAlike(first.point(), point)) {
            return OptionalDouble.empty();
        }
        double[] middle = new double[point.numbers().length];
        Arrays.setAll(middle, i -> (point.numbers()[i] + first.point().numbers()[i]) / 2);
        return nearest(new Point(middle, point.words()));
    }

    /** The cost of the nearest that was tried, if that is not far. */
    private OptionalDouble nearest(Point point) {
        return tried.stream()
                .filter(other -> isAlike(other.point(), point) && distance(other.point(), point) <= NOT_FAR)
                .min(Comparator.comparingDouble(other -> distance(other.point(), point)))
                .map(other -> OptionalDouble.of(other.cost()))
                .orElse(OptionalDouble.empty());
    }

    /** What is bad and lies between the best and the point. */
    private OptionalDouble beyond(Point point) {
        return tried.stream()
                .filter(other -> other.cost() > limit * best.cost() && isAlike(other.point(), point))
                .filter(other -> isBetween(best.point(), other.point(), point))
                .mapToDouble(Tried::cost)
                .max();
    }

    private static boolean isBetween(Point from, Point middle, Point to) {
        for (int i = 0; i < from.numbers().length; i++) {
            double least = Math.min(from.numbers()[i], to.numbers()[i]) - NEAR;
            double most = Math.max(from.numbers()[i], to.numbers()[i]) + NEAR;
            if (middle.numbers()[i] < least || middle.numbers()[i] > most) {
                return false;
            }
        }
        return distance(from, middle) > NEAR;
    }

    private static boolean isAlike(Point one, Point other) {
        return Arrays.equals(one.words(), other.words());
    }

    private static double distance(Point one, Point other) {
        double most = 0;
        for (int i = 0; i < one.numbers().length; i++) {
            most = Math.max(most, Math.abs(one.numbers()[i] - other.numbers()[i]));
        }
        return most;
    }
}
