package io.leeway.privoxy.internal.sql;

/** The entry: reads SQL text. Stateless. */
public final class SqlParser {

    private SqlParser() {}

    /**
     * Reads a text as the database would, leaving its literals in place.
     *
     * @throws UnsupportedSqlException if it is not understood; nothing else is thrown
     */
    public static ParsedSql parse(String sql, SqlOptions options) {
        return Skeleton.ofWhole(sql, options).parse();
    }
}
