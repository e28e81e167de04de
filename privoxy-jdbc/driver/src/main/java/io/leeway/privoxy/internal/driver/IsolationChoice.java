package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.sql.Dialect;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

    Pattern TEXT = Pattern.compile(
            "SET\\s+(SESSION\\s+)?(?:CHARACTERISTICS\\s+AS\\s+)?TRANSACTION\\s+ISOLATION\\s+LEVEL\\s+(\\w+(?:\\s+\\w+)?)",
            Pattern.CASE_INSENSITIVE);

    /** What a text chooses that has done nothing else. */
    static IsolationChoice of(String text, Dialect dialect) {
        Matcher chosen = TEXT.matcher(text.strip());
        if (!chosen.matches()) {
            return new Unclear(Isolation.unknown(dialect));
        }
        String words = chosen.group(2).replaceAll("\\s+", " ").toUpperCase(Locale.ROOT);
        Isolation level = Isolation.of(words, dialect);
        return chosen.group(1) == null ? new Once(level) : new Lasting(level);
    }
}
