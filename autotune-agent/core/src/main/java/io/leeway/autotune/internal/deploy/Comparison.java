package io.leeway.autotune.internal.deploy;

import io.leeway.autotune.spi.Deployment;
import io.leeway.autotune.spi.Orchestrator;
import io.leeway.autotune.spi.Orchestrator.Trial;

/**
 * Two deployments compared by trials in turn, so that what drifts hits both. The logarithms of the ratio of latencies
 * are looked at: after some trials the comparison ends as soon as their confidence interval lies on one side of the
 * tolerance. Throughput and errors decide beside latency: a service that fails fast is fast.
 */
final class Comparison {

    /**
     * What came out.
     *
     * @param ratio latency of the candidate by that of the reference, geometric mean
     * @param lower bound of the ratio's 95 % interval
     * @param upper bound
     * @param healthy whether throughput and errors are as before
     * @param trials of each
     */
    record Result(double ratio, double lower, double upper, boolean healthy, int trials) {

        /** Whether it was shown, not just seen, to be at most this much worse. */
        boolean isShownWithin(double tolerance) {
            return healthy && upper <= 1 + tolerance;
        }

        /** Whether it is at most this much worse, by what was seen. */
        boolean isWithin(double tolerance) {
            return healthy && ratio <= 1 + tolerance;
        }

        boolean isBetter() {
            return healthy && upper < 1;
        }

        boolean isWorse() {
            return !healthy || lower > 1;
        }
    }

    private final Orchestrator orchestrator;
    private final Settings settings;
    private long trials;

    Comparison(Orchestrator orchestrator, Settings settings) {
        this.orchestrator = orchestrator;
        this.settings = settings;
    }

    /** How many trials all comparisons took. */
    long trials() {
        return trials;
    }

    /** Compares until the tolerance is decided. */
    Result run(Deployment reference, Deployment candidate, double tolerance) {
        return run(reference, candidate, tolerance, settings.minTrials(), settings.maxTrials());
    }

    /** The same with more trials, for what much is built on: reductions together, placements. */
    Result runLonger(Deployment reference, Deployment candidate, double tolerance) {
        return run(reference, candidate, tolerance, settings.minTrials(), settings.finalTrials());
    }

    /** The same with many trials before it may end, for the result. */
    Result runToTheEnd(Deployment reference, Deployment candidate, double tolerance) {
        return run(reference, candidate, tolerance, settings.maxTrials(), settings.finalTrials());
    }

    private Result run(Deployment reference, Deployment candidate, double tolerance, int atLeast, int atMost) {
        double sum = 0;
        double squares = 0;
        double throughput = 0;
        double throughputThen = 0;
        double errors = 0;
        double errorsThen = 0;
        for (int n = 1; ; n++) {
            // A, B, B, A: neither is always the first.
            boolean candidateFirst = n % 2 == 0;
            Trial first = trial(candidateFirst ? candidate : reference);
            Trial second = trial(candidateFirst ? reference : candidate);
            Trial then = candidateFirst ? second : first;
            Trial now = candidateFirst ? first : second;
            double x = Math.log(Math.max(1e-9, now.latency()) / Math.max(1e-9, then.latency()));
            sum += x;
            squares += x * x;
            throughput += now.throughput();
            throughputThen += then.throughput();
            errors += now.errorRate();
            errorsThen += then.errorRate();
            double mean = sum / n;
            double half = n < 2 ? Double.POSITIVE_INFINITY : t(n) * Math.sqrt(variance(sum, squares, n) / n);
            boolean healthy = throughput >= settings.throughputShare() * throughputThen
                    && errors / n <= errorsThen / n + settings.errorPoints();
            boolean decided = Math.exp(mean - half) > 1 + tolerance || Math.exp(mean + half) <= 1 + tolerance;
            if (n >= atMost || n >= atLeast && (decided || !healthy)) {
                return new Result(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half), healthy, n);
            }
        }
    }

    private Trial trial(Deployment deployment) {
        trials++;
        orchestrator.deploy(deployment);
        return orchestrator.measure();
    }

    private static double variance(double sum, double squares, int n) {
        return Math.max(0, (squares - sum * sum / n) / (n - 1));
    }

    /** Student's quantile for 95 %, near enough from four trials on. */
    private static double t(int n) {
        return 1.96 + 2.9 / Math.max(1, n - 1.5);
    }
}
