package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.model.StatementPlan;
import io.leeway.privoxy.internal.request.Request;
import org.jspecify.annotations.Nullable;

/** Permission for one execution; afterwards forgets what a write makes doubtful: a fact that is no longer true would prove too much. */
record CheckedPermit(
        StatementPlan plan,
        SlotValues slots,
        Request request,
        @Nullable RowRecorder recorder) implements Permit {

    @Override
    public void executed() {
        switch (plan.kind()) {
            case WRITE ->
                plan.changes()
                        .forEach(change -> request.trace()
                                .written(
                                        change,
                                        slots::value,
                                        request.standpoint().transaction()));
            case DDL -> request.trace().forgetAll();
            case QUERY, TRANSACTION, SESSION -> {
                // Nothing that the trace says becomes doubtful.
            }
        }
    }
}
