package io.leeway.testkit.arch.sample.good.internal.config;

/** Uses no other feature. */
public final class GoodConfig {

    public static final String NAME = String.valueOf(1);

    private GoodConfig() {}
}
