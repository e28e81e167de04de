package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Assignment;
import io.leeway.privoxy.internal.sql.ast.InsertSource;
import io.leeway.privoxy.internal.sql.ast.MergeWhen;
import io.leeway.privoxy.internal.sql.ast.OnConflict;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import io.leeway.privoxy.internal.sql.ast.Statement;
import java.util.List;

/** Prints statements. */
final class StatementPrinter {

    private final PrinterOutput out;
    private final QueryPrinter queries;

    StatementPrinter(PrinterOutput out) {
        this.out = out;
        this.queries = new QueryPrinter(out, this);
    }

    QueryPrinter queries() {
        return queries;
    }

    void statement(Statement statement) {
        if (statement instanceof Statement.Select select) {
            queries.query(select.query());
        } else if (statement instanceof Statement.Insert insert) {
            insert(insert);
        } else if (statement instanceof Statement.Update update) {
            update(update);
        } else if (statement instanceof Statement.Delete delete) {
            delete(delete);
        } else if (statement instanceof Statement.Merge merge) {
            merge(merge);
        } else if (statement instanceof Statement.CreateTableAs create) {
            createTableAs(create);
        } else if (statement instanceof Statement.Explain explain) {
            out.put(explain.analyze() ? "EXPLAIN ANALYZE " : "EXPLAIN ");
            statement(explain.statement());
        } else if (statement instanceof Statement.Call call) {
            call(call);
        } else {
            out.put(summary(statement));
        }
    }

    /** Statements that are not read in full are named only. */
    private static String summary(Statement statement) {
        if (statement instanceof Statement.Ddl ddl) {
            return ddl.kind() + " " + ddl.names();
        }
        if (statement instanceof Statement.Other other) {
            return other.keyword();
        }
        if (statement instanceof Statement.Transaction transaction) {
            return transaction.kind().name();
        }
        return Chars.toUpperAscii(statement.getClass().getSimpleName());
    }

    private void insert(Statement.Insert insert) {
        queries.with(insert.with());
        out.put(
                switch (insert.kind()) {
                    case INSERT -> "INSERT INTO ";
                    case INSERT_IGNORE -> "INSERT IGNORE INTO ";
                    case REPLACE -> "REPLACE INTO ";
                    case MERGE_KEYS -> "MERGE INTO ";
                });
        out.qualifiedName(insert.table());
        if (insert.alias() != null) {
            out.put(" AS ").name(insert.alias());
        }
        if (!insert.columns().isEmpty()) {
            out.put(" ").names(insert.columns());
        }
        if (!insert.keys().isEmpty()) {
            out.put(" KEY ").names(insert.keys());
        }
        source(insert.source());
        if (insert.onConflict() != null) {
            onConflict(insert.onConflict());
        }
        returning(insert.returning());
    }

    private void source(InsertSource source) {
        if (source instanceof InsertSource.Rows rows) {
            out.put(" VALUES ");
            queries.rows(rows.rows());
        } else if (source instanceof InsertSource.FromQuery query) {
            out.put(" ");
            queries.query(query.query());
        } else {
            out.put(" DEFAULT VALUES");
        }
    }

    private void onConflict(OnConflict conflict) {
        if (conflict.duplicateKey()) {
            out.put(" ON DUPLICATE KEY UPDATE ");
            assignments(conflict.updates());
            return;
        }
        out.put(" ON CONFLICT");
        if (!conflict.keys().isEmpty()) {
            out.put(" (").list(conflict.keys(), queries.exprs()::expr).put(")");
            queries.clause(" WHERE ", conflict.keyWhere());
        }
        if (conflict.constraint() != null) {
            out.put(" ON CONSTRAINT ").name(conflict.constraint());
        }
        if (conflict.updates().isEmpty()) {
            out.put(" DO NOTHING");
            return;
        }
        out.put(" DO UPDATE SET ");
        assignments(conflict.updates());
        queries.clause(" WHERE ", conflict.where());
    }

    private void assignments(List<Assignment> assignments) {
        out.list(assignments, assignment -> {
            if (assignment.targets().size() == 1) {
                out.qualifiedName(assignment.targets().get(0));
            } else {
                out.put("(").list(assignment.targets(), out::qualifiedName).put(")");
            }
            out.put(" = ");
            queries.exprs().expr(assignment.value());
        });
    }

    private void returning(List<SelectItem> items) {
        if (!items.isEmpty()) {
            out.put(" RETURNING ");
            queries.items(items);
        }
    }

    private void update(Statement.Update update) {
        queries.with(update.with());
        out.put("UPDATE ").list(update.targets(), queries::fromItem).put(" SET ");
        assignments(update.assignments());
        if (!update.from().isEmpty()) {
            out.put(" FROM ").list(update.from(), queries::fromItem);
        }
        queries.clause(" WHERE ", update.where());
        queries.orderBy(update.orderBy());
        queries.limit(update.limit());
        returning(update.returning());
    }

    private void delete(Statement.Delete delete) {
        queries.with(delete.with());
        out.put(delete.multiTable() ? "DELETE " : "DELETE FROM ").list(delete.targets(), queries::fromItem);
        if (!delete.using().isEmpty()) {
            out.put(delete.multiTable() ? " FROM " : " USING ").list(delete.using(), queries::fromItem);
        }
        queries.clause(" WHERE ", delete.where());
        queries.orderBy(delete.orderBy());
        queries.limit(delete.limit());
        returning(delete.returning());
    }

    private void merge(Statement.Merge merge) {
        queries.with(merge.with());
        out.put("MERGE INTO ");
        queries.fromItem(merge.target());
        out.put(" USING ");
        queries.fromItem(merge.source());
        queries.clause(" ON ", merge.on());
        merge.clauses().forEach(this::mergeWhen);
        returning(merge.returning());
    }

    private void mergeWhen(MergeWhen clause) {
        out.put(" WHEN " + clause.matched().name().replace('_', ' '));
        queries.clause(" AND ", clause.condition());
        out.put(" THEN ");
        switch (clause.action()) {
            case DELETE -> out.put("DELETE");
            case NOTHING -> out.put("DO NOTHING");
            case UPDATE -> {
                out.put("UPDATE SET ");
                assignments(clause.updates());
            }
            case INSERT -> {
                out.put("INSERT");
                if (!clause.columns().isEmpty()) {
                    out.put(" ").names(clause.columns());
                }
                source(
                        clause.values().isEmpty()
                                ? new InsertSource.Defaults(clause.position())
                                : new InsertSource.Rows(List.of(clause.values()), clause.position()));
            }
        }
    }

    private void createTableAs(Statement.CreateTableAs create) {
        out.put(create.temporary() ? "CREATE TEMPORARY " : "CREATE ");
        out.put(create.materializedView() ? "MATERIALIZED VIEW " : "TABLE ").qualifiedName(create.table());
        if (!create.columns().isEmpty()) {
            out.put(" ").names(create.columns());
        }
        out.put(" AS ");
        queries.query(create.query());
    }

    private void call(Statement.Call call) {
        out.put(call.result() ? "{? = CALL " : "CALL ").functionName(call.procedure());
        out.put("(").list(call.arguments(), queries.exprs()::expr).put(")");
        out.put(call.result() ? "}" : "");
    }
}
