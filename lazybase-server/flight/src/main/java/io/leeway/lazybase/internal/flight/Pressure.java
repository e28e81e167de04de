package io.leeway.lazybase.internal.flight;

import io.leeway.lazybase.internal.sql.Session;
import org.apache.arrow.flight.BackpressureStrategy;

/** Waits for slow clients, and cancels the query of one that goes. Thread-safe. */
final class Pressure extends BackpressureStrategy.CallbackBackpressureStrategy {

    private final Session session;

    Pressure(Session session) {
        this.session = session;
    }

    @Override
    protected void cancelCallback() {
        session.cancel();
    }
}
