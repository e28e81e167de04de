package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.guard.Permit;
import io.leeway.privoxy.internal.guard.RowRecorder;
import io.leeway.privoxy.internal.request.Invalidation;
import io.leeway.privoxy.internal.request.Request;
import org.jspecify.annotations.Nullable;

/** Lets a statement pass that was not decided on: what it does is not known. */
record UncheckedPermit(Request request) implements Permit {

    @Override
    public @Nullable RowRecorder recorder() {
        return null;
    }

    @Override
    public void executed() {
        Invalidation.afterUnknown().in(request.trace(), request.standpoint().transaction());
    }
}
