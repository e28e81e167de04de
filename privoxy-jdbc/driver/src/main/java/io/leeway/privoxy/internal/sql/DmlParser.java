package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Alias;
import io.leeway.privoxy.internal.sql.ast.Assignment;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.FromItem;
import io.leeway.privoxy.internal.sql.ast.InsertSource;
import io.leeway.privoxy.internal.sql.ast.Limit;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.OnConflict;
import io.leeway.privoxy.internal.sql.ast.OrderItem;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import io.leeway.privoxy.internal.sql.ast.SelectItem;
import io.leeway.privoxy.internal.sql.ast.Statement;
import io.leeway.privoxy.internal.sql.ast.Statement.InsertKind;
import io.leeway.privoxy.internal.sql.ast.With;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * INSERT, REPLACE, UPDATE, DELETE; MERGE is read by {@link MergeParser}.
 *
 * <p>What a statement writes is the database's matter; what it reads for that is decided on, so each clause in which
 * something can be read has to be in the tree, or be refused by name.
 */
final class DmlParser {

    private final Grammar grammar;
    private final Cursor cursor;
    private final MergeParser merges;

    DmlParser(Grammar grammar) {
        this.grammar = grammar;
        this.cursor = grammar.cursor();
        this.merges = new MergeParser(grammar, this);
    }

    /** A statement that writes; its WITH clause has been read. */
    Statement statement(@Nullable With with) {
        int position = with == null ? cursor.position() : with.position();
        if (cursor.at("INSERT") || cursor.isMariaDb() && cursor.at("REPLACE")) {
            return insert(with, position);
        }
        if (cursor.at("UPDATE")) {
            return update(with, position);
        }
        if (cursor.at("DELETE")) {
            return delete(with, position);
        }
        if (cursor.at("MERGE") && !cursor.isMariaDb()) {
            return merges.merge(with, position);
        }
        throw cursor.unexpected();
    }

    // --- INSERT ------------------------------------------------------------------------------------------------------

    /**
     * {@code REPLACE}, {@code INSERT IGNORE}, {@code ON CONFLICT} and {@code ON DUPLICATE KEY} are kept apart from a
     * plain INSERT: they tell whether a row was there.
     */
    private Statement insert(@Nullable With with, int position) {
        boolean replace = cursor.at("REPLACE");
        cursor.next();
        InsertKind kind = replace ? InsertKind.REPLACE : InsertKind.INSERT;
        if (cursor.isMariaDb()) {
            if (!cursor.accept("LOW_PRIORITY") && !cursor.accept("HIGH_PRIORITY")) {
                cursor.accept("DELAYED");
            }
            if (!replace && cursor.accept("IGNORE")) {
                kind = InsertKind.INSERT_IGNORE;
            }
            cursor.accept("INTO");
        } else {
            cursor.expect("INTO");
        }
        QualifiedName table = cursor.qualifiedName(Keywords.NOT_TABLE);
        // INSERT INTO t PARTITION (p) fails for rows that belong elsewhere.
        if (cursor.at("PARTITION")) {
            throw cursor.unexpected();
        }
        // ON CONFLICT DO UPDATE may call the old row by it.
        Name alias = cursor.isPostgres() && cursor.accept("AS") ? cursor.name(Keywords.NOT_TABLE) : null;
        List<Name> columns = atColumns() ? columns() : List.of();
        InsertSource source;
        if (cursor.isMariaDb() && columns.isEmpty() && cursor.at("SET")) {
            List<Assignment> assignments = set();
            // INSERT … SET a = 1, b = 2 is INSERT (a, b) VALUES (1, 2), but its values may name columns that stand
            // before them.
            columns = assignments.stream().map(a -> a.targets().get(0).last()).toList();
            source = new InsertSource.Rows(
                    List.of(assignments.stream().map(Assignment::value).toList()), position);
        } else {
            source = source();
        }
        OnConflict conflict = onConflict();
        return new Statement.Insert(
                with, kind, table, alias, columns, List.of(), source, conflict, returning(), position);
    }

    /**
     * Whether the parenthesis here holds columns, not a query.
     *
     * <p>{@code (SELECT …)} and {@code (a, b)} both begin with a parenthesis, and words that begin a query may name
     * columns.
     */
    boolean atColumns() {
        if (!cursor.at(TokenKind.LEFT_PAREN)) {
            return false;
        }
        TokenKind second = cursor.kind(1);
        if (second == TokenKind.QUOTED || second == TokenKind.RIGHT_PAREN && cursor.isMariaDb()) {
            return true;
        }
        return second == TokenKind.WORD
                && !cursor.at(1, "SELECT")
                && !cursor.at(1, "WITH")
                && (!cursor.at(1, "VALUES") || cursor.kind(2) != TokenKind.LEFT_PAREN)
                && (!cursor.at(1, "TABLE")
                        || cursor.kind(2) == TokenKind.COMMA
                        || cursor.kind(2) == TokenKind.RIGHT_PAREN);
    }

    /** Columns in parentheses; MariaDB allows none and qualifiers. */
    List<Name> columns() {
        cursor.expect(TokenKind.LEFT_PAREN);
        var columns = new ArrayList<Name>();
        if (cursor.isMariaDb() && cursor.accept(TokenKind.RIGHT_PAREN)) {
            return columns;
        }
        do {
            QualifiedName name = cursor.qualifiedName(Keywords.NOT_COLUMN);
            if (!name.isSimple() && !cursor.isMariaDb()) {
                // SET point.x = 1 writes a part of a value and keeps, so reads, the rest.
                throw cursor.unsupported("part of a column as target", name.position());
            }
            columns.add(name.last());
        } while (cursor.accept(TokenKind.COMMA));
        cursor.expect(TokenKind.RIGHT_PAREN);
        return columns;
    }

    /** VALUES, a query or DEFAULT VALUES. */
    InsertSource source() {
        int position = cursor.position();
        if (cursor.accept("DEFAULT", "VALUES")) {
            return new InsertSource.Defaults(position);
        }
        if (cursor.accept("OVERRIDING")) {
            // OVERRIDING USER VALUE puts another value in the place of the one that is given.
            cursor.expect("SYSTEM");
            cursor.expect("VALUE");
        }
        if (cursor.at("VALUES") || cursor.isMariaDb() && cursor.at("VALUE")) {
            cursor.next();
            var rows = grammar.queries().rows();
            // VALUES that is the beginning of a query would be rows that are copied, in an order.
            if (cursor.atAny("UNION", "EXCEPT", "INTERSECT", "ORDER", "LIMIT", "OFFSET", "FETCH")) {
                throw cursor.unexpected();
            }
            return new InsertSource.Rows(rows, position);
        }
        return new InsertSource.FromQuery(grammar.queries().query());
    }

    /** MariaDB's names no key: any unique index of the table may strike. */
    private @Nullable OnConflict onConflict() {
        int position = cursor.position();
        if (cursor.isMariaDb() && cursor.accept("ON", "DUPLICATE")) {
            cursor.expect("KEY");
            cursor.expect("UPDATE");
            return new OnConflict(true, List.of(), null, null, assignments(), null, position);
        }
        if (!cursor.isPostgres() || !cursor.accept("ON", "CONFLICT")) {
            return null;
        }
        List<Expr> keys = List.of();
        Expr keyWhere = null;
        Name constraint = null;
        if (cursor.accept(TokenKind.LEFT_PAREN)) {
            keys = grammar.expressions().list();
            cursor.expect(TokenKind.RIGHT_PAREN);
            // The condition of a partial index, by which it is found.
            keyWhere = cursor.accept("WHERE") ? grammar.expressions().expression() : null;
        } else if (cursor.accept("ON", "CONSTRAINT")) {
            constraint = cursor.name(Keywords.NOT_COLUMN);
        }
        cursor.expect("DO");
        if (cursor.accept("NOTHING")) {
            return new OnConflict(false, keys, keyWhere, constraint, List.of(), null, position);
        }
        cursor.expect("UPDATE");
        List<Assignment> updates = set();
        Expr where = cursor.accept("WHERE") ? grammar.expressions().expression() : null;
        return new OnConflict(false, keys, keyWhere, constraint, updates, where, position);
    }

    /** RETURNING. H2 has none; there it says which columns are asked for as generated keys, of any text that writes. */
    List<SelectItem> returning() {
        if (!cursor.accept("RETURNING")) {
            return List.of();
        }
        // RETURNING WITH (OLD AS o) gives names to the row as it was (PostgreSQL 18).
        if (cursor.at("WITH")) {
            throw cursor.unexpected();
        }
        return grammar.queries().selects().items();
    }

    // --- UPDATE ------------------------------------------------------------------------------------------------------

    private Statement update(@Nullable With with, int position) {
        cursor.next();
        if (cursor.isMariaDb()) {
            cursor.accept("LOW_PRIORITY");
            refuseIgnore();
        }
        List<FromItem> targets = cursor.isMariaDb() ? grammar.from().items() : List.of(target());
        List<Assignment> assignments = set();
        List<FromItem> from =
                cursor.isPostgres() && cursor.accept("FROM") ? grammar.from().items() : List.of();
        Expr where = where();
        List<OrderItem> orderBy =
                cursor.isMariaDb() && cursor.at("ORDER") ? grammar.queries().orderBy() : List.of();
        // H2 and MariaDB cut what is written; of rows in no order that is any of them, which is looked at later.
        Limit limit = cursor.isPostgres() ? null : grammar.queries().limit();
        return new Statement.Update(with, targets, assignments, from, where, orderBy, limit, returning(), position);
    }

    /** The table of UPDATE, DELETE or MERGE with its alias. */
    FromItem.Table target() {
        // ONLY.t is a table of a schema that is called so.
        boolean only = cursor.isPostgres() && cursor.at("ONLY") && cursor.kind(1) != TokenKind.DOT;
        boolean parenthesis = false;
        if (only) {
            cursor.next();
            parenthesis = cursor.accept(TokenKind.LEFT_PAREN);
        }
        QualifiedName name = cursor.qualifiedName(Keywords.NOT_TABLE);
        if (parenthesis) {
            cursor.expect(TokenKind.RIGHT_PAREN);
        }
        if (cursor.isPostgres() && !only) {
            cursor.acceptOperator("*");
        }
        Name alias = null;
        if (cursor.accept("AS") || cursor.atName(Keywords.NOT_TABLE) && !cursor.at("SET")) {
            alias = cursor.name(Keywords.NOT_TABLE);
        }
        return new FromItem.Table(name, only, alias == null ? null : new Alias(alias, List.of()));
    }

    private @Nullable Expr where() {
        if (!cursor.accept("WHERE")) {
            return null;
        }
        if (cursor.isPostgres() && cursor.at("CURRENT", "OF")) {
            // The row on which a cursor stands, which the text does not tell.
            throw cursor.unsupported("WHERE CURRENT OF");
        }
        return grammar.expressions().expression();
    }

    /** SET and its assignments. */
    List<Assignment> set() {
        cursor.expect("SET");
        return assignments();
    }

    private List<Assignment> assignments() {
        var assignments = new ArrayList<Assignment>();
        do {
            assignments.add(assignment());
        } while (cursor.accept(TokenKind.COMMA));
        return assignments;
    }

    private Assignment assignment() {
        var targets = new ArrayList<QualifiedName>();
        if (!cursor.isMariaDb() && cursor.accept(TokenKind.LEFT_PAREN)) {
            do {
                targets.add(assigned());
            } while (cursor.accept(TokenKind.COMMA));
            cursor.expect(TokenKind.RIGHT_PAREN);
        } else {
            targets.add(assigned());
        }
        cursor.expectOperator("=");
        return new Assignment(targets, grammar.expressions().expression());
    }

    private QualifiedName assigned() {
        QualifiedName name = cursor.qualifiedName(Keywords.NOT_COLUMN);
        if (cursor.isPostgres() && (!name.isSimple() || cursor.at(TokenKind.LEFT_BRACKET))) {
            throw cursor.unsupported("part of a column as target", name.position());
        }
        return name;
    }

    // --- DELETE ------------------------------------------------------------------------------------------------------

    private Statement delete(@Nullable With with, int position) {
        cursor.next();
        if (cursor.isMariaDb()) {
            return mariaDbDelete(with, position);
        }
        cursor.expect("FROM");
        FromItem.Table table = target();
        List<FromItem> using =
                cursor.isPostgres() && cursor.accept("USING") ? grammar.from().items() : List.of();
        return endOfDelete(with, List.of(table), false, using, position);
    }

    /**
     * Rows that are left out without an error tell of other rows: of a key that is taken, of a row that refers to this
     * one.
     */
    private void refuseIgnore() {
        if (cursor.at("IGNORE")) {
            throw cursor.unsupported("IGNORE in an UPDATE or DELETE");
        }
    }

    /**
     * Three forms: {@code DELETE FROM t}, {@code DELETE a, b FROM t AS a JOIN …}, {@code DELETE FROM a, b USING …}. In
     * the last two the targets are names of what stands in the join.
     */
    private Statement mariaDbDelete(@Nullable With with, int position) {
        cursor.accept("LOW_PRIORITY");
        cursor.accept("QUICK");
        refuseIgnore();
        if (cursor.at("HISTORY", "FROM")) {
            // To the server that is no table's name.
            throw cursor.unsupported("DELETE HISTORY");
        }
        boolean first = cursor.accept("FROM");
        var targets = new ArrayList<FromItem.Table>();
        do {
            QualifiedName name = cursor.qualifiedName(Keywords.NOT_TABLE);
            boolean all = cursor.at(TokenKind.DOT) && cursor.atOperator(1, "*");
            if (all) {
                cursor.next();
                cursor.next();
            }
            targets.add(new FromItem.Table(name, false, null));
        } while (cursor.accept(TokenKind.COMMA));
        if (first && targets.size() == 1 && !cursor.at("USING")) {
            if (cursor.accept("AS") || cursor.atName(Keywords.NOT_TABLE)) {
                Name alias = cursor.name(Keywords.NOT_TABLE);
                targets.set(0, new FromItem.Table(targets.get(0).name(), false, new Alias(alias, List.of())));
            }
            return endOfDelete(with, targets, false, List.of(), position);
        }
        cursor.expect(first ? "USING" : "FROM");
        return endOfDelete(with, targets, true, grammar.from().items(), position);
    }

    private Statement endOfDelete(
            @Nullable With with, List<FromItem.Table> targets, boolean multiTable, List<FromItem> using, int position) {
        Expr where = where();
        boolean ordered = cursor.isMariaDb() && cursor.at("ORDER");
        List<OrderItem> orderBy = ordered ? grammar.queries().orderBy() : List.of();
        Limit limit = cursor.isPostgres() ? null : grammar.queries().limit();
        return new Statement.Delete(with, targets, multiTable, using, where, orderBy, limit, returning(), position);
    }
}
