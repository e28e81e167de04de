package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Limit;
import io.leeway.privoxy.internal.sql.ast.Locking;
import io.leeway.privoxy.internal.sql.ast.Locking.Strength;
import io.leeway.privoxy.internal.sql.ast.Locking.Wait;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.OrderItem;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.QueryBody.SetKind;
import io.leeway.privoxy.internal.sql.ast.Statement;
import io.leeway.privoxy.internal.sql.ast.With;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Queries: WITH, set operations, VALUES, TABLE, and the clauses behind them. SELECT itself is read by
 * {@link SelectParser}.
 *
 * <p>What an ORDER BY or a LIMIT belongs to is decided here: those behind the last side of a UNION are the whole's,
 * those in parentheses the side's. Databases agree on that; where one does not keep to it (H2 with an order behind
 * parentheses) the normaliser refuses.
 */
final class QueryParser {

    private final Grammar grammar;
    private final Cursor cursor;
    private final SelectParser selects;

    QueryParser(Grammar grammar) {
        this.grammar = grammar;
        this.cursor = grammar.cursor();
        this.selects = new SelectParser(grammar);
    }

    SelectParser selects() {
        return selects;
    }

    /** Whether a word that begins a query stands here. */
    boolean atQueryWord() {
        if (!cursor.at(TokenKind.WORD)) {
            return false;
        }
        return cursor.at("SELECT")
                || cursor.at("WITH")
                || cursor.at("VALUES") && (cursor.kind(1) == TokenKind.LEFT_PAREN || cursor.at(1, "ROW"))
                || cursor.at("TABLE") && (cursor.kind(1) == TokenKind.WORD || cursor.kind(1) == TokenKind.QUOTED)
                || cursor.isH2() && cursor.at("VALUES");
    }

    /** Whether what stands behind a query in parentheses makes it part of a larger query. */
    boolean atContinuation() {
        return cursor.at(TokenKind.RIGHT_PAREN)
                || cursor.atAny("UNION", "EXCEPT", "INTERSECT", "ORDER", "LIMIT", "OFFSET", "FETCH", "FOR", "MINUS");
    }

    /** A query whose first operand, in parentheses, has been read. */
    Query continueWith(Query first, int position) {
        QueryBody left = setOperations(new QueryBody.Nested(first, position));
        return clauses(null, left, position);
    }

    /** A query. */
    Query query() {
        cursor.enter();
        int position = cursor.position();
        With with = with();
        Query query = clauses(with, body(), position);
        cursor.leave();
        return query;
    }

    /** A query whose WITH clause has been read. */
    Query queryAfter(@Nullable With with, int position) {
        return clauses(with, body(), position);
    }

    // --- WITH --------------------------------------------------------------------------------------------------------

    /** A WITH clause, or null. */
    @Nullable
    With with() {
        if (!cursor.at("WITH")) {
            return null;
        }
        int position = cursor.position();
        cursor.next();
        boolean recursive = cursor.accept("RECURSIVE");
        // INTO belongs to the statement's own SELECT, which comes behind.
        boolean into = selects.suspendInto();
        var tables = new ArrayList<With.CommonTable>();
        do {
            tables.add(commonTable());
        } while (cursor.accept(TokenKind.COMMA));
        selects.resumeInto(into);
        return new With(recursive, tables, position);
    }

    private With.CommonTable commonTable() {
        Name name = cursor.name(Keywords.NOT_TABLE);
        List<Name> columns = cursor.at(TokenKind.LEFT_PAREN) ? names() : List.of();
        cursor.expect("AS");
        if (!cursor.isMariaDb()) {
            if (!cursor.accept("NOT", "MATERIALIZED")) {
                cursor.accept("MATERIALIZED");
            }
        }
        cursor.enter();
        cursor.expect(TokenKind.LEFT_PAREN);
        boolean write = cursor.isPostgres() && cursor.atAny("INSERT", "UPDATE", "DELETE", "MERGE");
        Statement statement = write ? grammar.dml().statement(null) : new Statement.Select(query());
        cursor.expect(TokenKind.RIGHT_PAREN);
        cursor.leave();
        // They add columns to the result.
        if (cursor.atAny("SEARCH", "CYCLE")) {
            throw cursor.unexpected();
        }
        return new With.CommonTable(name, columns, statement);
    }

    /** Names in parentheses. */
    List<Name> names() {
        var names = new ArrayList<Name>();
        cursor.expect(TokenKind.LEFT_PAREN);
        do {
            names.add(cursor.name(Keywords.NOT_COLUMN));
        } while (cursor.accept(TokenKind.COMMA));
        cursor.expect(TokenKind.RIGHT_PAREN);
        return names;
    }

    // --- set operations ----------------------------------------------------------------------------------------------

    private QueryBody body() {
        return setOperations(term());
    }

    /**
     * UNION and EXCEPT to the left, INTERSECT before both; the first operand has been read.
     *
     * <p>To the left matters for EXCEPT: {@code a EXCEPT b EXCEPT c} takes c from what is left of a.
     */
    private QueryBody setOperations(QueryBody first) {
        QueryBody left = intersections(first);
        for (int chain = 0; ; chain++) {
            SetKind kind;
            int position = cursor.position();
            if (cursor.accept("UNION")) {
                kind = SetKind.UNION;
            } else if (cursor.accept("EXCEPT") || cursor.isH2() && cursor.accept("MINUS")) {
                kind = SetKind.EXCEPT;
            } else {
                return left;
            }
            cursor.checkChain(chain);
            boolean all = all();
            // INTERSECT binds first in all three, in MariaDB since it has it.
            left = new QueryBody.SetOperation(kind, all, left, intersections(term()), position);
        }
    }

    private QueryBody intersections(QueryBody first) {
        QueryBody left = first;
        for (int chain = 0; cursor.at("INTERSECT"); chain++) {
            cursor.checkChain(chain);
            int position = cursor.position();
            cursor.next();
            boolean all = all();
            left = new QueryBody.SetOperation(SetKind.INTERSECT, all, left, term(), position);
        }
        return left;
    }

    private boolean all() {
        if (cursor.accept("ALL")) {
            return true;
        }
        cursor.accept("DISTINCT");
        return false;
    }

    /** One operand of a set operation. In parentheses it is a whole query, with an order and a limit of its own. */
    private QueryBody term() {
        int position = cursor.position();
        if (cursor.at(TokenKind.LEFT_PAREN)) {
            cursor.enter();
            cursor.next();
            selects.suspendInto();
            Query query = query();
            cursor.expect(TokenKind.RIGHT_PAREN);
            cursor.leave();
            return new QueryBody.Nested(query, position);
        }
        if (cursor.at("SELECT")) {
            return selects.select();
        }
        if (cursor.accept("TABLE")) {
            return new QueryBody.Table(cursor.qualifiedName(Keywords.NOT_TABLE), position);
        }
        if (cursor.accept("VALUES")) {
            return new QueryBody.Values(rows(), position);
        }
        throw cursor.unexpected();
    }

    /** Rows of VALUES. */
    List<List<Expr>> rows() {
        var rows = new ArrayList<List<Expr>>();
        do {
            rows.add(row());
        } while (cursor.accept(TokenKind.COMMA));
        return rows;
    }

    private List<Expr> row() {
        if (cursor.isH2() && !cursor.at(TokenKind.LEFT_PAREN) && !cursor.at("ROW")) {
            return List.of(grammar.expressions().expression());
        }
        cursor.accept("ROW");
        cursor.expect(TokenKind.LEFT_PAREN);
        List<Expr> values = cursor.at(TokenKind.RIGHT_PAREN)
                ? List.of()
                : grammar.expressions().list();
        cursor.expect(TokenKind.RIGHT_PAREN);
        return values;
    }

    // --- clauses behind ----------------------------------------------------------------------------------------------

    /**
     * ORDER BY, LIMIT and locks, in the orders in which databases take them. Locks are kept, as rows that are locked
     * are read as they are now and not as the snapshot shows them.
     */
    private Query clauses(@Nullable With with, QueryBody body, int position) {
        List<OrderItem> orderBy = cursor.at("ORDER") ? orderBy() : List.of();
        // Where an ORDER BY would go in the text, if one has to be added.
        int end = cursor.index();
        var locking = new ArrayList<Locking>();
        locking(locking);
        Limit limit = limit();
        locking(locking);
        selects.refuseInto();
        return new Query(with, body, orderBy, limit, locking, end, position);
    }

    /** ORDER BY and its keys. */
    List<OrderItem> orderBy() {
        cursor.expect("ORDER");
        // Oracle's clause, which H2 reads and ignores.
        if (cursor.at("SIBLINGS")) {
            throw cursor.unexpected();
        }
        cursor.expect("BY");
        var items = new ArrayList<OrderItem>();
        do {
            items.add(orderItem());
        } while (cursor.accept(TokenKind.COMMA));
        return items;
    }

    private OrderItem orderItem() {
        boolean inParentheses = cursor.at(TokenKind.LEFT_PAREN);
        Expr key = grammar.expressions().expression();
        if (inParentheses && isNumber(key)) {
            // The number of a column to some databases, a constant to others.
            throw cursor.unsupported("a number in parentheses in ORDER BY");
        }
        if (cursor.isPostgres() && cursor.at("USING")) {
            // By an operator, which may be a user's.
            throw cursor.unsupported("ORDER BY … USING");
        }
        boolean descending = cursor.accept("DESC");
        if (!descending) {
            cursor.accept("ASC");
        }
        Boolean nullsFirst = null;
        if (!cursor.isMariaDb() && cursor.at("NULLS")) {
            cursor.next();
            nullsFirst = cursor.accept("FIRST");
            if (!nullsFirst) {
                cursor.expect("LAST");
            }
        }
        return new OrderItem(key, descending, nullsFirst);
    }

    /** Whether an expression is a whole number and nothing else. */
    static boolean isNumber(Expr expression) {
        return expression instanceof Expr.Literal literal && literal.kind() == Expr.LiteralKind.INTEGER;
    }

    /** LIMIT, OFFSET, FETCH in the order they are written, or null. */
    @Nullable
    Limit limit() {
        int position = cursor.position();
        Expr count = null;
        Expr offset = null;
        boolean withTies = false;
        boolean any = false;
        while (cursor.atAny("LIMIT", "OFFSET", "FETCH")) {
            boolean counts = !cursor.at("OFFSET");
            // Which of two limits would count?
            if (counts ? count != null : offset != null) {
                throw cursor.unexpected();
            }
            any = true;
            if (cursor.accept("OFFSET")) {
                offset = grammar.expressions().expression();
                if (!cursor.accept("ROWS")) {
                    cursor.accept("ROW");
                }
            } else if (cursor.accept("LIMIT")) {
                count = limitCount();
                if (cursor.isMariaDb() && cursor.accept(TokenKind.COMMA)) {
                    // LIMIT 10, 5 skips ten.
                    offset = count;
                    count = grammar.expressions().expression();
                }
            } else {
                count = fetchCount();
                withTies = cursor.accept("WITH", "TIES");
                if (!withTies) {
                    cursor.expect("ONLY");
                }
            }
        }
        return any ? new Limit(count, offset, withTies, position) : null;
    }

    private @Nullable Expr limitCount() {
        if (cursor.isPostgres() && cursor.accept("ALL")) {
            return null;
        }
        return grammar.expressions().expression();
    }

    private Expr fetchCount() {
        cursor.expect("FETCH");
        if (!cursor.accept("FIRST")) {
            cursor.expect("NEXT");
        }
        int position = cursor.position();
        Expr count = cursor.atAny("ROW", "ROWS")
                // FETCH FIRST ROW ONLY is one row.
                ? new Expr.Literal(Expr.LiteralKind.INTEGER, "1", position)
                : grammar.expressions().operand();
        if (!cursor.accept("ROWS")) {
            cursor.expect("ROW");
        }
        return count;
    }

    private void locking(List<Locking> locking) {
        while (true) {
            int position = cursor.position();
            if (cursor.isMariaDb() && cursor.at("LOCK", "IN")) {
                cursor.next();
                cursor.next();
                cursor.expect("SHARE");
                cursor.expect("MODE");
                locking.add(new Locking(Strength.SHARE, List.of(), ifLocked(), position));
            } else if (cursor.at("FOR") && !cursor.at(1, "READ")) {
                cursor.next();
                Strength strength = strength();
                locking.add(new Locking(strength, lockedTables(), ifLocked(), position));
            } else if (cursor.isPostgres() && cursor.accept("FOR", "READ")) {
                cursor.expect("ONLY");
            } else {
                return;
            }
        }
    }

    private Strength strength() {
        if (cursor.accept("UPDATE")) {
            return Strength.UPDATE;
        }
        if (cursor.accept("SHARE")) {
            return Strength.SHARE;
        }
        if (cursor.accept("KEY", "SHARE")) {
            return Strength.KEY_SHARE;
        }
        if (cursor.accept("NO", "KEY")) {
            cursor.expect("UPDATE");
            return Strength.NO_KEY_UPDATE;
        }
        throw cursor.unexpected();
    }

    private List<QualifiedName> lockedTables() {
        var tables = new ArrayList<QualifiedName>();
        if (cursor.accept("OF")) {
            do {
                tables.add(cursor.qualifiedName(Keywords.NOT_TABLE));
            } while (cursor.accept(TokenKind.COMMA));
        }
        return tables;
    }

    private Wait ifLocked() {
        if (cursor.accept("NOWAIT")) {
            return Wait.NOWAIT;
        }
        if (cursor.accept("SKIP", "LOCKED")) {
            return Wait.SKIP_LOCKED;
        }
        if (!cursor.isPostgres() && cursor.accept("WAIT")) {
            // how long is of no matter
            grammar.primaries().primary();
        }
        return Wait.WAIT;
    }
}
