package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Alias;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.FromItem;
import io.leeway.privoxy.internal.sql.ast.FromItem.JoinKind;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import io.leeway.privoxy.internal.sql.ast.Query;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * FROM: tables, derived tables, functions, joins.
 *
 * <p>A join that wants a condition takes as its right side everything up to that condition: {@code a JOIN b JOIN c ON x
 * ON y} joins b and c first. MariaDB and H2 let the condition be left out, MariaDB's joins then go to the left and H2's
 * to the right; where that could matter it is refused.
 *
 * <p>Which tables a condition joins decides which rows are left out where an outer join is among them, so a join that
 * is read with another nesting is another query.
 */
final class FromParser {

    private final Grammar grammar;
    private final Cursor cursor;

    FromParser(Grammar grammar) {
        this.grammar = grammar;
        this.cursor = grammar.cursor();
    }

    /** Comma-separated items. */
    List<FromItem> items() {
        var items = new ArrayList<FromItem>();
        do {
            items.add(item());
        } while (cursor.accept(TokenKind.COMMA));
        return items;
    }

    /**
     * One item with its joins.
     *
     * <p>Joins of one item go from left to right, a comma binds less than they do.
     */
    FromItem item() {
        return chain(primary(), false);
    }

    /** Joins to the left; {@code nested} if the condition of an outer join is still to come. */
    private FromItem chain(FromItem first, boolean nested) {
        FromItem left = first;
        boolean bare = false;
        for (int chain = 0; atJoin(); chain++) {
            cursor.checkChain(chain);
            // Whether the bare join is on the left of it as a whole is not certain.
            if (bare && (cursor.at("RIGHT") || cursor.at("NATURAL"))) {
                throw cursor.unsupported("join behind one without a condition");
            }
            FromItem.Join join = join(left);
            bare |= cursor.isMariaDb() && isBare(join);
            if (nested && cursor.isH2() && isBare(join) && join.kind() != JoinKind.CROSS) {
                throw cursor.unsupported("nested join without a condition", join.position());
            }
            left = join;
        }
        return left;
    }

    private static boolean isBare(FromItem.Join join) {
        return join.on() == null && join.using().isEmpty() && !join.natural();
    }

    // --- joins -------------------------------------------------------------------------------------------------------

    // Word by word: an alias could be called JOIN in no database, but FULL is one to MariaDB.
    private boolean atJoin() {
        if (!cursor.at(TokenKind.WORD)) {
            return false;
        }
        return cursor.at("JOIN")
                || cursor.at("INNER")
                || cursor.at("CROSS")
                || cursor.at("NATURAL")
                || cursor.at("LEFT")
                || cursor.at("RIGHT")
                || cursor.at("FULL") && !cursor.isMariaDb()
                || cursor.at("STRAIGHT_JOIN") && cursor.isMariaDb();
    }

    private FromItem.Join join(FromItem left) {
        int position = cursor.position();
        boolean natural = cursor.accept("NATURAL");
        boolean cross = !natural && cursor.at("CROSS");
        JoinKind kind = joinKind(natural);
        FromItem right = primary();
        // Without a condition, so nothing behind can belong to it.
        if (natural) {
            if (cursor.isH2() && (left instanceof FromItem.Join || right instanceof FromItem.Join)) {
                // H2 compares with the table before it only
                throw cursor.unsupported("NATURAL JOIN of a join", position);
            }
            return new FromItem.Join(kind, true, left, right, null, List.of(), position);
        }
        boolean outer = kind == JoinKind.LEFT || kind == JoinKind.RIGHT || kind == JoinKind.FULL;
        // Where a condition has to come, joins up to it belong to the right side.
        boolean required = cursor.isPostgres() && !cross || cursor.isMariaDb() && outer;
        if (cross && !cursor.isMariaDb()) {
            return new FromItem.Join(kind, false, left, right, null, List.of(), position);
        }
        if (required || cursor.isH2()) {
            right = upToCondition(right);
        }
        return condition(kind, left, right, required, position);
    }

    /** Joins that stand before the condition belong to the right side. */
    private FromItem upToCondition(FromItem first) {
        cursor.enter();
        FromItem right = chain(first, true);
        cursor.leave();
        return right;
    }

    private FromItem.Join condition(JoinKind kind, FromItem left, FromItem right, boolean required, int position) {
        if (cursor.accept("ON")) {
            Expr on = grammar.expressions().expression();
            return new FromItem.Join(withCondition(kind), false, left, right, on, List.of(), position);
        }
        if (cursor.at("USING")) {
            if (cursor.isH2() && right instanceof FromItem.Join) {
                // H2 looks for the columns in the first table of the right side only
                throw cursor.unsupported("USING with a join on its right");
            }
            cursor.next();
            List<Name> using = grammar.queries().names();
            if (cursor.isPostgres() && cursor.at("AS")) {
                throw cursor.unsupported("alias of USING");
            }
            return new FromItem.Join(withCondition(kind), false, left, right, null, using, position);
        }
        if (required || cursor.isH2() && kind != JoinKind.INNER) {
            throw cursor.unexpected();
        }
        return new FromItem.Join(JoinKind.CROSS, false, left, right, null, List.of(), position);
    }

    /** CROSS JOIN … ON (MariaDB) is an inner join. */
    private static JoinKind withCondition(JoinKind kind) {
        return kind == JoinKind.CROSS ? JoinKind.INNER : kind;
    }

    private JoinKind joinKind(boolean natural) {
        if (!natural && cursor.accept("CROSS")) {
            cursor.expect("JOIN");
            return JoinKind.CROSS;
        }
        if (!natural && cursor.isMariaDb() && cursor.accept("STRAIGHT_JOIN")) {
            return JoinKind.INNER;
        }
        JoinKind kind = JoinKind.INNER;
        if (!cursor.accept("INNER")) {
            if (cursor.accept("LEFT")) {
                kind = JoinKind.LEFT;
            } else if (cursor.accept("RIGHT")) {
                kind = JoinKind.RIGHT;
            } else if (!cursor.isMariaDb() && cursor.accept("FULL")) {
                kind = JoinKind.FULL;
            }
            if (kind != JoinKind.INNER) {
                cursor.accept("OUTER");
            }
        }
        cursor.expect("JOIN");
        return kind;
    }

    // --- primaries ---------------------------------------------------------------------------------------------------

    private FromItem primary() {
        int position = cursor.position();
        boolean lateral = cursor.accept("LATERAL");
        if (cursor.at(TokenKind.LEFT_PAREN)) {
            return parenthesised(lateral, position);
        }
        if (cursor.at(TokenKind.LEFT_BRACE)) {
            return outerJoinEscape();
        }
        if (cursor.isPostgres() && cursor.at("ONLY")) {
            return only();
        }
        if (cursor.isH2() && cursor.at("VALUES")) {
            throw cursor.unexpected();
        }
        if (isCall()) {
            return function(lateral, position);
        }
        if (lateral) {
            throw cursor.unexpected();
        }
        QualifiedName name = cursor.qualifiedName(Keywords.NOT_TABLE);
        // t * is t with its descendants, as t alone is.
        if (cursor.isPostgres()) {
            cursor.acceptOperator("*");
        }
        refuseBefore();
        Alias alias = alias();
        refuseBehind();
        return new FromItem.Table(name, false, alias);
    }

    private FromItem only() {
        cursor.next();
        boolean parenthesis = cursor.accept(TokenKind.LEFT_PAREN);
        QualifiedName name = cursor.qualifiedName(Keywords.NOT_TABLE);
        if (parenthesis) {
            cursor.expect(TokenKind.RIGHT_PAREN);
        }
        Alias alias = alias();
        refuseBehind();
        return new FromItem.Table(name, true, alias);
    }

    /**
     * A query, or joins, in parentheses.
     *
     * <p>A derived table and joins in parentheses begin alike; read as the other each would be refused or mean another
     * query.
     */
    private FromItem parenthesised(boolean lateral, int position) {
        cursor.enter();
        FromItem item;
        if (holdsQuery()) {
            Query query = grammar.expressions().subquery();
            item = new FromItem.Derived(query, lateral, alias(), position);
        } else {
            if (lateral) {
                throw cursor.unexpected();
            }
            item = joins();
        }
        cursor.leave();
        return item;
    }

    /**
     * Whether the parentheses here hold a query. {@code ((SELECT …) UNION …)} do, {@code ((SELECT …) t JOIN …)} do not:
     * what follows the inner parentheses tells.
     */
    private boolean holdsQuery() {
        int start = cursor.index();
        int depth = 0;
        while (cursor.at(TokenKind.LEFT_PAREN)) {
            cursor.next();
            depth++;
        }
        boolean query = grammar.queries().atQueryWord();
        for (int open = depth; query && open > 1; open--) {
            skipToClosing();
            query = grammar.queries().atContinuation();
        }
        cursor.reset(start);
        return query;
    }

    /** Goes behind the parenthesis that closes the group in which the cursor is. */
    private void skipToClosing() {
        int depth = 1;
        while (depth > 0 && !cursor.at(TokenKind.END)) {
            if (cursor.at(TokenKind.LEFT_PAREN)) {
                depth++;
            } else if (cursor.at(TokenKind.RIGHT_PAREN)) {
                depth--;
            }
            cursor.next();
        }
    }

    private FromItem joins() {
        cursor.expect(TokenKind.LEFT_PAREN);
        FromItem item = item();
        while (cursor.isMariaDb() && cursor.at(TokenKind.COMMA)) {
            int comma = cursor.position();
            cursor.next();
            item = new FromItem.Join(JoinKind.CROSS, false, item, item(), null, List.of(), comma);
        }
        cursor.expect(TokenKind.RIGHT_PAREN);
        if (cursor.at("AS") || cursor.atName(Keywords.NOT_TABLE) && !isClauseWord()) {
            // It hides the names of the tables in it, on PostgreSQL; the others do not have it.
            throw cursor.unsupported("alias of a join");
        }
        return item;
    }

    /** Unreserved words that begin a clause behind FROM. */
    private boolean isClauseWord() {
        return cursor.at("SET") || cursor.at(TokenKind.WORD) && !cursor.atName(Keywords.NOT_BARE_LABEL);
    }

    /** JDBC's <code>{oj …}</code>. */
    private FromItem outerJoinEscape() {
        grammar.primaries().checkBraces();
        cursor.next();
        cursor.expect("OJ");
        FromItem item = item();
        cursor.expect(TokenKind.RIGHT_BRACE);
        return item;
    }

    private boolean isCall() {
        int ahead = 0;
        while (cursor.kind(ahead + 1) == TokenKind.DOT) {
            ahead += 2;
        }
        return cursor.kind(ahead + 1) == TokenKind.LEFT_PAREN
                && (cursor.kind(ahead) == TokenKind.WORD || cursor.kind(ahead) == TokenKind.QUOTED);
    }

    private FromItem function(boolean lateral, int position) {
        // Each has a syntax of its own in which columns are defined.
        if (cursor.isMariaDb() || cursor.at("ROWS", "FROM") || cursor.atAny("TABLE", "XMLTABLE", "JSON_TABLE")) {
            throw cursor.unsupported("function in FROM");
        }
        Expr call = grammar.functions().call(!cursor.at(TokenKind.QUOTED));
        boolean ordinality = cursor.accept("WITH", "ORDINALITY");
        Alias alias = functionAlias();
        return new FromItem.Function(call, lateral, ordinality, alias, position);
    }

    private @Nullable Alias functionAlias() {
        if (cursor.at("AS") && cursor.kind(1) == TokenKind.LEFT_PAREN) {
            // A function that gives records of any shape, which none of the known ones does.
            throw cursor.unsupported("column definitions of a function");
        }
        return alias();
    }

    /** An alias with names of columns, or null. */
    @Nullable
    Alias alias() {
        boolean as = cursor.accept("AS");
        if (!as && (!cursor.atName(Keywords.NOT_TABLE) || isClauseStart())) {
            return null;
        }
        Name name = cursor.name(Keywords.NOT_TABLE);
        boolean columns = cursor.at(TokenKind.LEFT_PAREN) && !cursor.isMariaDb();
        columns |= cursor.isMariaDb() && cursor.at(TokenKind.LEFT_PAREN) && isNameList();
        return new Alias(name, columns ? grammar.queries().names() : List.of());
    }

    /** An alias is not taken from UPDATE t SET. */
    private boolean isClauseStart() {
        return cursor.at("SET") || cursor.isH2() && cursor.at("USE", "INDEX");
    }

    private boolean isNameList() {
        return cursor.kind(1) == TokenKind.WORD || cursor.kind(1) == TokenKind.QUOTED;
    }

    /** A partition or an earlier version is other rows of the table than the policy speaks of. */
    private void refuseBefore() {
        if (cursor.isMariaDb() && cursor.at("PARTITION") || cursor.isMariaDb() && cursor.at("FOR", "SYSTEM_TIME")) {
            throw cursor.unexpected();
        }
    }

    private void refuseBehind() {
        // Rows by chance, or by where they are stored.
        if (cursor.at("TABLESAMPLE")) {
            throw cursor.unexpected();
        }
        // It would choose the index by which rows come (RowOrderIT.hintsAndSettingsThatChooseAPlanAreRefused).
        if (!cursor.isPostgres() && isIndexHint()) {
            throw cursor.unsupported("an index hint, which chooses the order of rows,");
        }
    }

    private boolean isIndexHint() {
        return cursor.atAny("USE", "FORCE", "IGNORE") && (cursor.at(1, "INDEX") || cursor.at(1, "KEY"));
    }
}
