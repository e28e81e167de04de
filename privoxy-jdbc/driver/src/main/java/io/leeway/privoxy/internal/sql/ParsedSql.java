package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Statement;
import java.util.List;

/**
 * A text that was read.
 *
 * @param statements its statements; empty ones are left out
 * @param slots where the value of each slot ({@code Expr.Parameter.slot}) comes from
 */
public record ParsedSql(List<Statement> statements, List<SlotSource> slots) {
    public ParsedSql {
        statements = List.copyOf(statements);
        slots = List.copyOf(slots);
    }
}
