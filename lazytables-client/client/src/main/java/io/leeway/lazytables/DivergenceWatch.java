package io.leeway.lazytables;

import java.util.Locale;
import java.util.Optional;

/**
 * Watches the objective of a run with a fixed pace and says, once, when the run seems to diverge: the objective is no
 * number, or it has got worse since it was best by more than half of what was gained until then and by more than a
 * tenth of what it was at first. A run that goes on may still recover; nothing is ended. An {@link AdaptivePace} looks
 * for itself.
 *
 * <p>Not thread-safe: one worker of a run watches.
 *
 * @since 0.1
 */
public final class DivergenceWatch {

    private static final double GIVEN_BACK = 0.5;
    /** Of the first value: what is less may be noise, as long as little is gained. */
    private static final double NOISE = 0.1;

    private final String objective;
    private final boolean falls;
    private double first = Double.NaN;
    private double best = Double.NaN;
    private boolean told;

    /**
     * For an objective.
     *
     * @param objective what it is called
     * @param falls whether it falls when things get better, as an error does
     */
    public DivergenceWatch(String objective, boolean falls) {
        this.objective = objective;
        this.falls = falls;
    }

    /**
     * Takes note of the objective.
     *
     * @param passes over the data so far
     * @return what is to be told to people, the first time that there is something
     */
    public Optional<String> see(double passes, double value) {
        if (told) {
            return Optional.empty();
        }
        if (Double.isNaN(first)) {
            first = value;
            best = value;
        }
        told = !Double.isFinite(value) || isFarFromBest(value);
        best = falls ? Math.min(best, value) : Math.max(best, value);
        return told ? Optional.of(text(passes, value)) : Optional.empty();
    }

    private boolean isFarFromBest(double value) {
        double worse = falls ? value - best : best - value;
        return worse > GIVEN_BACK * Math.abs(best - first) && worse > NOISE * Math.abs(first);
    }

    private String text(double passes, double value) {
        String before = Double.isFinite(first)
                ? String.format(Locale.ROOT, ", was %.5g at first and %.5g at best", first, best)
                : "";
        return String.format(
                Locale.ROOT,
                "%s is %.5g after %.5g passes%s: the run seems to diverge. Lower the slack, the work per clock or the"
                        + " length of a step, or use fewer workers; or let AdaptivePace choose slack and work",
                objective,
                value,
                passes,
                before);
    }
}
