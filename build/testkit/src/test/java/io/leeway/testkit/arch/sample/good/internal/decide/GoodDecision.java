package io.leeway.testkit.arch.sample.good.internal.decide;

import io.leeway.testkit.arch.sample.good.internal.config.GoodConfig;

/** Time is passed in. */
public final class GoodDecision {

    public String decide(long now) {
        return GoodConfig.NAME + now;
    }
}
