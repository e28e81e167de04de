package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Alias;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.FromItem;
import io.leeway.privoxy.internal.sql.ast.GroupItem;
import io.leeway.privoxy.internal.sql.ast.Limit;
import io.leeway.privoxy.internal.sql.ast.Locking;
import io.leeway.privoxy.internal.sql.ast.OrderItem;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import io.leeway.privoxy.internal.sql.ast.With;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints queries. */
final class QueryPrinter {

    private final PrinterOutput out;
    private final StatementPrinter statements;
    private final ExprPrinter exprs;

    QueryPrinter(PrinterOutput out, StatementPrinter statements) {
        this.out = out;
        this.statements = statements;
        this.exprs = new ExprPrinter(out, this);
    }

    ExprPrinter exprs() {
        return exprs;
    }

    void parenthesised(Query query) {
        out.put("(");
        query(query);
        out.put(")");
    }

    void query(Query query) {
        with(query.with());
        body(query.body());
        orderBy(query.orderBy());
        limit(query.limit());
        query.locking().forEach(this::locking);
    }

    void with(@Nullable With with) {
        if (with == null) {
            return;
        }
        out.put(with.recursive() ? "WITH RECURSIVE " : "WITH ").list(with.tables(), table -> {
            out.name(table.name());
            if (!table.columns().isEmpty()) {
                out.put(" ").names(table.columns());
            }
            out.put(" AS (");
            statements.statement(table.statement());
            out.put(")");
        });
        out.put(" ");
    }

    private void body(QueryBody body) {
        if (body instanceof QueryBody.Select select) {
            select(select);
        } else if (body instanceof QueryBody.SetOperation operation) {
            operand(operation.left());
            out.put(" " + operation.kind() + (operation.all() ? " ALL " : " "));
            operand(operation.right());
        } else if (body instanceof QueryBody.Values values) {
            out.put("VALUES ");
            rows(values.rows());
        } else if (body instanceof QueryBody.Table table) {
            out.put("TABLE ").qualifiedName(table.name());
        } else if (body instanceof QueryBody.Nested nested) {
            parenthesised(nested.query());
        }
    }

    private void operand(QueryBody body) {
        boolean nested = body instanceof QueryBody.Nested;
        out.put(nested ? "" : "(");
        body(body);
        out.put(nested ? "" : ")");
    }

    void rows(List<List<Expr>> rows) {
        out.list(rows, row -> out.put("(").list(row, exprs::expr).put(")"));
    }

    private void select(QueryBody.Select select) {
        out.put("SELECT ").put(select.distinct() ? "DISTINCT " : "");
        if (!select.distinctOn().isEmpty()) {
            out.put("ON (").list(select.distinctOn(), exprs::expr).put(") ");
        }
        items(select.items());
        if (!select.from().isEmpty()) {
            out.put(" FROM ").list(select.from(), this::fromItem);
        }
        clause(" WHERE ", select.where());
        groupBy(select);
        clause(" HAVING ", select.having());
        if (!select.windows().isEmpty()) {
            out.put(" WINDOW ").list(select.windows(), named -> {
                out.name(named.name()).put(" AS ");
                exprs.window(named.window());
            });
        }
        clause(" QUALIFY ", select.qualify());
    }

    void items(List<SelectItem> items) {
        out.list(items, item -> {
            if (item instanceof SelectItem.Value value) {
                exprs.expr(value.expr());
                if (value.alias() != null) {
                    out.put(" AS ").name(value.alias());
                }
            } else if (item instanceof SelectItem.All all) {
                if (all.qualifier() != null) {
                    out.qualifiedName(all.qualifier()).put(".");
                }
                out.put("*");
                if (!all.except().isEmpty()) {
                    out.put(" EXCEPT (").list(all.except(), out::qualifiedName).put(")");
                }
            }
        });
    }

    void clause(String word, @Nullable Expr condition) {
        if (condition != null) {
            out.put(word);
            exprs.expr(condition);
        }
    }

    private void groupBy(QueryBody.Select select) {
        if (select.groupBy().isEmpty()) {
            return;
        }
        out.put(select.groupDistinct() ? " GROUP BY DISTINCT " : " GROUP BY ");
        if (out.isMariaDb() && select.groupBy().get(0) instanceof GroupItem.Rollup rollup) {
            out.list(rollup.values(), exprs::expr).put(" WITH ROLLUP");
        } else {
            out.list(select.groupBy(), this::groupItem);
        }
    }

    private void groupItem(GroupItem item) {
        if (item instanceof GroupItem.Value value) {
            exprs.expr(value.expr());
        } else if (item instanceof GroupItem.Empty) {
            out.put("()");
        } else if (item instanceof GroupItem.Rollup rollup) {
            out.put("ROLLUP (").list(rollup.values(), exprs::expr).put(")");
        } else if (item instanceof GroupItem.Cube cube) {
            out.put("CUBE (").list(cube.values(), exprs::expr).put(")");
        } else if (item instanceof GroupItem.Sets sets) {
            out.put("GROUPING SETS (").list(sets.items(), this::groupItem).put(")");
        }
    }

    // --- FROM --------------------------------------------------------------------------------------------------------

    void fromItem(FromItem item) {
        if (item instanceof FromItem.Table table) {
            out.put(table.only() ? "ONLY " : "").qualifiedName(table.name());
            alias(table.alias());
        } else if (item instanceof FromItem.Derived derived) {
            out.put(derived.lateral() ? "LATERAL " : "");
            parenthesised(derived.query());
            alias(derived.alias());
        } else if (item instanceof FromItem.Function function) {
            out.put(function.lateral() ? "LATERAL " : "");
            exprs.expr(function.call());
            out.put(function.withOrdinality() ? " WITH ORDINALITY" : "");
            alias(function.alias());
        } else if (item instanceof FromItem.Join join) {
            join(join);
        }
    }

    private void alias(@Nullable Alias alias) {
        if (alias != null) {
            out.put(" AS ").name(alias.name());
            if (!alias.columns().isEmpty()) {
                out.put(" ").names(alias.columns());
            }
        }
    }

    private void join(FromItem.Join join) {
        out.put("(");
        fromItem(join.left());
        boolean plain = join.natural() && join.kind() == FromItem.JoinKind.INNER;
        out.put(join.natural() ? " NATURAL " : " ").put(plain ? "JOIN " : join.kind() + " JOIN ");
        fromItem(join.right());
        clause(" ON ", join.on());
        if (!join.using().isEmpty()) {
            out.put(" USING ").names(join.using());
        }
        out.put(")");
    }

    // --- clauses behind ----------------------------------------------------------------------------------------------

    void orderBy(List<OrderItem> items) {
        if (items.isEmpty()) {
            return;
        }
        out.put(" ORDER BY ").list(items, item -> {
            exprs.expr(item.key());
            out.put(item.descending() ? " DESC" : "");
            if (item.nullsFirst() != null) {
                out.put(item.nullsFirst() ? " NULLS FIRST" : " NULLS LAST");
            }
        });
    }

    void limit(@Nullable Limit limit) {
        if (limit == null) {
            return;
        }
        if (limit.withTies()) {
            clause(" OFFSET ", limit.offset());
            out.put(limit.offset() == null ? "" : " ROWS");
            clause(" FETCH FIRST ", limit.count());
            out.put(" ROWS WITH TIES");
        } else {
            clause(" LIMIT ", limit.count());
            clause(" OFFSET ", limit.offset());
        }
    }

    private void locking(Locking locking) {
        boolean mode = out.isMariaDb()
                && locking.strength() == Locking.Strength.SHARE
                && locking.of().isEmpty();
        out.put(
                mode
                        ? " LOCK IN SHARE MODE"
                        : " FOR " + locking.strength().name().replace('_', ' '));
        if (!locking.of().isEmpty()) {
            out.put(" OF ").list(locking.of(), out::qualifiedName);
        }
        switch (locking.ifLocked()) {
            case NOWAIT -> out.put(" NOWAIT");
            case SKIP_LOCKED -> out.put(" SKIP LOCKED");
            case WAIT -> {
                // what is done anyway
            }
        }
    }
}
