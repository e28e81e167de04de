package io.leeway.privoxy.internal.sql;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The settings of a session that change how the same text is read. They must be those of the database session; where
 * they are not known the defaults of the database apply.
 *
 * <p>They are read from the server and not taken from texts that set them: a function, a trigger, a pool or another
 * driver may have set them, too ({@code SessionStates}).
 *
 * @param dialect the database
 * @param jdbcParameters whether {@code ?} is a parameter, as in a prepared statement. Otherwise it is what the database
 *     takes it for
 * @param policyParameters whether {@code ?name} is a context parameter; only for policies, never for SQL that goes to a
 *     database
 * @param standardConformingStrings PostgreSQL: a backslash in {@code '…'} is an ordinary character; if off, texts with
 *     strings are refused
 * @param backslashEscapes MariaDB: backslash escapes in strings (no NO_BACKSLASH_ESCAPES)
 * @param ansiQuotes MariaDB: {@code "…"} is an identifier
 * @param pipesAsConcat MariaDB: {@code ||} is concatenation
 * @param highNotPrecedence MariaDB: NOT binds as {@code !}
 * @param ignoreSpace MariaDB: space is allowed between a built-in function's name and its parenthesis
 * @param jdbcEscapes whether the driver translates JDBC's escapes; if not, a brace is refused
 */
public record SqlOptions(
        Dialect dialect,
        boolean jdbcParameters,
        boolean policyParameters,
        boolean standardConformingStrings,
        boolean backslashEscapes,
        boolean ansiQuotes,
        boolean pipesAsConcat,
        boolean highNotPrecedence,
        boolean ignoreSpace,
        boolean jdbcEscapes) {

    // EMPTY_STRING_IS_NULL makes NULL of '', the others take the grammar of another database in part.
    private static final Set<String> UNREADABLE_MODES =
            Set.of("ORACLE", "MSSQL", "DB2", "MAXDB", "POSTGRESQL", "NO_FIELD_OPTIONS", "EMPTY_STRING_IS_NULL");

    /** The dialect with its database's default settings, {@code ?} being a parameter. */
    public static SqlOptions of(Dialect dialect) {
        return new SqlOptions(dialect, true, false, true, true, false, false, false, false, true);
    }

    /**
     * MariaDB with the value of {@code @@sql_mode}.
     *
     * @throws UnsupportedSqlException for a mode that changes the grammar otherwise
     */
    public static SqlOptions ofSqlMode(String sqlMode) {
        String[] modes = sqlMode.toUpperCase(Locale.ROOT).split(",");
        var set = new HashSet<String>();
        for (String mode : modes) {
            set.add(mode.strip());
        }
        for (String mode : UNREADABLE_MODES) {
            if (set.contains(mode)) {
                throw UnsupportedSqlException.at("sql_mode " + mode, sqlMode, 0);
            }
        }
        // A name for several modes, which counts even if the server does not list these beside it.
        boolean ansi = set.contains("ANSI");
        return new SqlOptions(
                Dialect.MARIADB,
                true,
                false,
                true,
                !set.contains("NO_BACKSLASH_ESCAPES"),
                ansi || set.contains("ANSI_QUOTES"),
                ansi || set.contains("PIPES_AS_CONCAT"),
                set.contains("HIGH_NOT_PRECEDENCE"),
                ansi || set.contains("IGNORE_SPACE"),
                true);
    }

    /** The same, for text in which {@code ?} is or is not a parameter. */
    public SqlOptions withJdbcParameters(boolean prepared) {
        return new SqlOptions(
                dialect,
                prepared,
                policyParameters,
                standardConformingStrings,
                backslashEscapes,
                ansiQuotes,
                pipesAsConcat,
                highNotPrecedence,
                ignoreSpace,
                jdbcEscapes);
    }

    /** The same, for the text of a policy. */
    public SqlOptions forPolicy() {
        return new SqlOptions(
                dialect,
                false,
                true,
                standardConformingStrings,
                backslashEscapes,
                ansiQuotes,
                pipesAsConcat,
                highNotPrecedence,
                ignoreSpace,
                jdbcEscapes);
    }

    /** The same, with PostgreSQL's {@code standard_conforming_strings}. */
    public SqlOptions withStandardConformingStrings(boolean on) {
        return new SqlOptions(
                dialect,
                jdbcParameters,
                policyParameters,
                on,
                backslashEscapes,
                ansiQuotes,
                pipesAsConcat,
                highNotPrecedence,
                ignoreSpace,
                jdbcEscapes);
    }

    /** The same, for text in which the driver translates JDBC's escapes or does not. */
    public SqlOptions withJdbcEscapes(boolean translated) {
        return new SqlOptions(
                dialect,
                jdbcParameters,
                policyParameters,
                standardConformingStrings,
                backslashEscapes,
                ansiQuotes,
                pipesAsConcat,
                highNotPrecedence,
                ignoreSpace,
                translated);
    }
}
