package io.leeway.autotune.internal.tune;

import io.leeway.autotune.AutoTuneOptions;
import io.leeway.autotune.Guard;
import io.leeway.autotune.internal.learn.Bluefin;
import java.util.List;

/**
 * How a service is tuned.
 *
 * @param rounds of the learner
 * @param windowSeconds of a measurement
 * @param settleSeconds after a change, before it is measured
 * @param verifyPairs windows of each, the new and the first setting, that decide in the end
 * @param minGain how much better, as a share of p95, a setting has to be to be kept
 * @param knobs how many knobs the learner gets: those that the selector found to matter most
 * @param only names that knobs have to begin with; empty takes all
 * @param steps of the learner
 * @param restartsPerHour how many changes that restart something an hour has at most
 * @param guard when a change is taken back
 */
public record Plan(
        int rounds,
        double windowSeconds,
        double settleSeconds,
        int verifyPairs,
        double minGain,
        int knobs,
        List<String> only,
        Bluefin.Steps steps,
        int restartsPerHour,
        Guard guard) {

    /** As the options have it. */
    public static Plan of(AutoTuneOptions options) {
        return new Plan(
                options.get(AutoTuneOptions.ROUNDS),
                options.get(AutoTuneOptions.WINDOW).toMillis() / 1000.0,
                options.get(AutoTuneOptions.SETTLE).toMillis() / 1000.0,
                options.get(AutoTuneOptions.VERIFY_PAIRS),
                options.get(AutoTuneOptions.MIN_GAIN),
                options.get(AutoTuneOptions.KNOBS),
                options.get(AutoTuneOptions.ONLY),
                new Bluefin.Steps(2, options.get(AutoTuneOptions.STEP), options.get(AutoTuneOptions.RADIUS), 0, true),
                options.get(AutoTuneOptions.RESTARTS_PER_HOUR),
                guard(options));
    }

    private static Guard guard(AutoTuneOptions options) {
        return new Guard(
                options.get(AutoTuneOptions.GUARD_LATENCY),
                options.get(AutoTuneOptions.GUARD_THROUGHPUT),
                options.get(AutoTuneOptions.GUARD_ERRORS),
                options.get(AutoTuneOptions.GUARD_HEAP),
                Guard.defaults().minRequests());
    }
}
