package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Assignment;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.FromItem;
import io.leeway.privoxy.internal.sql.ast.InsertSource;
import io.leeway.privoxy.internal.sql.ast.MergeWhen;
import io.leeway.privoxy.internal.sql.ast.MergeWhen.Action;
import io.leeway.privoxy.internal.sql.ast.MergeWhen.Matched;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.Statement;
import io.leeway.privoxy.internal.sql.ast.Statement.InsertKind;
import io.leeway.privoxy.internal.sql.ast.With;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** MERGE of PostgreSQL and H2, also H2's old form with KEY. */
final class MergeParser {

    private final Grammar grammar;
    private final Cursor cursor;
    private final DmlParser dml;

    MergeParser(Grammar grammar, DmlParser dml) {
        this.grammar = grammar;
        this.cursor = grammar.cursor();
        this.dml = dml;
    }

    Statement merge(@Nullable With with, int position) {
        cursor.next();
        cursor.expect("INTO");
        FromItem.Table target = dml.target();
        if (cursor.isH2() && !cursor.at("USING")) {
            return mergeKeys(with, target, position);
        }
        cursor.expect("USING");
        FromItem source = grammar.from().item();
        cursor.expect("ON");
        Expr on = grammar.expressions().expression();
        var clauses = new ArrayList<MergeWhen>();
        while (cursor.at("WHEN")) {
            clauses.add(clause());
        }
        return new Statement.Merge(with, target, source, on, clauses, dml.returning(), position);
    }

    /** {@code MERGE INTO t (a, b) KEY (a) VALUES (1, 2)}. */
    private Statement mergeKeys(@Nullable With with, FromItem.Table target, int position) {
        if (target.alias() != null) {
            throw cursor.unexpected();
        }
        List<Name> columns = dml.atColumns() ? dml.columns() : List.of();
        List<Name> keys = List.of();
        if (cursor.accept("KEY")) {
            keys = grammar.queries().names();
        }
        InsertSource source = dml.source();
        return new Statement.Insert(
                with, InsertKind.MERGE_KEYS, target.name(), null, columns, keys, source, null, List.of(), position);
    }

    private MergeWhen clause() {
        int position = cursor.position();
        cursor.expect("WHEN");
        boolean negated = cursor.accept("NOT");
        cursor.expect("MATCHED");
        Matched matched = negated ? Matched.NOT_MATCHED : Matched.MATCHED;
        if (negated && cursor.accept("BY")) {
            if (cursor.accept("SOURCE")) {
                matched = Matched.NOT_MATCHED_BY_SOURCE;
            } else {
                cursor.expect("TARGET");
            }
        }
        Expr condition = cursor.accept("AND") ? grammar.expressions().expression() : null;
        cursor.expect("THEN");
        return action(matched, condition, position);
    }

    private MergeWhen action(Matched matched, @Nullable Expr condition, int position) {
        if (cursor.accept("DELETE")) {
            return when(matched, condition, Action.DELETE, List.of(), position);
        }
        if (cursor.accept("DO", "NOTHING")) {
            return when(matched, condition, Action.NOTHING, List.of(), position);
        }
        if (cursor.accept("UPDATE")) {
            return when(matched, condition, Action.UPDATE, dml.set(), position);
        }
        cursor.expect("INSERT");
        List<Name> columns = dml.atColumns() ? dml.columns() : List.of();
        InsertSource source = dml.source();
        if (source instanceof InsertSource.Defaults) {
            return new MergeWhen(matched, condition, Action.INSERT, columns, List.of(), List.of(), position);
        }
        if (source instanceof InsertSource.Rows rows && rows.rows().size() == 1) {
            return new MergeWhen(
                    matched, condition, Action.INSERT, columns, rows.rows().get(0), List.of(), position);
        }
        throw cursor.unsupported("source of an INSERT in MERGE", source.position());
    }

    private static MergeWhen when(
            Matched matched, @Nullable Expr condition, Action action, List<Assignment> updates, int position) {
        return new MergeWhen(matched, condition, action, List.of(), List.of(), updates, position);
    }
}
