package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.schema.LiveSchemas;
import io.leeway.privoxy.internal.schema.SchemaChange;
import io.leeway.privoxy.internal.schema.SessionId;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The change of the schema that a session has under way: begun before it is sent, as the server makes it before its
 * answer is here and others decide meanwhile, and ended by that answer or by the end of the connection.
 *
 * <p>A change whose connection is aborted meanwhile is waited for by others ({@code UnansweredChangesIT}). Only
 * {@link #lost()} may be called by another thread than the session's.
 */
final class SentChange {

    /** Begins the states of errors of the connection. */
    private static final String CONNECTION_EXCEPTION = "08";

    private final Connection raw;
    private final ServerSession server;
    /** Whoever ends the connection meanwhile is another thread. */
    private volatile @Nullable SchemaChange change;
    /** Number of the physical connection that it was sent through. */
    private long sentThrough;

    SentChange(Connection raw, ServerSession server) {
        this.raw = raw;
        this.server = server;
    }

    boolean isUnderWay() {
        return change != null;
    }

    /**
     * What may change the schema, or make a change of it everybody's, is about to be sent.
     *
     * @param session number of the session at the server, so that others can ask whether it still works on it
     */
    void begin(@Nullable SessionId session) {
        if (change == null) {
            sentThrough = server.id();
            change = LiveSchemas.shared().beginChange(session);
        }
    }

    /** Its answer is here, or will not come. */
    void end(@Nullable Throwable failure) {
        SchemaChange ended = change;
        if (ended == null) {
            return;
        }
        change = null;
        // Without an answer the server may make the change yet.
        if (isAnswer(failure)) {
            ended.answered();
        } else {
            ended.lost();
        }
    }

    /** The connection goes away. Who has sent it may hear the answer yet. */
    void lost() {
        SchemaChange unanswered = change;
        if (unanswered != null) {
            unanswered.lost();
        }
    }

    /**
     * Whether the server has said how it went, and does not go on with it.
     *
     * <p>An error of class 08 is the driver's word that the connection is lost, not the server's about the change.
     */
    private boolean isAnswer(@Nullable Throwable failure) {
        try {
            return !raw.isClosed()
                    && server.id() == sentThrough
                    && (failure == null || failure instanceof SQLException error && !isOfConnection(error));
        } catch (SQLException unknown) {
            return false;
        }
    }

    private static boolean isOfConnection(SQLException error) {
        String state = error.getSQLState();
        return state != null && state.startsWith(CONNECTION_EXCEPTION);
    }
}
