package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.FromItem;
import io.leeway.privoxy.internal.sql.ast.GroupItem;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import io.leeway.privoxy.internal.sql.ast.QueryBody;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import io.leeway.privoxy.internal.sql.ast.Window;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * SELECT, from its list to its windows.
 *
 * <p>Clauses are read in the one order that the grammar of all three has; a clause out of order ends the SELECT, and
 * what follows is then refused by whoever reads on.
 */
final class SelectParser {

    private final Grammar grammar;
    private final Cursor cursor;

    /** Whether INTO may stand in the SELECT that is read next: PostgreSQL allows it in the first one of a statement. */
    private boolean intoAllowed;

    private @Nullable IntoTarget into;

    SelectParser(Grammar grammar) {
        this.grammar = grammar;
        this.cursor = grammar.cursor();
    }

    /** The table that SELECT … INTO makes. */
    record IntoTarget(QualifiedName table, boolean temporary) {}

    /** Allows INTO in the SELECT that comes first in what is read next. */
    void allowInto() {
        intoAllowed = cursor.isPostgres();
        into = null;
    }

    /** The target of INTO in what was read since {@link #allowInto}, or null. */
    @Nullable
    IntoTarget takeInto() {
        IntoTarget target = into;
        into = null;
        intoAllowed = false;
        return target;
    }

    /** Forbids INTO for a while; what {@link #resumeInto} wants. */
    boolean suspendInto() {
        boolean allowed = intoAllowed;
        intoAllowed = false;
        return allowed;
    }

    void resumeInto(boolean allowed) {
        intoAllowed = allowed;
    }

    QueryBody.Select select() {
        int position = cursor.position();
        // Once: a SELECT inside this one must not make a table.
        boolean mayInto = intoAllowed;
        intoAllowed = false;
        cursor.expect("SELECT");
        if (cursor.isH2() && cursor.at("TOP")) {
            // TOP + 1 takes one row and no column, TOP.a is refused: never a name
            throw cursor.unsupported("TOP");
        }
        refuseHints();
        boolean distinct = quantifier();
        List<Expr> distinctOn = distinctOn(distinct);
        List<SelectItem> items = items();
        into(mayInto);
        List<FromItem> from = cursor.accept("FROM") ? from() : List.of();
        into(false);
        Expr where = cursor.accept("WHERE") ? grammar.expressions().expression() : null;
        boolean groupDistinct = false;
        List<GroupItem> groupBy = List.of();
        if (cursor.accept("GROUP")) {
            cursor.expect("BY");
            if (cursor.isPostgres()) {
                groupDistinct = cursor.accept("DISTINCT");
                if (!groupDistinct) {
                    cursor.accept("ALL");
                }
            }
            groupBy = groupBy();
        }
        Expr having = cursor.accept("HAVING") ? grammar.expressions().expression() : null;
        List<Window.Named> windows = cursor.accept("WINDOW") ? windows() : List.of();
        Expr qualify = cursor.isH2() && cursor.accept("QUALIFY")
                ? grammar.expressions().expression()
                : null;
        if (windows.isEmpty() && qualify != null && cursor.isH2() && cursor.accept("WINDOW")) {
            windows = windows();
        }
        refuseInto();
        return new QueryBody.Select(
                distinct, distinctOn, items, from, where, groupBy, groupDistinct, having, windows, qualify, position);
    }

    // --- before the list ---------------------------------------------------------------------------------------------

    /** Passes MariaDB's options that change no row, and refuses those that count rows or keep them for others. */
    private void refuseHints() {
        if (cursor.isMariaDb()) {
            while (cursor.atAny("HIGH_PRIORITY", "STRAIGHT_JOIN", "SQL_SMALL_RESULT", "SQL_BIG_RESULT")) {
                cursor.next();
            }
            // MariaDB lets a column be called so.
            if (cursor.at("SQL_NO_CACHE") && !isOperandBehind()) {
                cursor.next();
            }
            // SQL_CALC_FOUND_ROWS counts what a LIMIT cuts off, for FOUND_ROWS() afterwards.
            if (cursor.atAny("SQL_CALC_FOUND_ROWS", "SQL_CACHE", "SQL_BUFFER_RESULT")) {
                throw cursor.unexpected();
            }
        }
    }

    /** Whether a word that may be an option is the first expression. */
    private boolean isOperandBehind() {
        if (cursor.kind(1) == TokenKind.COMMA || cursor.at(1, "FROM") || cursor.kind(1) == TokenKind.END) {
            throw cursor.unexpected();
        }
        return false;
    }

    /** DISTINCT or ALL; true for DISTINCT. */
    private boolean quantifier() {
        if (cursor.accept("DISTINCT") || cursor.isMariaDb() && cursor.accept("DISTINCTROW")) {
            refuseHints();
            return true;
        }
        if (cursor.accept("ALL")) {
            refuseHints();
        }
        return false;
    }

    private List<Expr> distinctOn(boolean distinct) {
        // To MariaDB ON cannot stand there.
        if (!distinct || cursor.isMariaDb() || !cursor.accept("ON")) {
            return List.of();
        }
        cursor.expect(TokenKind.LEFT_PAREN);
        List<Expr> keys = grammar.expressions().list();
        cursor.expect(TokenKind.RIGHT_PAREN);
        return keys;
    }

    // --- the list ----------------------------------------------------------------------------------------------------

    /**
     * A select list; also that of RETURNING.
     *
     * <p>On PostgreSQL it may be empty; to the others that is an error.
     */
    List<SelectItem> items() {
        if (cursor.isPostgres() && isEmptyList()) {
            return List.of();
        }
        var items = new ArrayList<SelectItem>();
        do {
            items.add(item());
        } while (cursor.accept(TokenKind.COMMA));
        return items;
    }

    // SELECT FROM t has rows without columns on PostgreSQL, and how many these are is seen.
    private boolean isEmptyList() {
        return cursor.atEnd()
                || cursor.at(TokenKind.RIGHT_PAREN)
                || cursor.atAny(
                        "FROM",
                        "WHERE",
                        "GROUP",
                        "HAVING",
                        "WINDOW",
                        "UNION",
                        "EXCEPT",
                        "INTERSECT",
                        "ORDER",
                        "LIMIT",
                        "OFFSET",
                        "FETCH",
                        "FOR",
                        "INTO");
    }

    private SelectItem item() {
        int position = cursor.position();
        if (cursor.acceptOperator("*")) {
            return new SelectItem.All(null, except(), position);
        }
        if (isQualifiedStar()) {
            QualifiedName qualifier = cursor.qualifiedName(Keywords.NOT_COLUMN);
            cursor.expect(TokenKind.DOT);
            cursor.expectOperator("*");
            return new SelectItem.All(qualifier, except(), position);
        }
        Expr value = grammar.expressions().expression();
        // MariaDB calls a column without an alias by its text.
        String text = cursor.tokens().sql().substring(position, cursor.previousEnd());
        return new SelectItem.Value(value, alias(), text);
    }

    /** Looked for before an expression is read, as {@code t.a * 2} begins like {@code t.*}. */
    private boolean isQualifiedStar() {
        int ahead = 0;
        while ((cursor.kind(ahead) == TokenKind.WORD || cursor.kind(ahead) == TokenKind.QUOTED)
                && cursor.kind(ahead + 1) == TokenKind.DOT) {
            ahead += 2;
        }
        return ahead > 0 && cursor.atOperator(ahead, "*");
    }

    /** H2's {@code * EXCEPT (a, b)}. */
    private List<QualifiedName> except() {
        if (!cursor.isH2() || !cursor.at("EXCEPT") || cursor.kind(1) != TokenKind.LEFT_PAREN) {
            return List.of();
        }
        // SELECT * EXCEPT (SELECT …) is a set operation.
        if (cursor.kind(2) != TokenKind.QUOTED && cursor.kind(2) != TokenKind.WORD || cursor.at(2, "SELECT")) {
            return List.of();
        }
        cursor.next();
        cursor.next();
        var columns = new ArrayList<QualifiedName>();
        do {
            columns.add(cursor.qualifiedName(Keywords.NOT_COLUMN));
        } while (cursor.accept(TokenKind.COMMA));
        cursor.expect(TokenKind.RIGHT_PAREN);
        return columns;
    }

    private @Nullable Name alias() {
        boolean as = cursor.accept("AS");
        if (cursor.isMariaDb() && cursor.at(TokenKind.STRING)) {
            // An empty name stands here for one that is not known.
            if (cursor.text().isEmpty()) {
                throw cursor.unsupported("empty alias");
            }
            if (cursor.text().indexOf('\0') >= 0) {
                // Which a string may have as an escape, and a name may not.
                throw cursor.unsupported("NUL character in an alias");
            }
            Name name = Name.of(cursor.text(), cursor.position());
            cursor.next();
            return name;
        }
        if (as) {
            return cursor.name(Keywords.NOT_LABEL);
        }
        return cursor.atName(Keywords.NOT_BARE_LABEL) ? cursor.name(Keywords.NOT_BARE_LABEL) : null;
    }

    // --- INTO --------------------------------------------------------------------------------------------------------

    private void into(boolean allowed) {
        if (!cursor.at("INTO")) {
            return;
        }
        if (!allowed) {
            throw cursor.unsupported("INTO");
        }
        cursor.next();
        boolean temporary = cursor.accept("LOCAL") || cursor.accept("GLOBAL");
        temporary |= cursor.accept("TEMPORARY") || cursor.accept("TEMP");
        cursor.accept("UNLOGGED");
        cursor.accept("TABLE");
        // SELECT … INTO t is CREATE TABLE t AS …, and is decided on as that.
        into = new IntoTarget(cursor.qualifiedName(Keywords.NOT_TABLE), temporary);
    }

    /**
     * INTO behind the clauses is MariaDB's: variables or a file of the server.
     *
     * <p>{@code PROCEDURE ANALYSE()} shows statistics of the rows.
     */
    void refuseInto() {
        if (cursor.at("INTO") || cursor.isMariaDb() && cursor.at("PROCEDURE")) {
            throw cursor.unexpected();
        }
    }

    // --- clauses -----------------------------------------------------------------------------------------------------

    private List<FromItem> from() {
        // reserved in MariaDB; in H2 a table may be called so and is looked for
        boolean dual = cursor.at("DUAL") && cursor.isMariaDb();
        if (dual && cursor.kind(1) != TokenKind.DOT) {
            cursor.next();
            if (cursor.at(TokenKind.COMMA) || cursor.atName(Keywords.NOT_TABLE) || cursor.at("AS")) {
                throw cursor.unsupported("DUAL beside a table");
            }
            return List.of();
        }
        return grammar.from().items();
    }

    private List<GroupItem> groupBy() {
        var items = new ArrayList<GroupItem>();
        do {
            items.add(groupItem());
        } while (cursor.accept(TokenKind.COMMA));
        if (cursor.isMariaDb() && cursor.at("WITH", "ROLLUP")) {
            int position = cursor.position();
            cursor.next();
            cursor.next();
            return List.of(new GroupItem.Rollup(values(items), position));
        }
        return items;
    }

    private static List<Expr> values(List<GroupItem> items) {
        var values = new ArrayList<Expr>();
        for (GroupItem item : items) {
            if (item instanceof GroupItem.Value value) {
                values.add(value.expr());
            }
        }
        return values;
    }

    /**
     * One thing to group by. Sets of groups are told apart from plain ones, as they put each row into several groups
     * and have one of no rows at all.
     */
    private GroupItem groupItem() {
        int position = cursor.position();
        if (!cursor.isMariaDb() && cursor.at(TokenKind.LEFT_PAREN) && cursor.kind(1) == TokenKind.RIGHT_PAREN) {
            cursor.next();
            cursor.next();
            return new GroupItem.Empty(position);
        }
        boolean call = cursor.kind(1) == TokenKind.LEFT_PAREN && cursor.atAny("ROLLUP", "CUBE");
        if (call && cursor.isPostgres()) {
            boolean rollup = cursor.at("ROLLUP");
            cursor.next();
            List<Expr> values = parenthesisedList();
            return rollup ? new GroupItem.Rollup(values, position) : new GroupItem.Cube(values, position);
        }
        // To the others ROLLUP (a) would be a call, or is not there.
        if (call || cursor.at("GROUPING", "SETS") && !cursor.isPostgres()) {
            throw cursor.unexpected();
        }
        if (cursor.accept("GROUPING", "SETS")) {
            cursor.enter();
            cursor.expect(TokenKind.LEFT_PAREN);
            List<GroupItem> sets = groupBy();
            cursor.expect(TokenKind.RIGHT_PAREN);
            cursor.leave();
            return new GroupItem.Sets(sets, position);
        }
        boolean inParentheses = cursor.at(TokenKind.LEFT_PAREN);
        Expr value = grammar.expressions().expression();
        List<Expr> parts = value instanceof Expr.Row row ? row.values() : List.of(value);
        if (inParentheses && parts.stream().anyMatch(QueryParser::isNumber)) {
            // The number of a column to some databases, a constant to others.
            throw cursor.unsupported("a number in parentheses in GROUP BY");
        }
        if (cursor.isMariaDb() && !cursor.accept("DESC")) {
            cursor.accept("ASC");
        }
        return new GroupItem.Value(value);
    }

    private List<Expr> parenthesisedList() {
        cursor.enter();
        cursor.expect(TokenKind.LEFT_PAREN);
        List<Expr> values = grammar.expressions().list();
        cursor.expect(TokenKind.RIGHT_PAREN);
        cursor.leave();
        return values;
    }

    private List<Window.Named> windows() {
        var windows = new ArrayList<Window.Named>();
        do {
            Name name = cursor.name(Keywords.NOT_COLUMN);
            cursor.expect("AS");
            windows.add(new Window.Named(name, grammar.functions().window()));
        } while (cursor.accept(TokenKind.COMMA));
        return windows;
    }
}
