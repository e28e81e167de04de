package io.leeway.privoxy.internal.sql;

import java.util.Locale;

/**
 * The databases whose SQL is read.
 *
 * <p>Each is read by rules of its own from the lexer on. What these differ in is not smoothed over anywhere: a reader
 * asks for the rule, or for the database, at the place where it decides something.
 */
public enum Dialect {
    /** PostgreSQL 14 and later. */
    POSTGRESQL,
    /** MariaDB 10.6 and later, MySQL 8. */
    MARIADB,
    /** H2 2.x in its regular mode. */
    H2;

    /** Whether the rule is one of this database's. */
    public boolean has(DialectRule rule) {
        return rule.holdsOf(this);
    }

    /**
     * A name that was not quoted, as the database keeps it; MariaDB keeps it as it is. PostgreSQL folds ASCII only
     * here, since capitals beyond it are refused in the lexer; H2 folds by Java's rules, in English as the server does,
     * and not in the locale of this machine (a Turkish i).
     */
    public String folded(String name) {
        return switch (this) {
            case POSTGRESQL -> Chars.toLowerAscii(name);
            case MARIADB -> name;
            case H2 -> name.toUpperCase(Locale.ENGLISH);
        };
    }

    /** A name in the database's quotation marks, so that it is read as it is. */
    public String quoted(String name) {
        String quote = this == MARIADB ? "`" : "\"";
        return quote + name.replace(quote, quote + quote) + quote;
    }

    /**
     * Whether two names, as they are written or folded, are surely one column's. MariaDB compares them without regard
     * to case; beyond ASCII its letters are not Java's (to Java the Turkish ı is an i), so that there only the same
     * letters count, and what {@link #mayBeOne} says has to be refused.
     */
    public boolean isOneName(String a, String b) {
        return a.equals(b)
                || has(DialectRule.NAMES_IGNORE_CASE) && Chars.toLowerAscii(a).equals(Chars.toLowerAscii(b));
    }

    /** Whether the database might take two names for one that are not surely one. */
    public boolean mayBeOne(String a, String b) {
        return has(DialectRule.NAMES_IGNORE_CASE) && !isOneName(a, b) && !(Chars.isAscii(a) && Chars.isAscii(b));
    }
}
