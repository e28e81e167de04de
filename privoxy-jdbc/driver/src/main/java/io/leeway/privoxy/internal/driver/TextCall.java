package io.leeway.privoxy.internal.driver;

import java.sql.SQLException;

/** A call of the real statement with the text to send. */
@FunctionalInterface
interface TextCall<S, R> {
    R on(S delegate, String text) throws SQLException;
}
