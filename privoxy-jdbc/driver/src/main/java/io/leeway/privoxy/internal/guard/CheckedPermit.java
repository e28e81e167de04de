package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.request.Invalidation;
import io.leeway.privoxy.internal.request.Request;
import org.jspecify.annotations.Nullable;

/** Permission for one execution; afterwards forgets what the statement makes doubtful. */
record CheckedPermit(
        StatementPlan plan,
        SlotValues slots,
        Request request,
        @Nullable RowRecorder recorder) implements Permit {

    /**
     * Also after a failure: not every table takes its rows back, and of a batch some statements may have been run
     * ({@link Invalidation}).
     */
    @Override
    public void executed() {
        Invalidation.after(plan, slots::value)
                .in(request.trace(), request.standpoint().transaction());
    }
}
