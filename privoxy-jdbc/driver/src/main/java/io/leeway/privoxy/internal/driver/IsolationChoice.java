package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.model.SessionEffects;
import io.leeway.privoxy.internal.sql.Dialect;
import org.jspecify.annotations.Nullable;

/**
 * What a text says of isolation: a level for one transaction, one for the session's, or something of which it is not
 * clear what it does.
 */
sealed interface IsolationChoice {

    /** The level, or what it can be. */
    Isolation level();

    /** For one transaction: PostgreSQL's that is open, MariaDB's next, which may be a single statement. */
    record Once(Isolation level) implements IsolationChoice {}

    /** For those that the session begins from now on. */
    record Lasting(Isolation level) implements IsolationChoice {}

    /** Any of these, for any. */
    record Unclear(Isolation level) implements IsolationChoice {}

    /** What a text chooses of which it is known that it chooses one, and perhaps which. */
    static IsolationChoice of(SessionEffects.@Nullable Level chosen, Dialect dialect) {
        if (chosen == null) {
            return new Unclear(Isolation.unknown(dialect));
        }
        Isolation level = Isolation.of(chosen.words(), dialect);
        return chosen.isLasting() ? new Lasting(level) : new Once(level);
    }
}
