package io.leeway.privoxy.internal.schema;

/**
 * A table's full name in the database's own spelling.
 *
 * @param schema schema (PostgreSQL, H2) or database (MariaDB)
 */
record TableId(String schema, String name) {

    /** The name under which the checker knows the table; a part that has a dot or a quote is quoted. */
    String canonical() {
        return part(schema) + '.' + part(name);
    }

    private static String part(String text) {
        // Two names must never come out as one: "a.b".c and a."b.c".
        return text.indexOf('.') < 0 && text.indexOf('"') < 0 ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
