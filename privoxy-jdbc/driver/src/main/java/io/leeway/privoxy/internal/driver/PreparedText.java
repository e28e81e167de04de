package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.guard.ContextCommand;
import io.leeway.privoxy.internal.guard.GuardedStatement;
import io.leeway.privoxy.internal.model.StatementPlan;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A text as it was read under the session's state; read anew when that state has changed. Not thread-safe. */
final class PreparedText {

    private final String original;
    private final ReadingMode mode;
    private final long lexicalVersion;
    private GuardedStatement statement;
    private long stateVersion;

    PreparedText(
            String original, ReadingMode mode, GuardedStatement statement, long stateVersion, long lexicalVersion) {
        this.original = original;
        this.mode = mode;
        this.statement = statement;
        this.stateVersion = stateVersion;
        this.lexicalVersion = lexicalVersion;
    }

    /** The text as the application gave it. */
    String original() {
        return original;
    }

    /** The context command that this is, or null. */
    @Nullable
    ContextCommand contextCommand() {
        return statement.contextCommand();
    }

    /** The version of the settings under which the real driver, and perhaps the server, took the text apart. */
    long lexicalVersion() {
        return lexicalVersion;
    }

    /** What is done to the database. */
    StatementPlan.Kind kind() {
        return statement.kind();
    }

    /** The statement as read under the session's, the policy's and the schema's present state. */
    GuardedStatement current(Session session) throws SQLException {
        if (session.stateVersion() != stateVersion || !statement.isCurrent()) {
            PreparedText renewed = session.read(original, mode);
            statement = renewed.statement;
            stateVersion = renewed.stateVersion;
        }
        return statement;
    }
}
