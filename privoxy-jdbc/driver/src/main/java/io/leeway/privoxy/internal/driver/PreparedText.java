package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.guard.ContextCommand;
import io.leeway.privoxy.internal.guard.GuardedStatement;
import io.leeway.privoxy.internal.sql.Addition;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A text as it was read under the session's state; read anew when that state has changed. Not thread-safe. */
final class PreparedText {

    private final String original;
    private final ReadingMode mode;
    private final long lexicalVersion;
    /** As the driver has it, perhaps prepared. */
    private final String toRun;

    private final List<Addition.Placed> additions;
    private GuardedStatement statement;
    private long stateVersion;

    /** Immutable but for its reading, which is renewed when session, policy or schema have moved. */
    PreparedText(
            String original, ReadingMode mode, GuardedStatement statement, long stateVersion, long lexicalVersion) {
        this.original = original;
        this.mode = mode;
        this.statement = statement;
        this.stateVersion = stateVersion;
        this.lexicalVersion = lexicalVersion;
        this.additions = statement.additions();
        this.toRun = statement.toRun(original);
    }

    /** The text as the application gave it. */
    String original() {
        return original;
    }

    /** The text as it is sent. */
    String toRun() {
        return toRun;
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

    /**
     * The statement as read under the session's, the policy's and the schema's present state. What was added to the
     * text may not be enough any more; then the text is refused.
     */
    GuardedStatement current(Session session) throws SQLException {
        if (session.stateVersion() != stateVersion || !statement.isCurrent()) {
            PreparedText renewed = session.read(original, mode);
            // The driver has prepared the text with the additions of then; with others it would be another text
            // than is decided on.
            if (!renewed.additions.equals(additions)) {
                session.states().refuse("another schema or policy, under which rows have to be sorted otherwise");
            }
            statement = renewed.statement;
            stateVersion = renewed.stateVersion;
        }
        return statement;
    }
}
