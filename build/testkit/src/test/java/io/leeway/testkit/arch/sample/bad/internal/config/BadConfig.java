package io.leeway.testkit.arch.sample.bad.internal.config;

import io.leeway.testkit.arch.sample.bad.internal.decide.BadDecision;

/** Closes a cycle. */
public final class BadConfig {

    private BadConfig() {}

    public static BadDecision create() {
        return new BadDecision();
    }
}
