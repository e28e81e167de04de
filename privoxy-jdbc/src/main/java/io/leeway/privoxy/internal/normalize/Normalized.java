package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.StatementPlan;

/**
 * A statement as the checker sees it.
 *
 * @param plan what must be compliant, and what is learnt
 * @param changesSession whether the statement changes how later text is read, so that the session's state must be read
 *     anew after it (and once more when a transaction ends in which it was run: the change may be taken back)
 */
public record Normalized(StatementPlan plan, boolean changesSession) {}
