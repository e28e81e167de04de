package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.Statement;

/**
 * Prints what was read, with every name quoted and parentheses around every operator, so that no precedence is left to the
 * reader. Queries and writes are printed so that they can be read again (the same then is printed); of statements that are
 * not read in full only what they are. Literals are printed: not for messages.
 */
public final class SqlPrinter {

    private SqlPrinter() {}

    /** A statement. */
    public static String print(Statement statement, SqlOptions options) {
        var out = new PrinterOutput(options);
        new StatementPrinter(out).statement(statement);
        return out.toString();
    }

    /** A query. */
    public static String print(Query query, SqlOptions options) {
        var out = new PrinterOutput(options);
        new StatementPrinter(out).queries().query(query);
        return out.toString();
    }

    /** An expression. */
    public static String print(Expr expr, SqlOptions options) {
        var out = new PrinterOutput(options);
        new StatementPrinter(out).queries().exprs().expr(expr);
        return out.toString();
    }
}
