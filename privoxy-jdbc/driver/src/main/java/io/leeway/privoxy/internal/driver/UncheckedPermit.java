package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.guard.Permit;
import io.leeway.privoxy.internal.guard.RowRecorder;
import io.leeway.privoxy.internal.request.Request;
import org.jspecify.annotations.Nullable;

/** Lets a statement pass that was not decided on. It may have written anything, so nothing read before stays. */
record UncheckedPermit(Request request) implements Permit {

    @Override
    public @Nullable RowRecorder recorder() {
        return null;
    }

    @Override
    public void executed() {
        request.trace().forgetAll();
    }
}
