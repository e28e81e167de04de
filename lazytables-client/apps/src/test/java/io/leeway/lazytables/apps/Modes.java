package io.leeway.lazytables.apps;

import io.leeway.lazytables.TableSpec;
import io.leeway.testkit.Seeds;
import java.time.Duration;

/** The ways to run an application that all of them are tried in: four workers, in one instance or in two with two servers. */
public enum Modes {
    BSP(0, 1, 1, 1),
    A_BSP(0, 2, 1, 1),
    MINI_BATCHES(0, 1, 4, 2),
    SSP(2, 1, 1, 2),
    HYBRID(1, 2, 1, 2),
    ASYNC(TableSpec.ASYNC, 1, 1, 2),
    /** Begins with slack 1 and a pass per clock. */
    ADAPTIVE(1, 1, 1, 2);

    private static final int WORKERS = 4;

    private final int slack;
    private final int passes;
    private final int blocks;
    private final int spread;

    Modes(int slack, int passes, int blocks, int spread) {
        this.slack = slack;
        this.passes = passes;
        this.blocks = blocks;
        this.spread = spread;
    }

    /** With a time limit that a build machine which is busy does not reach. */
    public RunSettings settings(int most) {
        RunSettings settings = RunSettings.of(WORKERS, Seeds.seed("run " + this))
                .slack(slack)
                .work(new WorkPerClock(passes, blocks), most)
                .spread(spread, spread)
                .times(Duration.ofMinutes(2), Duration.ZERO);
        return this == ADAPTIVE ? settings.asAdaptive() : settings;
    }
}
