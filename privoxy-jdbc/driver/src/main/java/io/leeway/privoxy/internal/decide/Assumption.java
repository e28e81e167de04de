package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Condition;

/** A comparison between two arguments that may be taken for granted. */
public record Assumption(Condition.Operator operator, Arg left, Arg right) {}
