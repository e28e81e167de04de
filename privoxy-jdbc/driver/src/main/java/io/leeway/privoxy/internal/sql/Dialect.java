package io.leeway.privoxy.internal.sql;

/**
 * The databases whose SQL is read.
 *
 * <p>Each is read by rules of its own from the lexer on. What these differ in is not smoothed over anywhere: a reader
 * asks for the dialect at the place where it matters and says why.
 */
public enum Dialect {
    /** PostgreSQL 14 and later. */
    POSTGRESQL,
    /** MariaDB 10.6 and later, MySQL 8. */
    MARIADB,
    /** H2 2.x in its regular mode. */
    H2;

    /**
     * Whether two names, as they are written or folded, are surely one column's. MariaDB compares them without regard to
     * case; beyond ASCII its letters are not Java's (to Java the Turkish ı is an i), so that there only the same letters
     * count, and what {@link #mayBeOne} says has to be refused.
     */
    public boolean isOneName(String a, String b) {
        return a.equals(b) || this == MARIADB && Chars.toLowerAscii(a).equals(Chars.toLowerAscii(b));
    }

    /** Whether the database might take two names for one that are not surely one. */
    public boolean mayBeOne(String a, String b) {
        return this == MARIADB && !isOneName(a, b) && !(Chars.isAscii(a) && Chars.isAscii(b));
    }
}
