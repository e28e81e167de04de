package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Expr;

/** Where the value of a slot comes from. */
public sealed interface SlotSource {

    /** The JDBC parameter with this index, from 1. */
    record Jdbc(int index) implements SlotSource {}

    /** A literal of the text. */
    record Lifted(Expr.Literal literal) implements SlotSource {}
}
