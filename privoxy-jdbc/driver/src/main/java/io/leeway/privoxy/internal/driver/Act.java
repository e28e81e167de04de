package io.leeway.privoxy.internal.driver;

import java.sql.SQLException;

/** A call of a real object of the driver that gives nothing back. */
@FunctionalInterface
interface Act<S> {
    void on(S delegate) throws SQLException;
}
