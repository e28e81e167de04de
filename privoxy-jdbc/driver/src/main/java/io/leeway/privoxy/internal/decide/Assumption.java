package io.leeway.privoxy.internal.decide;

import io.leeway.privoxy.internal.model.Condition;

/**
 * A comparison between two arguments that may be taken for granted.
 *
 * <p>This is how a template says under which conditions it was proved, as "the third argument is less than the first":
 * the proof stands over symbols, and what it needs of their order is assumed here and tested on the values when the
 * template is used.
 */
public record Assumption(Condition.Operator operator, Arg left, Arg right) {}
