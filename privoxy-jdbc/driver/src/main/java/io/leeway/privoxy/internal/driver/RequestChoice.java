package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.internal.request.ConnectionScope;
import io.leeway.privoxy.internal.request.Request;
import io.leeway.privoxy.internal.request.RequestScope;
import io.leeway.privoxy.internal.request.ThreadScope;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Whose request a statement of a connection is part of. Thread-safe.
 *
 * <p>The thread's request wins, as it was begun by method; a connection's own context is for applications that have
 * nothing else.
 */
final class RequestChoice {

    private final ConnectionScope scope;

    RequestChoice(ConnectionScope scope) {
        this.scope = scope;
    }

    /** The request, with its trace of what a target decides on. */
    Request request(Target asked) throws SQLException {
        RequestScope ofThread = ThreadScope.current();
        if (ofThread != null) {
            return of(ofThread, isContradicted(ofThread), asked);
        }
        RequestScope own = scope.use();
        return own == null ? Request.NOBODY : of(own, false, asked);
    }

    /** Two identities at once: which one is meant is not for us to guess. */
    private boolean isContradicted(RequestScope ofThread) {
        return !scope.isEmpty() && ofThread.contradicts(scope.context());
    }

    private static Request of(@Nullable RequestScope request, boolean contradicted, Target asked) throws SQLException {
        // A statement after the end of its request is a fault of the application, and must not run as nobody's.
        if (request == null || request.ended()) {
            throw new PrivoxyFailureException(PrivoxyErrorCode.REQUEST_ENDED, "");
        }
        if (contradicted) {
            throw new PrivoxyFailureException(PrivoxyErrorCode.CONTEXT_CONTRADICTION, "");
        }
        return request.of(asked.guard(), asked.bounds(), asked.database());
    }
}
