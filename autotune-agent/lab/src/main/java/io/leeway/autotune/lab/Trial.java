package io.leeway.autotune.lab;

import io.leeway.autotune.Setting;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A configuration that was asked for, and what became of it.
 *
 * @param number from 0, in the order of asking
 * @param setting the configuration
 * @param outcome what became of it
 * @since 0.1
 */
public record Trial(int number, Setting setting, Outcome outcome) {

    /** The life of a trial: it runs, and ends in one of two ways. */
    public sealed interface Outcome {}

    /** Nothing was told of it yet. */
    public record Running() implements Outcome {}

    /**
     * It was measured.
     *
     * @param value lower is better
     * @param metrics everything that was measured, by name
     * @param broken limits that do not hold; such a trial is never the best
     */
    public record Complete(double value, Map<String, Double> metrics, List<String> broken) implements Outcome {

        /** Copies. */
        public Complete {
            metrics = Map.copyOf(new TreeMap<>(metrics));
            broken = List.copyOf(broken);
        }

        /** Whether all limits hold. */
        public boolean isWithinLimits() {
            return broken.isEmpty();
        }
    }

    /**
     * It could not be measured.
     *
     * @param reason for people
     */
    public record Failed(String reason) implements Outcome {}

    /** Whether it was measured and keeps the limits. */
    public boolean mayBeBest() {
        return outcome instanceof Complete complete && complete.isWithinLimits();
    }

    /** The measured value; not a number for one that has none. */
    public double value() {
        return outcome instanceof Complete complete ? complete.value() : Double.NaN;
    }

    /** As stored studies and the REST API have it. */
    public String toJson() {
        return SpaceJson.of(this).toString();
    }

    Trial with(Outcome newOutcome) {
        return new Trial(number, setting, newOutcome);
    }
}
