package io.leeway.testkit.arch.sample.intruder;

import io.leeway.testkit.arch.sample.good.internal.config.GoodConfig;

/** Another product that reaches into the internals of the good one. */
public final class Intruder {

    public String name() {
        return String.join(" ", GoodConfig.NAME, GoodConfig.class.getName());
    }
}
