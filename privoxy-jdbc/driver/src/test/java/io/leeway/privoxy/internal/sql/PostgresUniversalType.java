package io.leeway.privoxy.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Makes PostgreSQL accept every expression over text that its grammar accepts: text casts itself to what an operator wants
 * and back, and has all operators. So no text is lost to the type checker, and what the server's own print of a view shows
 * is only how it was parsed.
 */
final class PostgresUniversalType {

    private static final List<String> INFIX =
            List.of("+", "-", "*", "/", "%", "^", "&", "|", "#", "<<", ">>", "->", "->>", "@>", "?", "<->");
    private static final List<String> PREFIX = List.of("+", "-", "~", "@", "|/", "!!");

    private static final List<String> COMPARISONS =
            List.of("=", "<>", "<", ">", "<=", ">=", "~~", "!~~", "~~*", "!~~*", "~", "!~*", "||");

    private PostgresUniversalType() {}

    static void install(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("CREATE FUNCTION both_of(text, text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT $1'");
            statement.execute("CREATE FUNCTION one_of(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT $1'");
            for (String operator : INFIX) {
                statement.execute("CREATE OPERATOR " + operator.replace("?", "??")
                        + " (leftarg = text, rightarg = text, function = both_of)");
            }
            for (String operator : PREFIX) {
                statement.execute("CREATE OPERATOR " + operator + " (rightarg = text, function = one_of)");
            }
            for (String cast : List.of(
                    "text AS boolean",
                    "text AS timestamptz",
                    "timestamp AS text",
                    "text AS integer",
                    "integer AS text")) {
                statement.execute("CREATE CAST (" + cast + ") WITH INOUT AS IMPLICIT");
            }
            // this one exists, for assignments only
            statement.execute("UPDATE pg_cast SET castcontext = 'i'"
                    + " WHERE castsource = 'boolean'::regtype AND casttarget = 'text'::regtype");
            for (String types : List.of("boolean, text", "text, boolean")) {
                String[] sides = types.split(", ");
                statement.execute(
                        "CREATE FUNCTION mixed(" + types + ") RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT true'");
                for (String operator : COMPARISONS) {
                    statement.execute("CREATE OPERATOR " + operator + " (leftarg = " + sides[0] + ", rightarg = "
                            + sides[1] + ", function = mixed)");
                }
            }
            statement.execute("CREATE TABLE x (a text, b text, c text, s text, t text, p text, q text, r text[])");
        }
    }
}
