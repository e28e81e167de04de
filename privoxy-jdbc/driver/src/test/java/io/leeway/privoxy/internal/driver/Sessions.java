package io.leeway.privoxy.internal.driver;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** Sessions of targets that a test has made itself. */
final class Sessions {

    private Sessions() {}

    /** A checked connection over a real one. */
    static CheckedConnection over(Connection raw, Target target) throws SQLException {
        ServerSession server = ServerSession.of(raw, target.dialect());
        SessionStates states = new SessionStates(
                raw,
                target.dialect(),
                target.config().mode(),
                server,
                OwnSettings.none(target.dialect()),
                System::nanoTime);
        states.isConnectionChanged();
        states.version();
        return CheckedConnection.of(
                new Session(raw, target, Map.of(), server, states, (identity, own) -> target, ChosenIsolation.none()));
    }
}
