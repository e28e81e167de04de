package io.leeway.privoxy.internal.driver;

import java.sql.SQLException;

/** A call of the real statement. */
@FunctionalInterface
interface Call<S, R> {
    R on(S delegate) throws SQLException;
}
