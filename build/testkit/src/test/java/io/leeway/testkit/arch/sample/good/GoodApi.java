package io.leeway.testkit.arch.sample.good;

import io.leeway.testkit.arch.sample.good.internal.decide.GoodDecision;
import java.util.List;

/** Shows the JDK only. */
public final class GoodApi {

    private final GoodDecision decision = new GoodDecision();

    public List<String> decide(GoodApi other) {
        return List.of(decision.decide(other.hashCode()));
    }
}
