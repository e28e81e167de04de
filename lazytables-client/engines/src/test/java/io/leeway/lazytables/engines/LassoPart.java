package io.leeway.lazytables.engines;

import io.leeway.lazytables.apps.Place;
import io.leeway.lazytables.apps.Run;
import io.leeway.lazytables.apps.RunLog;
import io.leeway.lazytables.apps.RunSettings;
import io.leeway.lazytables.apps.WorkPerClock;
import io.leeway.lazytables.apps.lasso.Design;
import io.leeway.lazytables.apps.lasso.LassoApplication;
import io.leeway.lazytables.apps.lasso.LassoReference;
import io.leeway.lazytables.apps.lasso.SyntheticGenotypes;
import java.io.Serializable;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** An application as it is, one instance of which runs in each task of an engine: sparse regression by coordinate descent, with slack 1. */
final class LassoPart implements Serializable {

    private static final long serialVersionUID = 1;
    private static final double LAMBDA = 4;
    private static final int PASSES = 4_000;

    private final int workers;
    private final long seed;
    private final TreeMap<String, String> options;

    LassoPart(int workers, long seed, Map<String, String> options) {
        this.workers = workers;
        this.seed = seed;
        this.options = new TreeMap<>(options);
    }

    /** The objective at the end, as one worker sees it. */
    double run(int worker) {
        RunSettings settings = RunSettings.of(workers, seed)
                .spread(workers, 1)
                .slack(1)
                .work(WorkPerClock.ONE, PASSES)
                .times(Duration.ofMinutes(1), Duration.ZERO)
                .at(new Place(worker, false, options));
        return Run.of(new LassoApplication(design(), LAMBDA, 1.0 / (2 * workers), 1e-6), settings, RunLog.none())
                .value();
    }

    /** The least objective, found in one thread. */
    double reference() {
        return new LassoReference(design(), LAMBDA).solve(1e-10, 1_000).value();
    }

    private Design design() {
        return SyntheticGenotypes.generate(150, 300, 8, 0.3, seed).design();
    }
}
